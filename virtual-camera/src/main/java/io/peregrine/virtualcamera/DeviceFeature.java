package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A feature of a device of one's own, see {@link VirtualDevice}: its name, what values it has, and what reads and sets
 * it.
 *
 * <ul>
 *   <li>With {@code get} and {@code set}, each access of an application calls them.
 *   <li>With {@code get} alone, the feature is a live value that cannot be set.
 *   <li>With {@code set} alone or with neither, the device keeps the value, from {@code initial} on.
 * </ul>
 *
 * <p>They are called on the thread that answers control packets, one at a time: keep them short. A {@code set} refuses
 * a value by an {@link IllegalArgumentException} (the application sees INVALID_PARAMETER), and a value at this moment
 * by an {@link IllegalStateException} (BUSY); the feature keeps its value then. Every other exception is an error of
 * the device.
 *
 * @param <S> kind of the feature
 */
public abstract sealed class DeviceFeature<S extends DeviceFeature<S>> {
    /**
     * Takes the value of one of several instances.
     *
     * @param <T> type of the value
     */
    @FunctionalInterface
    public interface Indexed<T> {
        /**
         * Takes a value.
         *
         * @param index which instance, from 0 on
         * @param value the value
         */
        void accept(int index, T value);
    }

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

    /** What does the work behind a register; the buffer holds one value, big-endian. */
    @FunctionalInterface
    interface Access {
        void run(int index, ByteBuffer value);
    }

    private final String name;
    private String toolTip = "";
    private String selector = "";
    private boolean readOnly;
    private Optional<Access> getter = Optional.empty();
    private Optional<Access> setter = Optional.empty();

    private DeviceFeature(String name) {
        this.name = checkName(name);
    }

    static String checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new VirtualCameraException(
                    "A feature needs a name of letters, digits and underscores that begins with a letter, not: "
                            + name);
        }
        return name;
    }

    /**
     * Starts a whole number.
     *
     * @param name name of the feature, as the standard feature naming convention has it where it has one
     * @return the feature
     */
    public static OfInteger integer(String name) {
        return new OfInteger(name);
    }

    /**
     * Starts a floating-point number.
     *
     * @param name name of the feature
     * @return the feature
     */
    public static OfFloat floating(String name) {
        return new OfFloat(name);
    }

    /**
     * Starts a switch.
     *
     * @param name name of the feature
     * @return the feature
     */
    public static OfBoolean bool(String name) {
        return new OfBoolean(name);
    }

    /**
     * Starts a choice. It can select among instances of other features, see {@link #selectedBy}.
     *
     * @param name name of the feature
     * @param entries names of the values, with the first for the start
     * @return the feature
     */
    public static OfEnumeration enumeration(String name, String... entries) {
        return new OfEnumeration(name, entries);
    }

    /**
     * Starts a text.
     *
     * @param name name of the feature
     * @param maxBytes longest text in UTF-8, 1 to 508 bytes
     * @return the feature
     */
    public static OfString string(String name, int maxBytes) {
        return new OfString(name, maxBytes);
    }

    /**
     * Makes a command.
     *
     * @param name name of the feature
     * @param action what it does; may refuse as a {@code set} does
     * @return the feature
     */
    public static OfCommand command(String name, Runnable action) {
        return new OfCommand(name, action);
    }

    /**
     * Explains the feature.
     *
     * @param text one sentence
     * @return this
     */
    public S toolTip(String text) {
        toolTip = Objects.requireNonNull(text, "text");
        return self();
    }

    /**
     * Keeps applications from setting the feature.
     *
     * @return this
     */
    public S readOnly() {
        readOnly = true;
        return self();
    }

    /**
     * Gives the feature one instance for each entry of an enumeration of the same device, and lets the applications
     * select among them by it. The instances are numbered from 0 on.
     *
     * @param enumeration name of the enumeration
     * @return this
     */
    public S selectedBy(String enumeration) {
        selector = checkName(enumeration);
        return self();
    }

    abstract S self();

    /** Bytes of one value, a multiple of 4. */
    abstract int bytes();

    /** Value at start. */
    abstract void initial(ByteBuffer value);

    /** Throws when an application must not set the value. */
    abstract void check(ByteBuffer value) throws RegisterException;

    /** Writes the node and its register. */
    abstract void describe(DescriptionWriter writer, DescriptionWriter.Placed placed);

    String name() {
        return name;
    }

    String toolTip() {
        return toolTip;
    }

    /** Name of the selector, or empty. */
    String selector() {
        return selector;
    }

    boolean writable() {
        return !readOnly && (setter.isPresent() || getter.isEmpty());
    }

    /** Whether the value may differ at each look. */
    boolean live() {
        return getter.isPresent();
    }

    Optional<Access> getter() {
        return getter;
    }

    Optional<Access> setter() {
        return setter;
    }

    S reads(Access access) {
        getter = Optional.of(access);
        return self();
    }

    S sets(Access access) {
        setter = Optional.of(access);
        return self();
    }

    private static void require(boolean valid) throws RegisterException {
        if (!valid) {
            throw new RegisterException(Gvcp.INVALID_PARAMETER);
        }
    }

    /** A whole number of 64 bits. */
    public static final class OfInteger extends DeviceFeature<OfInteger> {
        private long min = Long.MIN_VALUE;
        private long max = Long.MAX_VALUE;
        private long increment = 1;
        private long initial;
        private boolean initialGiven;
        private String unit = "";

        private OfInteger(String name) {
            super(name);
        }

        /**
         * Sets which values there are.
         *
         * @param lowest the lowest value
         * @param highest the highest value
         * @return this
         */
        public OfInteger range(long lowest, long highest) {
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
        public OfInteger increment(long step) {
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
        public OfInteger unit(String text) {
            unit = Objects.requireNonNull(text, "text");
            return this;
        }

        /**
         * Sets the value at start; without it, it is 0, or the lowest value where 0 is none.
         *
         * @param value the value
         * @return this
         */
        public OfInteger initial(long value) {
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
        public OfInteger get(LongSupplier source) {
            return reads((index, value) -> value.putLong(0, source.getAsLong()));
        }

        /**
         * Sets where the value of each instance comes from.
         *
         * @param source is asked at each read
         * @return this
         */
        public OfInteger get(IntToLongFunction source) {
            return reads((index, value) -> value.putLong(0, source.applyAsLong(index)));
        }

        /**
         * Sets who is told a new value.
         *
         * @param sink takes it
         * @return this
         */
        public OfInteger set(LongConsumer sink) {
            return sets((index, value) -> sink.accept(value.getLong(0)));
        }

        /**
         * Sets who is told a new value of an instance.
         *
         * @param sink takes the instance and the value
         * @return this
         */
        public OfInteger set(Indexed<Long> sink) {
            return sets((index, value) -> sink.accept(index, value.getLong(0)));
        }

        @Override
        OfInteger self() {
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
                throw new VirtualCameraException(name() + " cannot start at " + start
                        + ": give an initial value between " + min + " and " + max + " in steps of " + increment);
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
        void describe(DescriptionWriter writer, DescriptionWriter.Placed placed) {
            writer.begin("Integer", this).element("pValue", DescriptionWriter.register(this));
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
            writer.integerRegister(placed, "Signed");
        }
    }

    /** A floating-point number of 64 bits. */
    public static final class OfFloat extends DeviceFeature<OfFloat> {
        private double min = Double.NEGATIVE_INFINITY;
        private double max = Double.POSITIVE_INFINITY;
        private double initial = Double.NaN;
        private String unit = "";

        private OfFloat(String name) {
            super(name);
        }

        /**
         * Sets which values there are.
         *
         * @param lowest the lowest value
         * @param highest the highest value
         * @return this
         */
        public OfFloat range(double lowest, double highest) {
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
        public OfFloat unit(String text) {
            unit = Objects.requireNonNull(text, "text");
            return this;
        }

        /**
         * Sets the value at start; without it, it is 0, or the nearest value to it.
         *
         * @param value the value
         * @return this
         */
        public OfFloat initial(double value) {
            initial = value;
            return this;
        }

        /**
         * Sets where the value comes from.
         *
         * @param source is asked at each read
         * @return this
         */
        public OfFloat get(DoubleSupplier source) {
            return reads((index, value) -> value.putDouble(0, source.getAsDouble()));
        }

        /**
         * Sets where the value of each instance comes from.
         *
         * @param source is asked at each read
         * @return this
         */
        public OfFloat get(IntToDoubleFunction source) {
            return reads((index, value) -> value.putDouble(0, source.applyAsDouble(index)));
        }

        /**
         * Sets who is told a new value.
         *
         * @param sink takes it
         * @return this
         */
        public OfFloat set(DoubleConsumer sink) {
            return sets((index, value) -> sink.accept(value.getDouble(0)));
        }

        /**
         * Sets who is told a new value of an instance.
         *
         * @param sink takes the instance and the value
         * @return this
         */
        public OfFloat set(Indexed<Double> sink) {
            return sets((index, value) -> sink.accept(index, value.getDouble(0)));
        }

        @Override
        OfFloat self() {
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
                throw new VirtualCameraException(name() + " cannot start at " + start
                        + ": give an initial value between " + min + " and " + max);
            }
            value.putDouble(0, start);
        }

        @Override
        void check(ByteBuffer value) throws RegisterException {
            double wanted = value.getDouble(0);
            require(wanted >= min && wanted <= max);
        }

        @Override
        void describe(DescriptionWriter writer, DescriptionWriter.Placed placed) {
            writer.begin("Float", this).element("pValue", DescriptionWriter.register(this));
            if (Double.isFinite(min)) {
                writer.element("Min", Double.toString(min)).element("Max", Double.toString(max));
            }
            writer.unit(unit).end("Float");
            writer.floatRegister(placed);
        }
    }

    /** A switch. */
    public static final class OfBoolean extends DeviceFeature<OfBoolean> {
        private boolean initial;

        private OfBoolean(String name) {
            super(name);
        }

        /**
         * Sets the value at start; without it, it is false.
         *
         * @param value the value
         * @return this
         */
        public OfBoolean initial(boolean value) {
            initial = value;
            return this;
        }

        /**
         * Sets where the value comes from.
         *
         * @param source is asked at each read
         * @return this
         */
        public OfBoolean get(BooleanSupplier source) {
            return reads((index, value) -> value.putInt(0, source.getAsBoolean() ? 1 : 0));
        }

        /**
         * Sets where the value of each instance comes from.
         *
         * @param source is asked at each read
         * @return this
         */
        public OfBoolean get(IntPredicate source) {
            return reads((index, value) -> value.putInt(0, source.test(index) ? 1 : 0));
        }

        /**
         * Sets who is told a new value.
         *
         * @param sink takes it
         * @return this
         */
        public OfBoolean set(Consumer<Boolean> sink) {
            return sets((index, value) -> sink.accept(value.getInt(0) == 1));
        }

        /**
         * Sets who is told a new value of an instance.
         *
         * @param sink takes the instance and the value
         * @return this
         */
        public OfBoolean set(Indexed<Boolean> sink) {
            return sets((index, value) -> sink.accept(index, value.getInt(0) == 1));
        }

        @Override
        OfBoolean self() {
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
        void describe(DescriptionWriter writer, DescriptionWriter.Placed placed) {
            writer.begin("Boolean", this)
                    .element("pValue", DescriptionWriter.register(this))
                    .element("OnValue", "1")
                    .element("OffValue", "0")
                    .end("Boolean");
            writer.integerRegister(placed, "Unsigned");
        }
    }

    /** A choice among names; as a register it is the number of the entry, from 0 on. */
    public static final class OfEnumeration extends DeviceFeature<OfEnumeration> {
        private final List<String> entries;
        private String initial;
        private int first;

        private OfEnumeration(String name, String... entries) {
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
        public OfEnumeration initial(String entry) {
            initial = entry;
            return this;
        }

        /**
         * Sets where the value comes from.
         *
         * @param source is asked at each read, and gives the name of an entry
         * @return this
         */
        public OfEnumeration get(Supplier<String> source) {
            return reads((index, value) -> value.putInt(0, number(source.get())));
        }

        /**
         * Sets where the value of each instance comes from.
         *
         * @param source is asked at each read, and gives the name of an entry
         * @return this
         */
        public OfEnumeration get(IntFunction<String> source) {
            return reads((index, value) -> value.putInt(0, number(source.apply(index))));
        }

        /**
         * Sets who is told a new value.
         *
         * @param sink takes the name of the entry
         * @return this
         */
        public OfEnumeration set(Consumer<String> sink) {
            return sets((index, value) -> sink.accept(entry(value)));
        }

        /**
         * Sets who is told a new value of an instance.
         *
         * @param sink takes the instance and the name of the entry
         * @return this
         */
        public OfEnumeration set(Indexed<String> sink) {
            return sets((index, value) -> sink.accept(index, entry(value)));
        }

        List<String> entries() {
            return entries;
        }

        /** Numbers the entries from another value than 0 on. Such a choice selects nothing. */
        OfEnumeration numberedFrom(int value) {
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
        OfEnumeration self() {
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
        void describe(DescriptionWriter writer, DescriptionWriter.Placed placed) {
            writer.begin("Enumeration", this);
            for (int i = 0; i < entries.size(); i++) {
                writer.entry(entries.get(i), first + i);
            }
            writer.element("pValue", DescriptionWriter.register(this))
                    .selected(this)
                    .end("Enumeration");
            writer.integerRegister(placed, "Unsigned");
        }
    }

    /** A text in UTF-8. */
    public static final class OfString extends DeviceFeature<OfString> {
        private static final int MAX_BYTES = 508;

        private final int maxBytes;
        private String initial = "";

        private OfString(String name, int maxBytes) {
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
        public OfString initial(String value) {
            initial = value;
            return this;
        }

        /**
         * Sets where the value comes from. What is too long is cut.
         *
         * @param source is asked at each read
         * @return this
         */
        public OfString get(Supplier<String> source) {
            return reads((index, value) -> put(source.get(), value));
        }

        /**
         * Sets where the value of each instance comes from. What is too long is cut.
         *
         * @param source is asked at each read
         * @return this
         */
        public OfString get(IntFunction<String> source) {
            return reads((index, value) -> put(source.apply(index), value));
        }

        /**
         * Sets who is told a new value.
         *
         * @param sink takes it
         * @return this
         */
        public OfString set(Consumer<String> sink) {
            return sets((index, value) -> sink.accept(text(value)));
        }

        /**
         * Sets who is told a new value of an instance.
         *
         * @param sink takes the instance and the value
         * @return this
         */
        public OfString set(Indexed<String> sink) {
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
        OfString self() {
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
        void describe(DescriptionWriter writer, DescriptionWriter.Placed placed) {
            writer.stringRegister(placed);
        }
    }

    /** Something that the device does. */
    public static final class OfCommand extends DeviceFeature<OfCommand> {
        private OfCommand(String name, Runnable action) {
            super(name);
            Objects.requireNonNull(action, "action");
            sets((index, value) -> {
                if (value.getInt(0) == 1) {
                    value.putInt(0, 0);
                    action.run();
                }
            });
        }

        @Override
        OfCommand self() {
            return this;
        }

        @Override
        int bytes() {
            return Integer.BYTES;
        }

        @Override
        void initial(ByteBuffer value) {}

        @Override
        void check(ByteBuffer value) throws RegisterException {
            require(value.getInt(0) == 0 || value.getInt(0) == 1);
        }

        @Override
        boolean live() {
            return true;
        }

        @Override
        void describe(DescriptionWriter writer, DescriptionWriter.Placed placed) {
            writer.begin("Command", this)
                    .element("pValue", DescriptionWriter.register(this))
                    .element("CommandValue", "1")
                    .end("Command");
            writer.integerRegister(placed, "Unsigned");
        }
    }
}
