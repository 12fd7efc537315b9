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
        BaseNode node = self();
        node.map.enter(node);
        try {
            node.checkReadable();
            return readLong();
        } finally {
            node.map.exit();
        }
    }

    @Override
    default long verifiedValue() {
        BaseNode node = self();
        node.map.enter(node);
        try {
            node.checkReadable();
            long value = readLong();
            verify(value);
            return value;
        } finally {
            node.map.exit();
        }
    }

    @Override
    default void imposeMin(long least) {
        self().impose(self().imposedRange().withMin(least));
    }

    @Override
    default void imposeMax(long most) {
        self().impose(self().imposedRange().withMax(most));
    }

    private long lowestTaken() {
        return Math.max(lowestLong(), self().imposedRange().minLong());
    }

    private long highestTaken() {
        return Math.min(highestLong(), self().imposedRange().maxLong());
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
        BaseNode node = self();
        node.map.enter(node);
        try {
            node.checkWritable();
            node.writing(verify, () -> {
                if (verify) {
                    verify(value);
                }
                writeLong(value);
            });
        } finally {
            node.map.exit();
        }
    }

    /** The value that is nearest among those the steps allow; half of the way goes away from zero. */
    default long nearest(double value) {
        long whole = NumberNode.round(name(), value);
        long step = stepLong();
        long low = lowestLong();
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
    default List<Long> validValues() {
        BaseNode node = self();
        node.map.enter(node);
        try {
            return Arrays.stream(allowed()).boxed().toList();
        } finally {
            node.map.exit();
        }
    }

    /**
     * Checks that a value is among those listed or, where none are, in the range; not that it fits the step.
     *
     * @return whether it is one of a list
     */
    default boolean verifyRange(long value) {
        long low = lowestTaken();
        long high = highestTaken();
        if (value < low || value > high) {
            throw new GenApiRangeException("Node " + name() + " does not take " + value + ": it takes " + low + " to "
                    + high + self().unitAfterNumber());
        }
        long[] allowed = allowed();
        if (allowed.length > 0 && Arrays.binarySearch(allowed, value) < 0) {
            throw new GenApiRangeException("Node " + name() + " does not take " + value + ": it takes "
                    + Arrays.toString(allowed) + self().unitAfterNumber());
        }
        return allowed.length > 0;
    }

    @Override
    default void verify(double value) {
        verify(NumberNode.round(name(), value));
    }

    @Override
    default void verify(long value) {
        if (verifyRange(value)) {
            return;
        }
        long low = lowestLong();
        long high = highestTaken();
        long step = stepLong();
        if (step < 1) {
            throw new GenApiRangeException("Node " + name() + " does not take " + value
                    + ": its description or its device gives a step of " + step + ", which must be 1 or more");
        }
        if (step > 1 && Long.remainderUnsigned(value - low, step) != 0) {
            throw new GenApiRangeException("Node " + name() + " does not take " + value + ": it takes " + low + " to "
                    + high + self().unitAfterNumber() + " in steps of " + step + self().unitAfterNumber());
        }
    }

    @Override
    default long min() {
        BaseNode node = self();
        node.map.enter(node);
        try {
            return lowestTaken();
        } finally {
            node.map.exit();
        }
    }

    @Override
    default long max() {
        BaseNode node = self();
        node.map.enter(node);
        try {
            return highestTaken();
        } finally {
            node.map.exit();
        }
    }

    @Override
    default long increment() {
        BaseNode node = self();
        node.map.enter(node);
        try {
            return stepLong();
        } finally {
            node.map.exit();
        }
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
