package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a camera description, linked, over their ports (GenICam standard 2.1.1).
 *
 * <p>What a description has wrong costs the node concerned and is listed in {@link #problems()}; only a file that is no
 * camera description at all is refused. Safe for use by several threads: one lock guards the map.
 */
public final class NodeMap {
    private static final Set<String> OF_ANOTHER_BUS =
            Set.of("ConfRom", "TextDesc", "IntKey", "AdvFeatureLock", "SmartFeature");
    private static final Set<String> NAME_SPACES = Set.of("Std", "Cust");
    private static final int MAX_PROBLEMS = 10_000;

    private static final System.Logger LOG = System.getLogger(NodeMap.class.getName());

    /** Steps that one operation may take: a hundred times what the largest real description needs. */
    private static final int MAX_WORK = 1_000_000;

    /** Levels of formulas that are evaluated inside each other; they are on the stack. */
    private static final int MAX_LEVELS = 1_500;

    private final List<ChangeListener> writeListeners = new CopyOnWriteArrayList<>();
    private volatile Function<Node, Optional<String>> writeGuard = node -> Optional.empty();
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<BaseNode> toTell = new LinkedHashSet<>();
    private final List<BaseNode> walk = new ArrayList<>();
    private int walks;
    private int work;
    private int levels;
    private boolean writing;
    private boolean verifying;

    private @Nullable Selections selections;
    private final List<Polled> polled = new ArrayList<>();
    private final Map<Long, List<BaseNode>> eventNodes = new HashMap<>();
    private final Map<String, BaseNode> nodes = new LinkedHashMap<>();
    private final Map<String, String> broken = new HashMap<>();
    private final List<Problem> problems = new ArrayList<>();
    private final boolean oldSchema;
    private final boolean bigEndianOnly;
    private final List<ChunkPortNode> chunkPorts = new ArrayList<>();

    private final Description description;
    private final AtomicLong changes = new AtomicLong();
    private final ChunkMemory chunkMemory = new ChunkMemory();

    NodeMap(Description description, Function<String, Port> portsByName) {
        this.description = description;
        Element root = description.root();
        Function<String, Optional<Port>> ports = name -> Optional.ofNullable(portsByName.apply(name));
        // Descriptions of schema 1.0 have no byte order of their own (R22).
        oldSchema = root.attribute("SchemaMajorVersion").orElse("1").equals("1")
                && root.attribute("SchemaMinorVersion").orElse("1").equals("0");
        bigEndianOnly =
                oldSchema && root.attribute("StandardNameSpace").orElse("").equals("GEV");
        Deque<Element> open = new ArrayDeque<>(root.children());
        while (!open.isEmpty()) {
            Element element = open.poll();
            if (element.name().equals("Group")) {
                open.addAll(element.children());
            } else if (!element.name().equals("Extension")) {
                build(element, ports);
            }
        }
        nodes.values().forEach(this::connect);
        Chains.check(nodes, this::problem).forEach(this::breakNode);
    }

    /**
     * Loads a description whose nodes all live behind one port.
     *
     * @param xml the description, zipped or not
     * @param port the port, whatever the description calls it
     * @throws GenApiException if it is no camera description
     */
    public static NodeMap load(byte[] xml, Port port) {
        return load(xml, name -> port);
    }

    /**
     * Loads a description.
     *
     * @param xml the description, zipped or not
     * @param portsByName gives the port of a name, or null where there is none: its registers are not implemented then
     * @throws GenApiException if it is no camera description
     */
    public static NodeMap load(byte[] xml, Function<String, Port> portsByName) {
        return Description.parse(xml).nodeMap(portsByName);
    }

    private void build(Element element, Function<String, Optional<Port>> ports) {
        if (element.name().equals("StructReg")) {
            for (Element entry : element.all("StructEntry")) {
                build(inherited(element, entry), ports);
            }
            return;
        }
        Optional<String> name = element.attribute("Name");
        if (name.isEmpty()) {
            problem("", "an element " + element.name() + " without a name was skipped");
            return;
        }
        String id = name.get();
        if (nodes.containsKey(id)) {
            problem(id, "there are two nodes of this name; the first is used");
            return;
        }
        BaseNode node;
        try {
            node = create(element, id, ports);
        } catch (GenApiException e) {
            breakNode(id, e.getMessage());
            node = new BrokenNode(this, element, id);
            node.markBroken();
        }
        nodes.put(id, node);
        if (node instanceof ChunkPortNode port) {
            chunkPorts.add(port);
        }
        if (node instanceof EnumerationImpl enumeration) {
            enumeration.builtEntries().forEach(entry -> nodes.putIfAbsent(entry.name, entry));
        }
    }

    /** An entry of a StructReg is a MaskedIntReg with everything it does not say itself from the StructReg (R11). */
    private static Element inherited(Element struct, Element entry) {
        Set<String> own = new HashSet<>();
        entry.children().forEach(child -> own.add(child.name()));
        List<Element> children = new ArrayList<>(entry.children());
        for (Element child : struct.children()) {
            if (!child.name().equals("StructEntry") && !own.contains(child.name())) {
                children.add(child);
            }
        }
        return new Element("StructEntry", entry.attributes(), "", List.copyOf(children));
    }

    private BaseNode create(Element element, String id, Function<String, Optional<Port>> ports) {
        return switch (element.name()) {
            case "Integer" -> new IntegerImpl(this, element, id);
            case "IntReg", "MaskedIntReg", "StructEntry" -> new IntegerRegister(this, element, id);
            case "Float" -> new FloatImpl(this, element, id);
            case "FloatReg" -> new FloatImpl.InRegister(this, element, id);
            case "SwissKnife", "Converter" -> new FormulaNode.OfFloat(this, element, id);
            case "IntSwissKnife", "IntConverter" -> new FormulaNode.OfInteger(this, element, id);
            case "Boolean" -> new BooleanImpl(this, element, id);
            case "Enumeration" -> new EnumerationImpl(this, element, id);
            case "Command" -> new CommandImpl(this, element, id);
            case "String" -> new StringImpl(this, element, id);
            case "StringReg" -> new StringImpl.InRegister(this, element, id);
            case "Register" -> new RegisterImpl(this, element, id);
            case "Category" -> new CategoryImpl(this, element, id);
            case "Port" -> {
                if (element.first("ChunkID").isPresent()
                        || element.first("pChunkID").isPresent()) {
                    yield new ChunkPortNode(this, element, id, chunkMemory);
                }
                if (element.first("EventID").isPresent()) {
                    yield new EventPortNode(this, element, id);
                }
                yield new DevicePortNode(this, element, id, ports.apply(id));
            }
            case "Node" -> new PlainNode(this, element, id);
            default ->
                throw new GenApiException(
                        OF_ANOTHER_BUS.contains(element.name())
                                ? "elements of the kind " + element.name() + " belong to IEEE 1394, not to GigE Vision"
                                : "elements of the kind " + element.name() + " are not known");
        };
    }

    private void connect(BaseNode node) {
        for (Element child : node.element.children()) {
            if (Links.ALL.contains(child.name())) {
                BaseNode target = nodes.get(child.text());
                if (target == null) {
                    problem(node.name, child.name() + " refers to " + child.text() + ", which does not exist");
                } else {
                    target.dependents.add(node);
                }
                child.attribute("pOffset").map(nodes::get).ifPresent(offset -> offset.dependents.add(node));
            } else if (child.name().equals("pSelected")) {
                BaseNode target = nodes.get(child.text());
                if (target != null) {
                    node.dependents.add(target);
                }
            } else if (child.name().equals("IntSwissKnife")) {
                for (Element variable : child.all("pVariable")) {
                    Optional.ofNullable(nodes.get(variable.text())).ifPresent(target -> target.dependents.add(node));
                }
            } else if (child.name().equals("EnumEntry") && node instanceof EnumerationImpl) {
                for (String predicate : List.of("pIsImplemented", "pIsAvailable")) {
                    child.value(predicate).map(nodes::get).ifPresent(target -> target.dependents.add(node));
                }
            }
        }
        node.element.value("PollingTime").ifPresent(text -> polled.add(new Polled(node, text)));
        node.element.value("EventID").ifPresent(text -> {
            try {
                eventNodes
                        .computeIfAbsent(Numbers.parseHex(node.name, text), key -> new ArrayList<>())
                        .add(node);
            } catch (GenApiException e) {
                problem(node.name, e.getMessage());
            }
        });
    }

    private synchronized Selections selections() {
        if (selections == null) {
            selections = new Selections(nodes.values());
        }
        return selections;
    }

    List<Node> selectedBy(BaseNode selector) {
        // Without a category Root there are no features: any node can be meant.
        return selections().selectedBy(selector, nodes.containsKey("Root") ? features() : nodes());
    }

    List<Node> selectorsOf(BaseNode feature) {
        return selections().selectorsOf(feature);
    }

    // ---- Operations

    /** Begins an operation, of which others may be part. */
    void enter(BaseNode node) {
        lock.lock();
        if (lock.getHoldCount() == 1) {
            work = 0;
            levels = 0;
        }
    }

    /** Ends an operation; after the outermost one, listeners are told, outside the lock. */
    void exit() {
        if (lock.getHoldCount() > 1 || toTell.isEmpty()) {
            lock.unlock();
            return;
        }
        List<BaseNode> told = List.copyOf(toTell);
        toTell.clear();
        lock.unlock();
        for (BaseNode node : told) {
            for (ChangeListener listener : node.listeners) {
                try {
                    listener.changed(node);
                } catch (RuntimeException e) {
                    LOG.log(System.Logger.Level.WARNING, "A listener of node " + node.name + " failed", e);
                }
            }
        }
    }

    /** Counts a step of an operation. */
    void work() {
        if (++work > MAX_WORK) {
            throw new GenApiException("The operation was given up: the camera description makes it take more than "
                    + MAX_WORK + " steps");
        }
    }

    /** Goes down into a formula of a number of levels. */
    void descend(int depth) {
        if (levels + depth > MAX_LEVELS) {
            throw new GenApiException("The operation was given up: the camera description nests formulas in more than "
                    + MAX_LEVELS + " levels");
        }
        levels += depth;
    }

    void ascend(int depth) {
        levels -= depth;
    }

    /** Whether the write that is under way is to keep to the ranges of all nodes it passes. */
    boolean verifying() {
        return verifying;
    }

    /** Says whether writes are to keep to the ranges, and gives what was said before. */
    boolean verify(boolean verify) {
        boolean before = verifying;
        verifying = verify;
        return before;
    }

    /** Notes that a node is being written, and tells whether no other is for whose sake that happens. */
    boolean beginWrite() {
        boolean outermost = !writing;
        writing = true;
        return outermost;
    }

    void endWrite(boolean outermost) {
        writing = !outermost;
    }

    /** Tells that a node was written. */
    void wrote(BaseNode node) {
        for (ChangeListener listener : writeListeners) {
            try {
                listener.changed(node);
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "A listener to the writing of " + node.name + " failed", e);
            }
        }
    }

    /**
     * Calls a listener with each node whose value was set, or which was executed, through this map: at once, on the
     * thread that did it, before any other thread can change something. Nodes that were written for its sake are not
     * told.
     *
     * @return closes when the listener is to be called no longer
     */
    public Registration onWrite(ChangeListener listener) {
        writeListeners.add(listener);
        return () -> writeListeners.remove(listener);
    }

    /**
     * Has a guard asked before a node is set or executed, but for nodes that are written for its sake. Access modes
     * stay as they are.
     *
     * @param guard gives the reason why the node is not to be written, a sentence without a full stop; empty to let it
     *     be
     */
    public void guardWrites(Function<Node, Optional<String>> guard) {
        writeGuard = guard;
    }

    /** Throws if the node is not to be written. */
    void checkGuard(BaseNode node) {
        writeGuard.apply(node).ifPresent(reason -> {
            throw new GenApiAccessException("Node " + node.name + " cannot be written: " + reason);
        });
    }

    /** Makes everything that depends on a node forget what it knows, and notes who is to be told (R8). */
    void changed(BaseNode start) {
        walk(start, true);
    }

    /** Makes everything that depends on a node forget what it knows, without telling: nothing was changed from here. */
    void forget(BaseNode start) {
        walk(start, false);
    }

    private void walk(BaseNode start, boolean telling) {
        countChange();
        int visit = ++walks;
        start.visit = visit;
        if (telling) {
            tell(start);
        }
        walk.clear();
        walk.add(start);
        while (!walk.isEmpty()) {
            BaseNode node = walk.remove(walk.size() - 1);
            for (BaseNode dependent : node.dependents) {
                if (dependent.visit != visit) {
                    dependent.visit = visit;
                    dependent.dropCache();
                    if (telling) {
                        tell(dependent);
                    }
                    walk.add(dependent);
                }
            }
        }
    }

    private void tell(BaseNode node) {
        if (!node.listeners.isEmpty()) {
            toTell.add(node);
        }
    }

    /**
     * Runs several operations as one: no other thread comes between them, and listeners are told after all of them.
     *
     * @param operations what to do
     */
    public void together(Runnable operations) {
        lock.lock();
        try {
            operations.run();
        } finally {
            exit();
        }
    }

    // ---- Reading ahead

    /** Thrown while reading ahead where a value is not known yet. */
    private static final class NotYetKnown extends GenApiException {
        private static final long serialVersionUID = 1L;

        NotYetKnown() {
            super("not known yet");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    private static final int MAX_ROUNDS = 64;

    /** What reading ahead needs, by port; null at all other times. */
    private Map<DevicePortNode, Set<CacheLine>> ahead;

    private final Set<CacheLine> unreadable = new HashSet<>();

    /**
     * Fetches what is needed to read nodes, with access mode and range, in as few transfers as the port can, so that
     * reading them afterwards asks the device for nothing but what must not be remembered. What cannot be read is left
     * out: reading it tells why.
     *
     * @param wanted nodes that will be read
     * @return number of registers that were fetched
     */
    public int prefetch(Collection<? extends Node> wanted) {
        int fetched = 0;
        lock.lock();
        try {
            unreadable.clear();
            List<BaseNode> open = new ArrayList<>();
            wanted.forEach(node -> open.add((BaseNode) node));
            for (int round = 0; round < MAX_ROUNDS && !open.isEmpty(); round++) {
                ahead = new LinkedHashMap<>();
                try {
                    open.removeIf(this::known);
                } finally {
                    Map<DevicePortNode, Set<CacheLine>> needed = ahead;
                    ahead = null;
                    int before = fetched;
                    for (Map.Entry<DevicePortNode, Set<CacheLine>> entry : needed.entrySet()) {
                        fetched += entry.getKey().fetch(entry.getValue(), unreadable);
                    }
                    if (fetched == before) {
                        open.clear();
                    }
                }
            }
        } finally {
            exit();
        }
        return fetched;
    }

    /** Whether a node can be read without asking the device; notes what is missing. */
    private boolean known(BaseNode node) {
        boolean known = true;
        for (Runnable part : node.parts()) {
            try {
                work = 0;
                part.run();
            } catch (NotYetKnown e) {
                known = false;
            } catch (GenApiException e) {
                // Reading the node will say the same.
            }
        }
        return known;
    }

    /** Notes, while reading ahead, that a line is needed; else does nothing. */
    void needs(DevicePortNode port, CacheLine line, boolean cached) {
        if (ahead != null) {
            if (cached && !unreadable.contains(line)) {
                ahead.computeIfAbsent(port, key -> new LinkedHashSet<>()).add(line);
            }
            throw new NotYetKnown();
        }
    }

    /** Whether a node's value can be read without asking a device. */
    boolean isCached(BaseNode node) {
        lock.lock();
        Map<DevicePortNode, Set<CacheLine>> before = ahead;
        ahead = new LinkedHashMap<>();
        try {
            work = 0;
            return node.hasValue() && node.access().readable() && knows(node);
        } catch (GenApiException e) {
            return false;
        } finally {
            ahead = before;
            exit();
        }
    }

    private static boolean knows(BaseNode node) {
        node.readValue();
        return true;
    }

    boolean readingAhead() {
        return ahead != null;
    }

    /** Runs a part of what is read ahead, so that those behind it are reached too. */
    static void attempt(Runnable part) {
        try {
            part.run();
        } catch (GenApiException e) {
            // Noted already, or to be met again.
        }
    }

    // ---- Time and events

    /** A node whose value changes by itself. */
    private static final class Polled {
        private final BaseNode node;
        private final String text;
        private long periodMillis = -1;
        private long waitedMillis;

        Polled(BaseNode node, String text) {
            this.node = node;
            this.text = text;
        }

        long periodMillis() {
            if (periodMillis < 0) {
                periodMillis = Math.max(0, Numbers.parseLong(node.name, text));
            }
            return periodMillis;
        }
    }

    /**
     * Makes nodes forget their value whose polling time is over (R25). To be called from time to time; does not read.
     *
     * @param elapsed time since the last call
     */
    public void poll(Duration elapsed) {
        lock.lock();
        try {
            work = 0;
            for (Polled entry : polled) {
                try {
                    poll(entry, elapsed.toMillis());
                } catch (RuntimeException e) {
                    LOG.log(System.Logger.Level.DEBUG, "Node " + entry.node.name + " is not polled", e);
                }
            }
        } finally {
            exit();
        }
    }

    private void poll(Polled entry, long elapsedMillis) {
        BaseNode node = entry.node;
        if ((node instanceof CommandImpl command && !command.executing())
                || (node instanceof EnumerationImpl enumeration && !enumeration.changesByItself())) {
            return;
        }
        entry.waitedMillis += elapsedMillis;
        if (entry.waitedMillis < entry.periodMillis()) {
            return;
        }
        entry.waitedMillis = 0;
        Link block = node.link("pBlockPolling");
        if (block != null && block.access().readable() && block.number().readLong() != 0) {
            return;
        }
        node.dropDeep();
        changed(node);
    }

    /**
     * Delivers an event of the device: connects its data to the event ports of this id, and makes the nodes of this id
     * forget what they know.
     *
     * @param eventId id of the event
     * @param data the event from the byte that has address 0, position to limit; it is copied
     * @return whether the description has nodes for events of this id
     */
    public boolean deliverEvent(long eventId, ByteBuffer data) {
        lock.lock();
        try {
            List<BaseNode> concerned = eventNodes.getOrDefault(eventId, List.of());
            for (BaseNode node : concerned) {
                if (node instanceof EventPortNode port) {
                    port.deliver(data);
                }
            }
            for (BaseNode node : concerned) {
                node.dropDeep();
                changed(node);
            }
            return !concerned.isEmpty();
        } finally {
            exit();
        }
    }

    /**
     * Features that tell of the events of an id: those whose value comes from an event port of it, or that have the id
     * themselves.
     *
     * @param eventId id of the event
     * @return the features in the order of the description; empty where it has none
     */
    public List<Node> eventFeatures(long eventId) {
        Set<Node> concerned = new HashSet<>();
        Deque<BaseNode> open = new ArrayDeque<>(eventNodes.getOrDefault(eventId, List.of()));
        while (!open.isEmpty()) {
            BaseNode node = open.poll();
            if (concerned.add(node)) {
                open.addAll(node.dependents);
            }
        }
        return features().stream().filter(concerned::contains).toList();
    }

    void problem(String node, String message) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(new Problem(node, message));
        }
    }

    private void breakNode(String node, String message) {
        broken.put(node, message);
        BaseNode known = nodes.get(node);
        if (known != null) {
            known.markBroken();
        }
        problem(node, message);
    }

    String reason(String node) {
        String reason = broken.get(node);
        return reason == null ? "" : ": " + reason;
    }

    /** Whether the description follows schema 1.0. */
    boolean oldSchema() {
        return oldSchema;
    }

    boolean bigEndianOnly() {
        return bigEndianOnly;
    }

    Optional<BaseNode> base(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /**
     * The node of a name, if there is one.
     *
     * @param name its name; {@code Std::} or {@code Cust::} in front asks for a name of the standard or of the vendor
     *     only
     */
    public Optional<Node> find(String name) {
        int colons = name.indexOf("::");
        if (colons >= 0 && !NAME_SPACES.contains(name.substring(0, colons))) {
            return Optional.empty();
        }
        if (colons < 0) {
            return Optional.ofNullable(nodes.get(name));
        }
        BaseNode node = nodes.get(name.substring(colons + 2));
        boolean standard = name.startsWith("Std");
        return node != null && node.standardName() == standard ? Optional.of(node) : Optional.empty();
    }

    /**
     * The node of a name.
     *
     * @throws GenApiException if there is none
     */
    public Node node(String name) {
        return find(name).orElseThrow(() -> missing(name));
    }

    private GenApiException missing(String name) {
        String plain = name.substring(name.indexOf("::") < 0 ? 0 : name.indexOf("::") + 2);
        String question =
                NearNames.question(plain, features().stream().map(Node::name).toList());
        if (question.isEmpty()) {
            question = NearNames.question(plain, nodes.keySet());
        }
        return new GenApiException("There is no feature " + name
                + (question.isEmpty() ? " in the description of " + modelName() : ". " + question));
    }

    /**
     * The node of a name, if there is one of the type.
     *
     * @param name its name, in the forms that {@link #find(String)} takes
     * @param type what it is to be, for example {@link IntegerNode}
     */
    public <T extends Node> Optional<T> find(String name, Class<T> type) {
        return find(name).filter(type::isInstance).map(type::cast);
    }

    private <T> T typed(String name, Class<T> type, String wanted) {
        Node node = node(name);
        if (!type.isInstance(node)) {
            throw new GenApiException("Node " + name + " is a " + node.kind() + ", not " + wanted);
        }
        return type.cast(node);
    }

    /** The integer node of a name. */
    public IntegerNode integer(String name) {
        return typed(name, IntegerNode.class, "an integer");
    }

    /** The floating point node of a name. */
    public FloatNode floating(String name) {
        return typed(name, FloatNode.class, "a floating point number");
    }

    /** The boolean node of a name. */
    public BooleanNode bool(String name) {
        return typed(name, BooleanNode.class, "a boolean");
    }

    /** The enumeration of a name. */
    public EnumerationNode enumeration(String name) {
        return typed(name, EnumerationNode.class, "an enumeration");
    }

    /** The command of a name. */
    public CommandNode command(String name) {
        return typed(name, CommandNode.class, "a command");
    }

    /** The text of a name. */
    public StringNode string(String name) {
        return typed(name, StringNode.class, "a text");
    }

    /** The register of a name. */
    public RegisterNode register(String name) {
        return typed(name, RegisterNode.class, "a register");
    }

    /** The category of a name. */
    public CategoryNode category(String name) {
        return typed(name, CategoryNode.class, "a category");
    }

    /** All nodes, in the order of the description. */
    public Collection<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    /** Features: what the category Root and the categories below it hold, without the categories themselves. */
    public List<Node> features() {
        return find("Root").map(NodeMap::below).orElseGet(List::of);
    }

    /**
     * Features that are meant for a user.
     *
     * @param highest what the user is: Beginner sees the features for beginners alone, Guru all but those for programs
     * @return the features, in the order of the categories
     */
    public List<Node> features(Visibility highest) {
        return visible(features(), highest);
    }

    /**
     * Features of a category and of those below it, as far as they are meant for a user.
     *
     * @param category name of the category
     * @param highest what the user is
     * @throws GenApiException if there is no such category
     */
    public List<Node> features(String category, Visibility highest) {
        return visible(below(category(category)), highest);
    }

    private static List<Node> visible(List<Node> features, Visibility highest) {
        return features.stream()
                .filter(feature -> feature.visibility().compareTo(highest) <= 0)
                .toList();
    }

    private static List<Node> below(Node category) {
        Set<Node> seen = new LinkedHashSet<>();
        Deque<Node> open = new ArrayDeque<>(List.of(category));
        while (!open.isEmpty()) {
            Node node = open.pop();
            if (seen.add(node) && node instanceof CategoryNode inner) {
                List<Node> inside = inner.features();
                for (int i = inside.size() - 1; i >= 0; i--) {
                    open.push(inside.get(i));
                }
            }
        }
        seen.removeIf(CategoryNode.class::isInstance);
        return List.copyOf(seen);
    }

    // ---- Links

    /** All that can be reached, but for the start. */
    private static Set<BaseNode> reach(BaseNode start, Function<BaseNode, Collection<BaseNode>> next) {
        Set<BaseNode> found = new LinkedHashSet<>();
        Deque<BaseNode> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            for (BaseNode node : next.apply(open.remove())) {
                if (node != start && found.add(node)) {
                    open.add(node);
                }
            }
        }
        return found;
    }

    List<Node> linked(BaseNode node, Linkage linkage) {
        Collection<BaseNode> found = switch (linkage) {
            case WRITTEN -> Links.written(node);
            case READ -> Links.read(node);
            case INVALIDATING -> Links.invalidating(node);
            case DEPENDING -> reach(node, one -> one.dependents);
            case PARENTS ->
                node.dependents.stream()
                        .filter(one -> Links.read(one).contains(node))
                        .toList();
            case TERMINAL ->
                reach(node, Links::written).stream()
                        .filter(one -> Links.written(one).isEmpty())
                        .toList();
        };
        return List.copyOf(found);
    }

    /** What was skipped, and why. */
    public List<Problem> problems() {
        return List.copyOf(problems);
    }

    /**
     * What is legal in the description, but means something else to other implementations of GenApi. The description is
     * checked with each call.
     */
    public List<Problem> warnings() {
        return Lint.of(nodes.values());
    }

    // ---- Chunks

    /**
     * Connects the chunk ports to the chunk data of a frame, in place of that of the frame before. The data is not
     * copied: it must stay as it is until other data is attached or {@link #detachChunks()} is called.
     *
     * @param data chunk data from position to limit, its tags in the byte order of the buffer: big-endian for payloads
     *     of GigE Vision, little-endian for GenDC
     * @return how far the data could be understood; ports of chunks that were found until then are connected
     */
    public ChunkLayout.Ending attachChunks(ByteBuffer data) {
        return attachChunks(data, () -> true);
    }

    /**
     * Connects the chunk ports to the chunk data of a frame whose memory can go away.
     *
     * @param data as for {@link #attachChunks(ByteBuffer)}
     * @param valid asked before and after every access: once it says false, reading chunk features fails
     * @return how far the data could be understood
     */
    public ChunkLayout.Ending attachChunks(ByteBuffer data, BooleanSupplier valid) {
        lock.lock();
        try {
            ChunkLayout.Ending ending = chunkMemory.attach(data, valid);
            chunksChanged();
            return ending;
        } finally {
            exit();
        }
    }

    /** Disconnects the chunk ports: features behind them are not available until data is attached again. */
    public void detachChunks() {
        lock.lock();
        try {
            chunkMemory.detach();
            chunksChanged();
        } finally {
            exit();
        }
    }

    private void chunksChanged() {
        work = 0;
        for (ChunkPortNode port : chunkPorts) {
            port.attached();
        }
        for (ChunkPortNode port : chunkPorts) {
            changed(port);
        }
    }

    /** Whether the description has features that come as chunks with a frame. */
    public boolean hasChunkPorts() {
        return !chunkPorts.isEmpty();
    }

    /** Grows with every change that was made through this node map, and whenever it is made to forget what it knows. */
    public long changeCount() {
        return changes.get();
    }

    void countChange() {
        changes.incrementAndGet();
    }

    /** Forgets everything that was read. */
    public void invalidateAll() {
        lock.lock();
        try {
            countChange();
            for (BaseNode node : nodes.values()) {
                if (node instanceof AbstractPort) {
                    node.dropCache();
                }
                tell(node);
            }
        } finally {
            exit();
        }
    }

    /** What the node map was made from, for making others. */
    public Description description() {
        return description;
    }

    /** Name of the model, as the description gives it. */
    public String modelName() {
        return description.modelName();
    }

    /** Name of the vendor, as the description gives it. */
    public String vendorName() {
        return description.vendorName();
    }

    /** Version of the schema that the description follows, for example 1.1.0. */
    public String schemaVersion() {
        return description.schemaVersion();
    }

    @Override
    public String toString() {
        return "NodeMap[" + vendorName() + " " + modelName() + ", " + nodes.size() + " nodes]";
    }
}
