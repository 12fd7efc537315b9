package io.peregrine.genapi;

import java.util.Arrays;
import java.util.List;

/** The public face of every integer node, on top of its unchecked reads and writes (R15). */
interface IntegerAccess extends IntegerNode, NumberNode {
    /** The node itself. */
    BaseNode self();

    /** Values that are allowed, in rising order; empty when all in the range are. */
    default long[] allowed() {
        return Numbers.NONE;
    }

    @Override
    default String representation() {
        return self().passedOn("Representation").orElse("PureNumber");
    }

    @Override
    default long value() {
        // In the form that allocates nothing, as it is asked often.
        BaseNode node = self();
        Operations operations = node.context.operations;
        if (operations.tooDeep(node.links)) {
            return operations.onOwnStack(node.links, this::value);
        }
        operations.enter();
        try {
            node.checkReadable();
            return readLong();
        } finally {
            operations.exit();
        }
    }

    @Override
    default long verifiedValue() {
        return self().operateLong(() -> {
            self().checkReadable();
            long value = readLong();
            verify(value);
            return value;
        });
    }

    @Override
    default void imposeMin(long least) {
        self().impose(self().imposedRange().withMin(least));
    }

    @Override
    default void imposeMax(long most) {
        self().impose(self().imposedRange().withMax(most));
    }

    private WholeRange taken(WholeRange range) {
        ImposedRange imposed = self().imposedRange();
        return imposed.none() ? range : range.and(new WholeRange(imposed.minLong(), imposed.maxLong()));
    }

    @Override
    default void set(long value) {
        write(value, true);
    }

    @Override
    default void setUnverified(long value) {
        write(value, false);
    }

    private void write(long value, boolean verify) {
        self().run(() -> {
            self().checkWritable();
            self().writing(verify, () -> {
                if (verify) {
                    verify(value);
                }
                writeLong(value);
            });
        });
    }

    /** The value that is nearest among those the steps allow; half of the way goes away from zero. */
    default long nearest(double value) {
        long whole = NumberNode.round(name(), value);
        long step = stepLong();
        long low = wholeRange().low();
        if (step > 1 && whole > low) {
            long beyond = Long.remainderUnsigned(whole - low, step);
            whole -= beyond;
            if (beyond > step - beyond) {
                whole += step;
            }
        }
        return whole;
    }

    @Override
    default void writeNearest(double value, boolean verify) {
        long nearest = nearest(value);
        if (verify) {
            verify(nearest, wholeRange());
        }
        writeLong(nearest);
    }

    @Override
    default List<Long> validValues() {
        return self().operate(() -> Arrays.stream(allowed()).boxed().toList());
    }

    /** Checks that a value is in a range, and among those listed where any are; gives whether some are. */
    private boolean verify(long value, WholeRange range) {
        WholeRange taken = taken(range);
        if (value < taken.low() || value > taken.high()) {
            throw refused(value, taken.low() + " to " + taken.high());
        }
        long[] allowed = allowed();
        if (allowed.length > 0 && Arrays.binarySearch(allowed, value) < 0) {
            throw refused(value, Arrays.toString(allowed));
        }
        return allowed.length > 0;
    }

    private GenApiRangeException refused(long value, String taken) {
        return new GenApiRangeException(
                "Node " + name() + " does not take " + value + ": it takes " + taken + self().unitAfterNumber());
    }

    @Override
    default void verify(double value) {
        verify(NumberNode.round(name(), value));
    }

    @Override
    default void verify(long value) {
        WholeRange range = wholeRange();
        if (verify(value, range)) {
            return;
        }
        long step = stepLong();
        if (step < 1) {
            throw new GenApiRangeException("Node " + name() + " does not take " + value
                    + ": its description or its device gives a step of " + step + ", which must be 1 or more");
        }
        if (step > 1 && Long.remainderUnsigned(value - range.low(), step) != 0) {
            WholeRange taken = taken(range);
            throw refused(
                    value, taken.low() + " to " + taken.high() + self().unitAfterNumber() + " in steps of " + step);
        }
    }

    @Override
    default long min() {
        return self().operateLong(() -> Math.max(self().imposedRange().minLong(), lowestLong()));
    }

    @Override
    default long max() {
        return self().operateLong(() -> Math.min(self().imposedRange().maxLong(), highestLong()));
    }

    @Override
    default long increment() {
        return self().operateLong(() -> stepLong());
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
        return Numbers.format(value(), representation());
    }

    @Override
    default void setFromText(String text) {
        set(Numbers.parse(name(), text, representation()));
    }
}
