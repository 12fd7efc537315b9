package io.peregrine.genapi;

/** The public face of every integer node, on top of its unchecked reads and writes (R15). */
interface IntegerAccess extends IntegerNode, NumberNode {
    /** The node itself. */
    BaseNode self();

    /** How the value is shown, from the node or what lies below. */
    default String shownAs() {
        BaseNode node = self();
        return node.element
                .value("Representation")
                .or(() -> node.link("pValue")
                        .filter(IntegerAccess.class::isInstance)
                        .map(below -> ((IntegerAccess) below).shownAs()))
                .orElse("PureNumber");
    }

    @Override
    default long value() {
        return self().locked(() -> {
            self().checkReadable();
            return readLong();
        });
    }

    @Override
    default void set(long value) {
        self().lockedRun(() -> {
            self().checkWritable();
            long low = lowestLong();
            long high = highestLong();
            long step = stepLong();
            if (value < low || value > high) {
                throw new GenApiRangeException(
                        "Node " + name() + " does not take " + value + ": it takes " + low + " to " + high);
            }
            if (step > 1 && Long.remainderUnsigned(value - low, step) != 0) {
                throw new GenApiRangeException("Node " + name() + " does not take " + value + ": it takes " + low
                        + " to " + high + " in steps of " + step);
            }
            writeLong(value);
        });
    }

    @Override
    default long min() {
        return self().locked(this::lowestLong);
    }

    @Override
    default long max() {
        return self().locked(this::highestLong);
    }

    @Override
    default long increment() {
        return self().locked(this::stepLong);
    }

    @Override
    default boolean isFloat() {
        return false;
    }

    @Override
    default double readDouble() {
        return readLong();
    }

    @Override
    default void writeDouble(double value) {
        writeLong(NumberNode.round(name(), value));
    }

    @Override
    default String valueAsText() {
        return Numbers.format(value(), shownAs());
    }

    @Override
    default void setFromText(String text) {
        set(Numbers.parse(name(), text, shownAs()));
    }
}
