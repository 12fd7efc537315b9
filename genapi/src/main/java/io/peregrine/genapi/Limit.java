package io.peregrine.genapi;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A limit or increment of a number: a literal or another node. */
final class Limit {
    private final OptionalLong whole;
    private final OptionalDouble real;
    private final Link link;

    Limit(BaseNode node, String literal, String linked) {
        String text = node.element.value(literal).orElse("");
        real = text.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Numbers.parseDouble(node.name, text));
        OptionalLong exact = OptionalLong.empty();
        if (!text.isEmpty()) {
            try {
                exact = OptionalLong.of(Numbers.parseLong(node.name, text));
            } catch (GenApiRangeException e) {
                // Written as a real number, where an integer was expected: what is inside it counts.
                exact = OptionalLong.empty();
            }
        }
        whole = exact;
        link = node.link(linked);
    }

    /** The limit among whole numbers; one that is not whole is rounded inwards (R15). */
    OptionalLong whole(boolean upwards) {
        if (whole.isPresent()) {
            return whole;
        }
        if (real.isPresent()) {
            return OptionalLong.of(inwards(real.getAsDouble(), upwards));
        }
        if (link == null || !link.access().readable()) {
            return OptionalLong.empty();
        }
        NumberNode node = link.number();
        return OptionalLong.of(node.isFloat() ? inwards(node.readDouble(), upwards) : node.readLong());
    }

    private static long inwards(double value, boolean upwards) {
        return (long) (upwards ? Math.ceil(value) : Math.floor(value));
    }

    OptionalDouble real() {
        if (real.isPresent()) {
            return real;
        }
        return link == null || !link.access().readable()
                ? OptionalDouble.empty()
                : OptionalDouble.of(link.number().readDouble());
    }
}
