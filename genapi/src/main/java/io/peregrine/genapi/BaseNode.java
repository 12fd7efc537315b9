package io.peregrine.genapi;

import io.peregrine.genapi.Node.Linkage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What all nodes share: their links, operations on them, and the algebra of access modes (R1, R2). */
abstract class BaseNode extends DescribedNode {
    private static final int MAX_PASSED_ON = 10_000;

    final NodeContext context;
    /** Nodes that must forget what they know when this one changes (R8), few of them twice. */
    final List<BaseNode> dependents = new ArrayList<>(0);

    /** Null until somebody listens. */
    volatile @Nullable List<Consumer<Node>> listeners;

    final @Nullable Link pValue;

    private final @Nullable Link isImplemented;
    private final @Nullable Link isAvailable;
    private final @Nullable Link isLocked;
    private final @Nullable Link error;
    private final AccessMode imposed;
    private volatile AccessMode imposedLater = AccessMode.RW;
    private volatile ImposedRange imposedRange = ImposedRange.NONE;
    private boolean evaluatingAccess;
    private AccessMode knownAccess = AccessMode.NI;
    private long accessKnownFor = Freshness.NEVER;
    private boolean broken;

    /** Used by the map: the last walk over dependents that came here. */
    int visit;

    BaseNode(NodeContext context, Element element, String name) {
        super(element, name);
        this.context = context;
        pValue = link("pValue");
        isImplemented = link("pIsImplemented");
        isAvailable = link("pIsAvailable");
        isLocked = link("pIsLocked");
        error = link("pError");
        String mode = element.valueOrNull("ImposedAccessMode");
        imposed = mode == null ? AccessMode.RW : parseAccess(mode);
    }

    /** How long the longest way is from this node through others that it needs; set once the map is built. */
    int links;

    /** Its number among the nodes of the map, in their order; set before nodes are linked. */
    int index;

    /** Notes that a node must forget what it knows when this one changes. */
    final void addDependent(BaseNode node) {
        // Most of what would be there twice comes one after the other.
        if (dependents.isEmpty() || dependents.get(dependents.size() - 1) != node) {
            dependents.add(node);
        }
    }

    // ---- Operations

    /** Runs an operation that no other thread comes between. */
    final <T> T operate(Supplier<T> operation) {
        Operations operations = context.operations;
        if (operations.tooDeep(links)) {
            return operations.onOwnStack(links, () -> operate(operation));
        }
        operations.enter();
        try {
            return operation.get();
        } catch (StackOverflowError e) {
            throw operations.atEndOfStack(e);
        } finally {
            operations.exit();
        }
    }

    /** Runs an operation that no other thread comes between. */
    final long operateLong(LongSupplier operation) {
        Operations operations = context.operations;
        if (operations.tooDeep(links)) {
            return operations.onOwnStack(links, () -> operateLong(operation));
        }
        operations.enter();
        try {
            return operation.getAsLong();
        } catch (StackOverflowError e) {
            throw operations.atEndOfStack(e);
        } finally {
            operations.exit();
        }
    }

    /** Runs an operation that no other thread comes between. */
    final double operateDouble(DoubleSupplier operation) {
        Operations operations = context.operations;
        if (operations.tooDeep(links)) {
            return operations.onOwnStack(links, () -> operateDouble(operation));
        }
        operations.enter();
        try {
            return operation.getAsDouble();
        } catch (StackOverflowError e) {
            throw operations.atEndOfStack(e);
        } finally {
            operations.exit();
        }
    }

    /** Runs an operation that no other thread comes between. */
    final void run(Runnable operation) {
        operate(() -> {
            operation.run();
            return true;
        });
    }

    /** What the kind of node allows by itself, before predicates and imposed mode. */
    abstract AccessMode ownAccess();

    /** Drops what this node itself holds of the device's state. */
    void dropCache() {}

    /** Whether the value can change by itself now, so that it is to be polled. */
    boolean changesByItself() {
        return true;
    }

    /** How long the value may be remembered: the weakest on the way to it (R6). */
    CachingMode caching() {
        BaseNode below = pValue == null ? null : pValue.nodeOrNull();
        return below == null || below == this ? CachingMode.WRITE_THROUGH : below.cachingOnce();
    }

    private boolean evaluatingCaching;

    final CachingMode cachingOnce() {
        if (evaluatingCaching) {
            context.freshness.passing();
            return CachingMode.WRITE_THROUGH;
        }
        evaluatingCaching = true;
        try {
            context.operations.work();
            return caching();
        } finally {
            evaluatingCaching = false;
        }
    }

    /** A link of this node, or null when it has no such property. */
    final @Nullable Link link(String child) {
        String target = element.valueOrNull(child);
        return target == null ? null : new Link(this, target);
    }

    final List<Link> links(String child) {
        if (!element.has(child)) {
            return List.of();
        }
        List<Link> found = new ArrayList<>(2);
        for (Element property : element.children()) {
            if (property.name().equals(child)) {
                found.add(new Link(this, property.text()));
            }
        }
        return found;
    }

    final List<BaseNode> targets(String child) {
        List<BaseNode> found = new ArrayList<>();
        for (Link link : links(child)) {
            BaseNode node = link.nodeOrNull();
            if (node != null) {
                found.add(node);
            }
        }
        return found;
    }

    final Link required(@Nullable Link link, String property) {
        if (link == null) {
            throw new GenApiException("Node " + name + " has no " + property);
        }
        return link;
    }

    final NumberNode valueNode() {
        return required(pValue, "pValue").number();
    }

    void markBroken() {
        broken = true;
    }

    boolean isBroken() {
        return broken;
    }

    /** Whether the node is of a kind that has a value. */
    boolean hasValue() {
        return this instanceof NumberNode;
    }

    /** Reads what the value is made of, without checking access; nothing where there is no value. */
    void readValue() {
        if (this instanceof NumberNode number) {
            number.readDouble();
        }
    }

    /** What it takes to read the node, in parts of which each is done for itself when reading ahead. */
    List<Runnable> parts() {
        List<Runnable> parts = new ArrayList<>(4);
        parts.add(this::access);
        parts.add(() -> {
            if (access().readable()) {
                readValue();
            }
        });
        if (this instanceof NumberNode number) {
            if (this instanceof IntegerNode) {
                parts.add(number::wholeRange);
                parts.add(number::stepLong);
            } else if (this instanceof FloatNode) {
                parts.add(number::realRange);
            }
        }
        return parts;
    }

    @Override
    public AccessMode accessMode() {
        // In the form that allocates nothing, as it is asked often.
        Operations operations = context.operations;
        if (operations.tooDeep(links)) {
            return operations.onOwnStack(links, this::accessMode);
        }
        operations.enter();
        try {
            return access();
        } catch (StackOverflowError e) {
            throw operations.atEndOfStack(e);
        } finally {
            operations.exit();
        }
    }

    AccessMode access() {
        Freshness freshness = context.freshness;
        if (freshness.holds(accessKnownFor)) {
            return knownAccess;
        }
        long begun = freshness.begin();
        long changes = freshness.changes();
        AccessMode mode = access(true);
        knownAccess = mode;
        accessKnownFor = freshness.end(begun, changes);
        return mode;
    }

    /** What may be done with the node when nothing locks it. */
    final AccessMode accessWithoutLock() {
        return operate(() -> access(false));
    }

    private AccessMode access(boolean withLock) {
        if (evaluatingAccess) {
            // A cycle through predicates: the inner question must not decide the outer one.
            context.freshness.passing();
            return AccessMode.RW;
        }
        evaluatingAccess = true;
        try {
            context.operations.work();
            if (broken) {
                return AccessMode.NI;
            }
            if (isImplemented != null) {
                AccessMode predicate = isImplemented.access();
                if (!predicate.readable()) {
                    return predicate == AccessMode.NI ? AccessMode.NI : AccessMode.NA;
                }
                if (!truth(isImplemented)) {
                    return AccessMode.NI;
                }
            }
            if (context.missing.noting()) {
                readAheadPredicates();
            }
            AccessMode own = ownAccess();
            if (own == AccessMode.NI) {
                return AccessMode.NI;
            }
            if (isAvailable != null) {
                AccessMode predicate = isAvailable.access();
                if (predicate == AccessMode.NI) {
                    return AccessMode.NI;
                }
                if (!predicate.readable() || !truth(isAvailable)) {
                    return AccessMode.NA;
                }
            }
            AccessMode mode = own.and(imposed).and(imposedLater);
            if (withLock && isLocked != null) {
                AccessMode predicate = isLocked.access();
                if (!predicate.readable()) {
                    return predicate == AccessMode.NI ? AccessMode.NI : AccessMode.NA;
                }
                if (truth(isLocked)) {
                    mode = mode == AccessMode.RW ? AccessMode.RO : mode == AccessMode.WO ? AccessMode.NA : mode;
                }
            }
            return mode;
        } finally {
            evaluatingAccess = false;
        }
    }

    /** Meets all predicates before the first that is not known ends the question. */
    private void readAheadPredicates() {
        for (Link predicate : new Link[] {isAvailable, isLocked}) {
            if (predicate != null) {
                MissingLines.attempt(() -> {
                    if (predicate.access().readable()) {
                        truth(predicate);
                    }
                });
            }
        }
    }

    private static boolean truth(Link predicate) {
        return predicate.nodeOrNull() instanceof NumberNode number
                && (number.isFloat() ? number.readDouble() != 0 : number.readLong() != 0);
    }

    static AccessMode parseAccess(String text) {
        return switch (text) {
            case "RO", "R" -> AccessMode.RO;
            case "WO", "W" -> AccessMode.WO;
            case "NA" -> AccessMode.NA;
            case "NI" -> AccessMode.NI;
            default -> AccessMode.RW;
        };
    }

    @Override
    public void imposeAccessMode(AccessMode mode) {
        run(() -> {
            imposedLater = mode;
            context.changes.changed(this);
        });
    }

    final ImposedRange imposedRange() {
        return imposedRange;
    }

    final void impose(ImposedRange range) {
        run(() -> {
            imposedRange = range;
            context.changes.changed(this);
        });
    }

    void checkReadable() {
        AccessMode mode = access();
        if (!mode.readable()) {
            throw new GenApiAccessException("Node " + name + " cannot be read: it is " + describe(mode));
        }
    }

    void checkWritable() {
        AccessMode mode = access();
        if (!mode.writable()) {
            throw new GenApiAccessException("Node " + name + " cannot be written: it is " + describe(mode));
        }
    }

    private String describe(AccessMode mode) {
        return mode
                + switch (mode) {
                    case NI ->
                        awaitsEvent()
                                ? " (not implemented until its event comes: no such event was received)"
                                : " (not implemented by this device" + context.reason(name) + ")";
                    case NA -> " (not available at present)";
                    case WO -> " (write only)";
                    case RO ->
                        isLocked != null && isLocked.access().readable() && truth(isLocked)
                                ? " (locked at present)"
                                : " (read only)";
                    case RW -> "";
                };
    }

    /** Whether the node, or what its value comes from, is not there before an event comes. */
    boolean awaitsEvent() {
        @Nullable BaseNode node = this;
        for (int i = 0; node != null && i < MAX_PASSED_ON; i++) {
            if (node.targets("pPort").stream().anyMatch(BaseNode::awaitsEvent)) {
                return true;
            }
            node = node.pValue == null ? null : node.pValue.nodeOrNull();
        }
        return false;
    }

    /** Writes; with verification what lies below checks its range too, and the device is asked whether it worked. */
    final void writing(boolean verify, Runnable write) {
        context.writes.write(this, verify, write);
    }

    /** Asks the node that says whether the last write worked (R29). */
    final void checkError() {
        if (error != null) {
            error.node().throwIfError(name);
        }
    }

    /** Throws when this node says that the write of another has failed. */
    void throwIfError(String written) {}

    @Override
    public Registration onChange(Consumer<Node> listener) {
        List<Consumer<Node>> all;
        synchronized (dependents) {
            all = listeners;
            if (all == null) {
                all = new CopyOnWriteArrayList<>();
                listeners = all;
            }
        }
        List<Consumer<Node>> added = all;
        added.add(listener);
        return () -> added.remove(listener);
    }

    @Override
    public boolean valueCached() {
        return operate(() -> hasValue()
                && context.missing.nothingFor(() -> {
                    checkReadable();
                    readValue();
                }));
    }

    @Override
    public CachingMode cachingMode() {
        return operate(() -> cachingOnce());
    }

    @Override
    public List<Node> selected() {
        return context.graph.selectedBy(this);
    }

    @Override
    public List<Node> selecting() {
        return context.graph.selectorsOf(this);
    }

    @Override
    public Optional<Node> alias() {
        return element.value("pAlias").flatMap(context.graph::find);
    }

    @Override
    public Optional<Node> castAlias() {
        return element.value("pCastAlias").flatMap(context.graph::find);
    }

    @Override
    public void invalidate() {
        run(() -> {
            dropCache();
            context.changes.changed(this);
        });
    }

    @Override
    public void refresh() {
        run(() -> {
            dropDeep();
            context.changes.changed(this);
        });
    }

    @Override
    public List<Node> linked(Linkage linkage) {
        return context.graph.linked(this, linkage);
    }

    /** Drops what this node and the nodes its value comes from hold. */
    final void dropDeep() {
        dropCache();
        Links.reach(this, Links::valued).forEach(BaseNode::dropCache);
    }

    /** A property of this node or, where it has none, of the nodes its value comes from (R20). */
    final Optional<String> passedOn(String property) {
        @Nullable BaseNode node = this;
        for (int i = 0; node != null && i < MAX_PASSED_ON; i++) {
            Optional<String> own = node.element.value(property);
            if (own.isPresent()) {
                return own;
            }
            node = node.pValue == null ? null : node.pValue.nodeOrNull();
        }
        return Optional.empty();
    }

    @Override
    public Optional<String> unit() {
        return passedOn("Unit");
    }

    /** As it stands behind a number in a message. */
    final String unitAfterNumber() {
        return unit().map(unit -> " " + unit).orElse("");
    }
}
