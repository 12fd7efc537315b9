package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.IntToDoubleFunction;

/** A floating-point number of 64 bits. See {@link DeviceFeature}. */
public final class FloatFeature extends DeviceFeature<FloatFeature> {
    private double min = Double.NEGATIVE_INFINITY;
    private double max = Double.POSITIVE_INFINITY;
    private double initial = Double.NaN;
    private String unit = "";

    FloatFeature(String name) {
        super(name);
    }

    /**
     * Sets which values there are.
     *
     * @param lowest the lowest value
     * @param highest the highest value
     * @return this
     */
    public FloatFeature range(double lowest, double highest) {
        if (!(lowest <= highest) || Double.isInfinite(lowest) || Double.isInfinite(highest)) {
            throw new VirtualCameraException(name() + " cannot be between " + lowest + " and " + highest);
        }
        min = lowest;
        max = highest;
        return this;
    }

    /**
     * Sets the unit.
     *
     * @param text such as {@code %}
     * @return this
     */
    public FloatFeature unit(String text) {
        unit = Objects.requireNonNull(text, "text");
        return this;
    }

    /**
     * Sets the value at start; without it, it is 0, or the nearest value to it.
     *
     * @param value the value
     * @return this
     */
    public FloatFeature initial(double value) {
        initial = value;
        return this;
    }

    /**
     * Sets where the value comes from.
     *
     * @param source is asked at each read
     * @return this
     */
    public FloatFeature get(DoubleSupplier source) {
        return reads((index, value) -> value.putDouble(0, source.getAsDouble()));
    }

    /**
     * Sets where the value of each instance comes from.
     *
     * @param source is asked at each read
     * @return this
     */
    public FloatFeature get(IntToDoubleFunction source) {
        return reads((index, value) -> value.putDouble(0, source.applyAsDouble(index)));
    }

    /**
     * Sets the receiver of new values.
     *
     * @param sink takes it
     * @return this
     */
    public FloatFeature set(DoubleConsumer sink) {
        return sets((index, value) -> sink.accept(value.getDouble(0)));
    }

    /**
     * Sets the receiver of new values of each instance.
     *
     * @param sink takes the instance and the value
     * @return this
     */
    public FloatFeature set(Indexed<Double> sink) {
        return sets((index, value) -> sink.accept(index, value.getDouble(0)));
    }

    @Override
    FloatFeature self() {
        return this;
    }

    @Override
    int bytes() {
        return Double.BYTES;
    }

    @Override
    void initial(ByteBuffer value) {
        double start = Double.isNaN(initial) ? Math.max(min, Math.min(max, 0)) : initial;
        if (!(start >= min && start <= max)) {
            throw new VirtualCameraException(
                    name() + " cannot start at " + start + ": give an initial value between " + min + " and " + max);
        }
        value.putDouble(0, start);
    }

    @Override
    void check(ByteBuffer value) throws RegisterException {
        double wanted = value.getDouble(0);
        require(wanted >= min && wanted <= max);
    }

    @Override
    void describe(NodeWriter writer, int address, List<String> selected) {
        writer.begin("Float", name(), toolTip()).element("pValue", NodeWriter.register(name()));
        if (Double.isFinite(min)) {
            writer.element("Min", Double.toString(min)).element("Max", Double.toString(max));
        }
        writer.unit(unit).end("Float");
        writer.open("FloatReg", NodeWriter.register(name()), "Custom");
        location(writer, address);
        writer.element("Endianess", "BigEndian").end("FloatReg");
    }
}
