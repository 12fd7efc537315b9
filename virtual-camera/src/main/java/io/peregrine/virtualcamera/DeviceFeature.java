package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A feature of a custom device, see {@link VirtualDevice}: its name, its values, and the code that reads and sets it.
 *
 * <ul>
 *   <li>With {@code get} and {@code set}, each access of an application calls them.
 *   <li>With {@code get} alone, the feature is a live value that cannot be set.
 *   <li>With {@code set} alone or with neither, the device keeps the value, from {@code initial} on.
 * </ul>
 *
 * <p>They are called on the thread that answers control packets, one at a time: keep them short. A feature is declared
 * by one thread, before the device starts. A {@code set} refuses a value by an {@link IllegalArgumentException} (the
 * application sees INVALID_PARAMETER), and a value at this moment by an {@link IllegalStateException} (BUSY); the
 * feature keeps its value then. Every other exception is an error of the device.
 *
 * @param <S> kind of the feature
 */
public abstract sealed class DeviceFeature<S extends DeviceFeature<S>>
        permits BooleanFeature, CommandFeature, EnumerationFeature, FloatFeature, IntegerFeature, StringFeature {
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

    /** Reads or sets the value of a register; the buffer holds one value, big-endian. */
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

    DeviceFeature(String name) {
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
     * Declares a whole number.
     *
     * @param name name of the feature; the standard one (SFNC) where there is one
     * @return the feature
     */
    public static IntegerFeature integer(String name) {
        return new IntegerFeature(name);
    }

    /**
     * Declares a floating-point number.
     *
     * @param name name of the feature
     * @return the feature
     */
    public static FloatFeature floating(String name) {
        return new FloatFeature(name);
    }

    /**
     * Declares a switch.
     *
     * @param name name of the feature
     * @return the feature
     */
    public static BooleanFeature bool(String name) {
        return new BooleanFeature(name);
    }

    /**
     * Declares a choice. It can select among instances of other features, see {@link #selectedBy}.
     *
     * @param name name of the feature
     * @param entries names of the values; the first is the value at start
     * @return the feature
     */
    public static EnumerationFeature enumeration(String name, String... entries) {
        return new EnumerationFeature(name, entries);
    }

    /**
     * Declares a text.
     *
     * @param name name of the feature
     * @param maxBytes longest text in UTF-8, 1 to 508 bytes
     * @return the feature
     */
    public static StringFeature string(String name, int maxBytes) {
        return new StringFeature(name, maxBytes);
    }

    /**
     * Declares a command.
     *
     * @param name name of the feature
     * @param action what it does; may refuse as a {@code set} does
     * @return the feature
     */
    public static DeviceFeature<?> command(String name, Runnable action) {
        return new CommandFeature(name, action);
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

    /**
     * Writes the node and its register.
     *
     * @param writer writes it
     * @param address of the first instance
     * @param selected names of the features that this one selects
     */
    abstract void describe(NodeWriter writer, int address, List<String> selected);

    /** Writes the register node of a whole number. */
    void integerRegister(NodeWriter writer, int address, String sign) {
        writer.open("IntReg", NodeWriter.register(name), "Custom");
        location(writer, address);
        writer.element("Sign", sign).element("Endianess", "BigEndian"); // as the schema spells it
        writer.end("IntReg");
    }

    /** Writes where the register is. */
    void location(NodeWriter writer, int address) {
        writer.location(address, bytes(), selector, bytes(), writable() ? "RW" : "RO", live());
    }

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

    /** Whether the value may change without being set. */
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

    static void require(boolean valid) throws RegisterException {
        if (!valid) {
            throw new RegisterException(Gvcp.INVALID_PARAMETER);
        }
    }
}
