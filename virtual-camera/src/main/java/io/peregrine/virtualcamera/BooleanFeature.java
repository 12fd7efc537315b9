package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/** A switch. See {@link DeviceFeature}. */
public final class BooleanFeature extends DeviceFeature<BooleanFeature> {
    private boolean initial;

    BooleanFeature(String name) {
        super(name);
    }

    /**
     * Sets the value at start; without it, it is false.
     *
     * @param value the value
     * @return this
     */
    public BooleanFeature initial(boolean value) {
        initial = value;
        return this;
    }

    /**
     * Sets where the value comes from.
     *
     * @param source is asked at each read
     * @return this
     */
    public BooleanFeature get(BooleanSupplier source) {
        return reads((index, value) -> value.putInt(0, source.getAsBoolean() ? 1 : 0));
    }

    /**
     * Sets where the value of each instance comes from.
     *
     * @param source is asked at each read
     * @return this
     */
    public BooleanFeature get(IntPredicate source) {
        return reads((index, value) -> value.putInt(0, source.test(index) ? 1 : 0));
    }

    /**
     * Sets the receiver of new values.
     *
     * @param sink takes it
     * @return this
     */
    public BooleanFeature set(Consumer<Boolean> sink) {
        return sets((index, value) -> sink.accept(value.getInt(0) == 1));
    }

    /**
     * Sets the receiver of new values of each instance.
     *
     * @param sink takes the instance and the value
     * @return this
     */
    public BooleanFeature set(Indexed<Boolean> sink) {
        return sets((index, value) -> sink.accept(index, value.getInt(0) == 1));
    }

    @Override
    BooleanFeature self() {
        return this;
    }

    @Override
    int bytes() {
        return Integer.BYTES;
    }

    @Override
    void initial(ByteBuffer value) {
        value.putInt(0, initial ? 1 : 0);
    }

    @Override
    void check(ByteBuffer value) throws RegisterException {
        require(value.getInt(0) == 0 || value.getInt(0) == 1);
    }

    @Override
    void describe(NodeWriter writer, int address, List<String> selected) {
        writer.begin("Boolean", name(), toolTip())
                .element("pValue", NodeWriter.register(name()))
                .element("OnValue", "1")
                .element("OffValue", "0")
                .end("Boolean");
        integerRegister(writer, address, "Unsigned");
    }
}
