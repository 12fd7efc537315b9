package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** A choice among names; as a register it is the number of the entry, from 0 on. See {@link DeviceFeature}. */
public final class EnumerationFeature extends DeviceFeature<EnumerationFeature> {
    private final List<String> entries;
    private String initial;
    private int first;

    EnumerationFeature(String name, String... entries) {
        super(name);
        this.entries = List.of(entries);
        if (entries.length == 0) {
            throw new VirtualCameraException(name + " needs at least one entry");
        }
        this.entries.forEach(DeviceFeature::checkName);
        if (Set.copyOf(this.entries).size() != entries.length) {
            throw new VirtualCameraException(name + " has an entry twice: " + this.entries);
        }
        initial = entries[0];
    }

    /**
     * Sets the value at start; without it, it is the first.
     *
     * @param entry name of the value
     * @return this
     */
    public EnumerationFeature initial(String entry) {
        initial = entry;
        return this;
    }

    /**
     * Sets where the value comes from.
     *
     * @param source is asked at each read, and gives the name of an entry
     * @return this
     */
    public EnumerationFeature get(Supplier<String> source) {
        return reads((index, value) -> value.putInt(0, number(source.get())));
    }

    /**
     * Sets where the value of each instance comes from.
     *
     * @param source is asked at each read, and gives the name of an entry
     * @return this
     */
    public EnumerationFeature get(IntFunction<String> source) {
        return reads((index, value) -> value.putInt(0, number(source.apply(index))));
    }

    /**
     * Sets the receiver of new values.
     *
     * @param sink takes the name of the entry
     * @return this
     */
    public EnumerationFeature set(Consumer<String> sink) {
        return sets((index, value) -> sink.accept(entry(value)));
    }

    /**
     * Sets the receiver of new values of each instance.
     *
     * @param sink takes the instance and the name of the entry
     * @return this
     */
    public EnumerationFeature set(Indexed<String> sink) {
        return sets((index, value) -> sink.accept(index, entry(value)));
    }

    List<String> entries() {
        return entries;
    }

    /** Numbers the entries from another value than 0 on. Such a choice selects nothing. */
    EnumerationFeature numberedFrom(int value) {
        first = value;
        return this;
    }

    private String entry(ByteBuffer value) {
        return entries.get(value.getInt(0) - first);
    }

    private int number(String entry) {
        int number = entries.indexOf(entry);
        if (number < 0) {
            throw new VirtualCameraException(name() + " must be one of " + entries + ", not " + entry);
        }
        return first + number;
    }

    @Override
    EnumerationFeature self() {
        return this;
    }

    @Override
    int bytes() {
        return Integer.BYTES;
    }

    @Override
    void initial(ByteBuffer value) {
        value.putInt(0, number(initial));
    }

    @Override
    void check(ByteBuffer value) throws RegisterException {
        require(value.getInt(0) >= first && value.getInt(0) < first + entries.size());
    }

    @Override
    void describe(NodeWriter writer, int address, List<String> selected) {
        writer.begin("Enumeration", name(), toolTip());
        for (int i = 0; i < entries.size(); i++) {
            writer.entry(entries.get(i), first + i);
        }
        writer.element("pValue", NodeWriter.register(name()));
        selected.forEach(feature -> writer.element("pSelected", feature));
        writer.end("Enumeration");
        integerRegister(writer, address, "Unsigned");
    }
}
