package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** What all nodes share: the element they come from, their links, and the algebra of access modes (R1, R2). */
abstract class BaseNode implements Node {
    final NodeMap map;
    final Element element;
    final String name;
    /** Nodes that must forget what they know when this one changes (R8). */
    final Set<BaseNode> dependents = new LinkedHashSet<>();

    private boolean evaluatingAccess;

    BaseNode(NodeMap map, Element element, String name) {
        this.map = map;
        this.element = element;
        this.name = name;
    }

    /** What the kind of node allows by itself, before predicates and imposed mode. */
    abstract AccessMode ownAccess();

    /** Drops what this node itself holds of the device's state. */
    void dropCache() {}

    Optional<BaseNode> link(String child) {
        return element.value(child).flatMap(map::base);
    }

    List<BaseNode> links(String child) {
        List<BaseNode> found = new ArrayList<>();
        for (Element link : element.all(child)) {
            map.base(link.text()).ifPresent(found::add);
        }
        return found;
    }

    BaseNode required(String child) {
        String target =
                element.value(child).orElseThrow(() -> new GenApiException("Node " + name + " has no " + child));
        return map.base(target)
                .orElseThrow(() -> new GenApiAccessException(
                        "Node " + name + " refers to " + target + ", which is not in the camera description"));
    }

    NumberNode number(String child) {
        BaseNode node = required(child);
        if (node instanceof NumberNode number) {
            return number;
        }
        throw new GenApiException("Node " + name + " uses " + node.name + " as a number, but it is a " + node.kind());
    }

    <T> T locked(Supplier<T> action) {
        map.lock.lock();
        try {
            return action.get();
        } catch (StackOverflowError e) {
            throw new GenApiException("Node " + name + " depends on itself in a way that has no end", e);
        } finally {
            map.lock.unlock();
        }
    }

    void lockedRun(Runnable action) {
        locked(() -> {
            action.run();
            return name;
        });
    }

    @Override
    public AccessMode accessMode() {
        return locked(this::access);
    }

    AccessMode access() {
        if (evaluatingAccess) {
            // A cycle through predicates: the inner question must not decide the outer one.
            return AccessMode.RW;
        }
        evaluatingAccess = true;
        try {
            if (map.broken(name)) {
                return AccessMode.NI;
            }
            Optional<Boolean> implemented = predicate("pIsImplemented");
            if (implemented.isPresent() && !implemented.get()) {
                return AccessMode.NI;
            }
            if (unreadablePredicate("pIsImplemented") || unreadablePredicate("pIsLocked")) {
                return AccessMode.NA;
            }
            AccessMode own = ownAccess();
            if (own == AccessMode.NI) {
                return AccessMode.NI;
            }
            if (unreadablePredicate("pIsAvailable")
                    || !predicate("pIsAvailable").orElse(true)) {
                return AccessMode.NA;
            }
            AccessMode mode = own.and(imposed());
            if (predicate("pIsLocked").orElse(false)) {
                mode = mode == AccessMode.RW ? AccessMode.RO : mode == AccessMode.WO ? AccessMode.NA : mode;
            }
            return mode;
        } finally {
            evaluatingAccess = false;
        }
    }

    private AccessMode imposed() {
        return element.value("ImposedAccessMode").map(BaseNode::parseAccess).orElse(AccessMode.RW);
    }

    static AccessMode parseAccess(String text) {
        return switch (text) {
            case "RO", "R" -> AccessMode.RO;
            case "WO", "W" -> AccessMode.WO;
            default -> AccessMode.RW;
        };
    }

    private boolean unreadablePredicate(String child) {
        Optional<BaseNode> node = link(child);
        return element.first(child).isPresent()
                && (node.isEmpty() || !node.get().access().readable());
    }

    private Optional<Boolean> predicate(String child) {
        return link(child)
                .filter(node -> node.access().readable())
                .map(node -> node instanceof NumberNode number && number.readDouble() != 0);
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
                    case NI -> " (not implemented by this device" + map.reason(name) + ")";
                    case NA -> " (not available at present)";
                    case WO -> " (write only)";
                    case RO -> predicate("pIsLocked").orElse(false) ? " (locked at present)" : " (read only)";
                    case RW -> "";
                };
    }

    /** Makes everything that depends on this node forget what it knows. */
    void changed() {
        map.countChange();
        Set<BaseNode> seen = new LinkedHashSet<>();
        List<BaseNode> open = new ArrayList<>(dependents);
        while (!open.isEmpty()) {
            BaseNode node = open.remove(open.size() - 1);
            if (seen.add(node)) {
                node.dropCache();
                open.addAll(node.dependents);
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String kind() {
        return element.name();
    }

    @Override
    public String displayName() {
        return element.value("DisplayName").orElse(name);
    }

    @Override
    public String description() {
        return element.value("Description").orElse("");
    }

    @Override
    public String toolTip() {
        return element.value("ToolTip").orElse("");
    }

    @Override
    public Visibility visibility() {
        return switch (element.value("Visibility").orElse("Beginner").toLowerCase(Locale.ROOT)) {
            case "expert" -> Visibility.EXPERT;
            case "guru" -> Visibility.GURU;
            case "invisible" -> Visibility.INVISIBLE;
            default -> Visibility.BEGINNER;
        };
    }

    @Override
    public List<Node> selected() {
        return List.copyOf(links("pSelected"));
    }

    @Override
    public void invalidate() {
        lockedRun(() -> {
            dropCache();
            link("pValue").ifPresent(BaseNode::dropCache);
            changed();
        });
    }

    @Override
    public Optional<String> unit() {
        return element.value("Unit").or(() -> link("pValue").flatMap(Node::unit));
    }

    @Override
    public String toString() {
        return kind() + " " + name;
    }
}
