package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where an Integer or Float has its value: a literal, another node, or one of several chosen by an index (R14). */
final class NumberSource {
    private static final String[] NARROWING = {"Min", "Max", "Inc", "pMin", "pMax", "pInc", "ValidValueSet"};

    /** One place: a node, or an own number. */
    private static final class Place {
        private final @Nullable Link link;
        private long whole;
        private double real;

        Place(@Nullable Link link) {
            this.link = link;
        }
    }

    private static final Set<String> PLACES =
            Set.of("Value", "pValue", "ValueIndexed", "pValueIndexed", "ValueDefault", "pValueDefault");

    private final BaseNode node;
    private final boolean real;
    private final @Nullable Link index;
    private final Map<Long, Place> choices = new HashMap<>(0);
    private final List<Link> copies;
    /** How many of the copies stand in front of the value, and are written before it (R14). */
    private final int copiesBefore;

    private @Nullable Place single;

    NumberSource(BaseNode node, boolean real) {
        this.node = node;
        this.real = real;
        index = node.link("pIndex");
        copies = node.links("pValueCopy");
        copiesBefore = copies.isEmpty() ? 0 : copiesBefore(node.element);
        if (index == null) {
            String literal = node.pValue == null ? node.element.valueOrNull("Value") : null;
            single = node.pValue != null ? new Place(node.pValue) : literal == null ? null : literal(literal);
            return;
        }
        for (Element child : node.element.children()) {
            switch (child.name()) {
                case "ValueIndexed" -> choices.putIfAbsent(number(child), literal(child.text()));
                case "pValueIndexed" -> choices.putIfAbsent(number(child), new Place(new Link(node, child.text())));
                case "ValueDefault" -> single = literal(child.text());
                case "pValueDefault" -> single = new Place(new Link(node, child.text()));
                default -> {}
            }
        }
    }

    private static int copiesBefore(Element element) {
        int count = 0;
        for (Element child : element.children()) {
            if (PLACES.contains(child.name())) {
                break;
            }
            count += child.name().equals("pValueCopy") ? 1 : 0;
        }
        return count;
    }

    private Long number(Element choice) {
        String text = choice.attributeOrNull("Index");
        if (text == null) {
            throw new GenApiException("Node " + node.name + " has a choice without Index");
        }
        return Numbers.parseLong(node.name, text);
    }

    private Place literal(String text) {
        Place place = new Place(null);
        if (real) {
            place.real = Numbers.parseDouble(node.name, text);
        } else {
            place.whole = Numbers.parseLong(node.name, text);
        }
        return place;
    }

    AccessMode access() {
        if (index != null && !index.access().readable()) {
            return index.access() == AccessMode.NI ? AccessMode.NI : AccessMode.NA;
        }
        Place place = placeOrNull();
        if (place == null) {
            return index == null ? AccessMode.NI : AccessMode.NA;
        }
        return place.link == null ? AccessMode.RW : place.link.access();
    }

    CachingMode caching() {
        CachingMode mode = CachingMode.WRITE_THROUGH;
        if (index != null) {
            mode = weaker(mode, index);
        }
        if (single != null && single.link != null) {
            mode = weaker(mode, single.link);
        }
        for (Place place : choices.values()) {
            if (place.link != null) {
                mode = weaker(mode, place.link);
            }
        }
        for (Link copy : copies) {
            mode = weaker(mode, copy);
        }
        return mode;
    }

    private static CachingMode weaker(CachingMode mode, Link link) {
        BaseNode target = link.nodeOrNull();
        return target == null ? mode : mode.weaker(target.cachingOnce());
    }

    private @Nullable Place placeOrNull() {
        if (index == null) {
            return single;
        }
        Place chosen = choices.get(index.number().readLong());
        return chosen == null ? single : chosen;
    }

    private Place place() {
        Place place = placeOrNull();
        if (place == null) {
            throw new GenApiAccessException(
                    index == null
                            ? "Node " + node.name + " has no value"
                            : "Node " + node.name + " has no value for its index "
                                    + index.number().readLong());
        }
        return place;
    }

    /** The node that holds the value now, or null when it is a literal. */
    @Nullable
    NumberNode targetOrNull() {
        Place place = placeOrNull();
        return place == null || place.link == null ? null : place.link.number();
    }

    long readLong() {
        Place place = place();
        return place.link != null ? place.link.number().readLong() : place.whole;
    }

    double readDouble() {
        Place place = place();
        return place.link != null ? place.link.number().readDouble() : place.real;
    }

    /** Whether the node takes all that the one below takes, so that a value is checked once for both. */
    boolean addsNothing() {
        return index == null && copies.isEmpty() && node.pValue != null && !narrows(node.element);
    }

    private static boolean narrows(Element element) {
        for (String property : NARROWING) {
            if (element.has(property)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Writes a whole number.
     *
     * @param value the number
     * @param checked whether it was checked against all that the node below takes
     */
    void writeLong(long value, boolean checked) {
        Place place = place();
        if (checked && place.link != null) {
            place.link.writeChecked(value);
        } else {
            write(place.link, link -> link.write(value), () -> place.whole = value);
        }
        node.context.changes.changed(node);
    }

    /**
     * Writes a real number.
     *
     * @param value the number
     * @param checked whether it was checked against all that the node below takes
     */
    void writeDouble(double value, boolean checked) {
        Place place = place();
        if (checked && place.link != null) {
            place.link.writeChecked(value);
        } else {
            write(place.link, link -> link.write(value), () -> place.real = value);
        }
        node.context.changes.changed(node);
    }

    /** Writes the value and its copies, in their order. */
    private void write(@Nullable Link value, Consumer<Link> write, Runnable keep) {
        copies.subList(0, copiesBefore).forEach(write);
        if (value != null) {
            write.accept(value);
        } else {
            keep.run();
        }
        copies.subList(copiesBefore, copies.size()).forEach(write);
    }

    List<NumberNode> limiting() {
        List<NumberNode> found = new ArrayList<>(1 + copies.size());
        NumberNode target = targetOrNull();
        if (target != null) {
            found.add(target);
        }
        for (Link copy : copies) {
            found.add(copy.number());
        }
        return found;
    }
}
