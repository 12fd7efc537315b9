package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** A whole number of 64 bits. See {@link DeviceFeature}. */
public final class IntegerFeature extends DeviceFeature<IntegerFeature> {
    private long min = Long.MIN_VALUE;
    private long max = Long.MAX_VALUE;
    private long increment = 1;
    private long initial;
    private boolean initialGiven;
    private String unit = "";

    IntegerFeature(String name) {
        super(name);
    }

    /**
     * Sets which values there are.
     *
     * @param lowest the lowest value
     * @param highest the highest value
     * @return this
     */
    public IntegerFeature range(long lowest, long highest) {
        if (lowest > highest) {
            throw new VirtualCameraException(name() + " cannot be between " + lowest + " and " + highest);
        }
        min = lowest;
        max = highest;
        return this;
    }

    /**
     * Sets the distance of the values, counted from the lowest.
     *
     * @param step at least 1
     * @return this
     */
    public IntegerFeature increment(long step) {
        if (step < 1) {
            throw new VirtualCameraException(name() + " needs an increment of at least 1, not " + step);
        }
        increment = step;
        return this;
    }

    /**
     * Sets the unit.
     *
     * @param text such as {@code us}
     * @return this
     */
    public IntegerFeature unit(String text) {
        unit = Objects.requireNonNull(text, "text");
        return this;
    }

    /**
     * Sets the value at start; without it, it is 0, or the lowest value where 0 is none.
     *
     * @param value the value
     * @return this
     */
    public IntegerFeature initial(long value) {
        initial = value;
        initialGiven = true;
        return this;
    }

    /**
     * Sets where the value comes from.
     *
     * @param source is asked at each read
     * @return this
     */
    public IntegerFeature get(LongSupplier source) {
        return reads((index, value) -> value.putLong(0, source.getAsLong()));
    }

    /**
     * Sets where the value of each instance comes from.
     *
     * @param source is asked at each read
     * @return this
     */
    public IntegerFeature get(IntToLongFunction source) {
        return reads((index, value) -> value.putLong(0, source.applyAsLong(index)));
    }

    /**
     * Sets the receiver of new values.
     *
     * @param sink takes it
     * @return this
     */
    public IntegerFeature set(LongConsumer sink) {
        return sets((index, value) -> sink.accept(value.getLong(0)));
    }

    /**
     * Sets the receiver of new values of each instance.
     *
     * @param sink takes the instance and the value
     * @return this
     */
    public IntegerFeature set(Indexed<Long> sink) {
        return sets((index, value) -> sink.accept(index, value.getLong(0)));
    }

    @Override
    IntegerFeature self() {
        return this;
    }

    @Override
    int bytes() {
        return Long.BYTES;
    }

    @Override
    void initial(ByteBuffer value) {
        long start = initialGiven ? initial : Math.max(min, Math.min(max, 0));
        if (!fits(start)) {
            throw new VirtualCameraException(name() + " cannot start at " + start + ": give an initial value between "
                    + min + " and " + max + " in steps of " + increment);
        }
        value.putLong(0, start);
    }

    /** The distance to the lowest value may need all 64 bits. */
    private boolean fits(long value) {
        return value >= min && value <= max && Long.remainderUnsigned(value - min, increment) == 0;
    }

    @Override
    void check(ByteBuffer value) throws RegisterException {
        require(fits(value.getLong(0)));
    }

    @Override
    void describe(NodeWriter writer, int address, List<String> selected) {
        writer.begin("Integer", name(), toolTip()).element("pValue", NodeWriter.register(name()));
        if (min != Long.MIN_VALUE) {
            writer.element("Min", Long.toString(min));
        }
        if (max != Long.MAX_VALUE) {
            writer.element("Max", Long.toString(max));
        }
        if (increment != 1) {
            writer.element("Inc", Long.toString(increment));
        }
        writer.unit(unit).end("Integer");
        integerRegister(writer, address, "Signed");
    }
}
