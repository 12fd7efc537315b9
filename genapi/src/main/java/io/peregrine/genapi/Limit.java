package io.peregrine.genapi;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A limit or increment of a number: a literal or another node. */
final class Limit {
    private final OptionalLong whole;
    private final OptionalDouble real;
    private final @Nullable Link link;

    private static final Limit NONE = new Limit(OptionalLong.empty(), OptionalDouble.empty(), null);

    private Limit(OptionalLong whole, OptionalDouble real, @Nullable Link link) {
        this.whole = whole;
        this.real = real;
        this.link = link;
    }

    /**
     * The limit of a node.
     *
     * @param literal property that has it as a number
     * @param linked property that names a node
     */
    static Limit of(BaseNode node, String literal, String linked) {
        String text = node.element.valueOrNull(literal);
        Link link = node.link(linked);
        if (text == null || text.isEmpty()) {
            return link == null ? NONE : new Limit(OptionalLong.empty(), OptionalDouble.empty(), link);
        }
        // Where an integer was expected, and a real number is written, what is inside it counts.
        return new Limit(Numbers.whole(text), OptionalDouble.of(Numbers.parseDouble(node.name, text)), link);
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
        if (!node.isFloat()) {
            return OptionalLong.of(node.readLong());
        }
        double value = node.readDouble();
        return Double.isNaN(value) ? OptionalLong.empty() : OptionalLong.of(inwards(value, upwards));
    }

    /** What must be there for the number to be there: a node that is the limit, though it need not be readable. */
    AccessMode access() {
        AccessMode mode = link == null ? AccessMode.RW : link.access();
        return mode == AccessMode.NI || mode == AccessMode.NA ? mode : AccessMode.RW;
    }

    private static long inwards(double value, boolean upwards) {
        return (long) (upwards ? Math.ceil(value) : Math.floor(value));
    }

    OptionalDouble real() {
        if (real.isPresent()) {
            return real;
        }
        if (link == null || !link.access().readable()) {
            return OptionalDouble.empty();
        }
        double value = link.number().readDouble();
        return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
