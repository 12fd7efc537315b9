package io.peregrine.genapi;

import java.util.Optional;
import java.util.OptionalLong;

/** Integer: a value of its own, of another node, or chosen by an index (R14). */
final class IntegerImpl extends BaseNode implements IntegerAccess {
    private long own;
    private boolean readingLimits;

    IntegerImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
        own = element.value("Value").map(text -> Numbers.parseLong(name, text)).orElse(0L);
    }

    @Override
    public BaseNode self() {
        return this;
    }

    @Override
    AccessMode ownAccess() {
        Optional<BaseNode> target = target();
        if (target.isPresent()) {
            return target.get().access();
        }
        return element.first("Value").isPresent() || element.first("pIndex").isPresent()
                ? AccessMode.RW
                : AccessMode.NI;
    }

    /** The node that holds the value now; empty when it is a literal. */
    private Optional<BaseNode> target() {
        if (element.first("pIndex").isPresent()) {
            String index = Long.toString(number("pIndex").readLong());
            for (Element choice : element.all("pValueIndexed")) {
                if (choice.attribute("Index")
                        .map(String::strip)
                        .filter(index::equals)
                        .isPresent()) {
                    return map.base(choice.text());
                }
            }
            return element.all("ValueIndexed").stream()
                            .anyMatch(choice -> choice.attribute("Index")
                                    .map(String::strip)
                                    .filter(index::equals)
                                    .isPresent())
                    ? Optional.empty()
                    : link("pValueDefault");
        }
        return link("pValue");
    }

    private Optional<NumberNode> numberTarget() {
        return target().map(node -> {
            if (node instanceof NumberNode number) {
                return number;
            }
            throw new GenApiException("Node " + name + " uses " + node.name + " as a number");
        });
    }

    @Override
    public long readLong() {
        Optional<NumberNode> target = numberTarget();
        if (target.isPresent()) {
            return target.get().readLong();
        }
        if (element.first("pIndex").isPresent()) {
            String index = Long.toString(number("pIndex").readLong());
            for (Element choice : element.all("ValueIndexed")) {
                if (choice.attribute("Index")
                        .map(String::strip)
                        .filter(index::equals)
                        .isPresent()) {
                    return Numbers.parseLong(name, choice.text());
                }
            }
            return Numbers.parseLong(name, element.value("ValueDefault").orElse("0"));
        }
        return own;
    }

    @Override
    public void writeLong(long value) {
        Optional<NumberNode> target = numberTarget();
        if (target.isPresent()) {
            target.get().writeLong(value);
        } else {
            own = value;
        }
        for (BaseNode copy : links("pValueCopy")) {
            if (copy instanceof NumberNode number) {
                number.writeLong(value);
            }
        }
        changed();
    }

    private OptionalLong limit(String literal, String linked, boolean low) {
        Optional<String> text = element.value(literal);
        if (text.isPresent()) {
            return OptionalLong.of(Numbers.parseLong(name, text.get()));
        }
        if (link(linked).orElse(null) instanceof NumberNode number && number.readable()) {
            // Limits that are not whole are rounded inwards (R15).
            return OptionalLong.of(
                    number.isFloat()
                            ? (long) (low ? Math.ceil(number.readDouble()) : Math.floor(number.readDouble()))
                            : number.readLong());
        }
        return OptionalLong.empty();
    }

    @Override
    public long lowestLong() {
        return bounded(true);
    }

    @Override
    public long highestLong() {
        return bounded(false);
    }

    private long bounded(boolean low) {
        long open = low ? Long.MIN_VALUE : Long.MAX_VALUE;
        if (readingLimits) {
            // One real camera has limits that depend on each other in a circle (R33).
            return open;
        }
        readingLimits = true;
        try {
            long below = numberTarget()
                    .map(node -> low ? node.lowestLong() : node.highestLong())
                    .orElse(open);
            OptionalLong here = limit(low ? "Min" : "Max", low ? "pMin" : "pMax", low);
            if (here.isEmpty()) {
                return below;
            }
            return low ? Math.max(below, here.getAsLong()) : Math.min(below, here.getAsLong());
        } finally {
            readingLimits = false;
        }
    }

    @Override
    public long stepLong() {
        long step = limit("Inc", "pInc", true)
                .orElseGet(() -> numberTarget().map(NumberNode::stepLong).orElse(1L));
        return Math.max(1, step);
    }
}
