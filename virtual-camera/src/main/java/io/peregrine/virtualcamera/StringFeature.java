package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** A text in UTF-8. See {@link DeviceFeature}. */
public final class StringFeature extends DeviceFeature<StringFeature> {
    private static final int MAX_BYTES = 508;

    private final int maxBytes;
    private String initial = "";

    StringFeature(String name, int maxBytes) {
        super(name);
        if (maxBytes < 1 || maxBytes > MAX_BYTES) {
            throw new VirtualCameraException(name + " can have 1 to " + MAX_BYTES + " bytes, not " + maxBytes);
        }
        this.maxBytes = maxBytes;
    }

    /**
     * Sets the value at start; without it, it is empty.
     *
     * @param value the text
     * @return this
     */
    public StringFeature initial(String value) {
        initial = value;
        return this;
    }

    /**
     * Sets where the value comes from. What is too long is cut.
     *
     * @param source is asked at each read
     * @return this
     */
    public StringFeature get(Supplier<String> source) {
        return reads((index, value) -> put(source.get(), value));
    }

    /**
     * Sets where the value of each instance comes from. What is too long is cut.
     *
     * @param source is asked at each read
     * @return this
     */
    public StringFeature get(IntFunction<String> source) {
        return reads((index, value) -> put(source.apply(index), value));
    }

    /**
     * Sets the receiver of new values.
     *
     * @param sink takes it
     * @return this
     */
    public StringFeature set(Consumer<String> sink) {
        return sets((index, value) -> sink.accept(text(value)));
    }

    /**
     * Sets the receiver of new values of each instance.
     *
     * @param sink takes the instance and the value
     * @return this
     */
    public StringFeature set(Indexed<String> sink) {
        return sets((index, value) -> sink.accept(index, text(value)));
    }

    private void put(String text, ByteBuffer value) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(utf8.length, maxBytes);
        while (length < utf8.length && length > 0 && (utf8[length] & 0xC0) == 0x80) {
            length--; // not in the middle of a character
        }
        value.put(0, Arrays.copyOf(Arrays.copyOf(utf8, length), value.capacity()));
    }

    private static String text(ByteBuffer value) {
        byte[] utf8 = new byte[value.capacity()];
        value.get(0, utf8);
        int end = 0;
        while (end < utf8.length && utf8[end] != 0) {
            end++;
        }
        return new String(utf8, 0, end, StandardCharsets.UTF_8);
    }

    @Override
    StringFeature self() {
        return this;
    }

    @Override
    int bytes() {
        return (maxBytes + 3) & ~3;
    }

    @Override
    void initial(ByteBuffer value) {
        if (initial.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
            throw new VirtualCameraException(name() + " has at most " + maxBytes + " bytes, not: " + initial);
        }
        put(initial, value);
    }

    @Override
    void check(ByteBuffer value) throws RegisterException {
        for (int i = maxBytes; i < value.capacity(); i++) {
            require(value.get(i) == 0);
        }
    }

    @Override
    void describe(NodeWriter writer, int address, List<String> selected) {
        writer.begin("StringReg", name(), toolTip());
        location(writer, address);
        writer.end("StringReg");
    }
}
