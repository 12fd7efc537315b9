package io.peregrine.virtualcamera;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What every device has: identity, description, address, access control, heartbeat and clock. Every method holds its
 * monitor.
 */
abstract class GevDevice {
    static final int DEFAULT_HEARTBEAT_MS = 3000;
    static final int TICKS_PER_SECOND = 1_000_000_000;

    private static final int EXCLUSIVE = 0x1;
    private static final int CONTROL = 0x2;
    private static final int SWITCHOVER_ENABLE = 0x4;
    private static final int MIN_HEARTBEAT_MS = 500;
    /** Drivers use it as their command time-out. */
    static final int DEFAULT_PENDING_TIMEOUT_MS = 300;

    private static final int CONFIG_HEARTBEAT_DISABLE = 0x1;
    private static final int CONFIG_PENDING_ACK = 0x2;
    static final int EXTENDED_ID_BIT = 0x40000000;

    final RegisterSpace space = new RegisterSpace();
    final Location location;
    final PersistentMemory memory;
    final Counters counters;
    final CameraClock clock;
    InetSocketAddress controller;
    private final TimeRegisters time;
    private final Consumer<Location> mover;
    private InetSocketAddress writer;
    private int switchoverKey;
    private final KeyGuard keys = new KeyGuard(HostTime.SYSTEM::nanos);
    private boolean exclusive;
    private long lastHeardNanos;

    /**
     * Makes a device at an address.
     *
     * @param identity what it is
     * @param memory what it keeps
     * @param location its address
     * @param mover is notified of the address that the device changes to
     * @param counters what it counts
     * @param clockModel its clock
     */
    GevDevice(
            DeviceIdentity identity,
            PersistentMemory memory,
            Location location,
            Consumer<Location> mover,
            Counters counters,
            Scenario.Clock clockModel) {
        this.memory = memory;
        this.location = location;
        this.mover = mover;
        this.counters = counters;
        clock = new CameraClock(clockModel, HostTime.SYSTEM);
        mapIdentity(identity);
        time = new TimeRegisters(space, clock);
    }

    /** A device whose clock runs like the host's. */
    GevDevice(
            DeviceIdentity identity,
            PersistentMemory memory,
            Location location,
            Consumer<Location> mover,
            Counters counters) {
        this(identity, memory, location, mover, counters, Scenario.Clock.EXACT);
    }

    long timestamp() {
        return clock.now();
    }

    /** Sends packets of a block again, if there is one; false if there is no such stream channel. */
    boolean resend(int channel, long blockId, long first, long last, boolean extended) {
        return false;
    }

    /** Takes an action command; gives the status of the answer, or nothing when it was meant for others. */
    OptionalInt action(ByteBuffer command, boolean scheduled) {
        return OptionalInt.of(Gvcp.NOT_IMPLEMENTED);
    }

    /** Whether the parameters of the stream must not change now. */
    boolean locked() {
        return false;
    }

    /** Called when another application takes over control by the key, before anything else changes. */
    void controlPassed() {}

    /** Whether block ids have 64 bits. */
    boolean extendedIds() {
        return (space.get(Reg.GVSP_CONFIGURATION) & EXTENDED_ID_BIT) != 0;
    }

    /** Bits of the GVCP configuration, beyond those of every device, that outlive the control. */
    int lastingConfiguration() {
        return 0;
    }

    // ---- access ------------------------------------------------------------------------------------------------

    synchronized Optional<InetSocketAddress> controller() {
        return Optional.ofNullable(controller);
    }

    synchronized void heardFrom(InetSocketAddress source, long nowNanos) {
        if (source.equals(controller)) {
            lastHeardNanos = nowNanos;
        }
    }

    /** Ends the control when the controller kept silent; gives the time until the next check, in ns. */
    synchronized long checkHeartbeat(long nowNanos) {
        if (controller == null || (space.get(Reg.GVCP_CONFIGURATION) & CONFIG_HEARTBEAT_DISABLE) != 0) {
            return Long.MAX_VALUE;
        }
        long limit = TimeUnit.MILLISECONDS.toNanos(Integer.toUnsignedLong(space.get(Reg.HEARTBEAT_TIMEOUT)));
        long left = lastHeardNanos + limit - nowNanos;
        if (left > 0) {
            return left;
        }
        counters.heartbeatTimeouts.increment();
        endControl();
        return Long.MAX_VALUE;
    }

    synchronized boolean mayAskForResend(InetAddress source) {
        return controller != null && controller.getAddress().equals(source);
    }

    synchronized boolean pendingAcknowledgeEnabled() {
        return (space.get(Reg.GVCP_CONFIGURATION) & CONFIG_PENDING_ACK) != 0;
    }

    synchronized boolean macMatches(ByteBuffer mac) {
        return mac.getShort(0) == (short) space.get(Reg.MAC_HIGH) && mac.getInt(2) == space.get(Reg.MAC_LOW);
    }

    synchronized void discovery(ByteBuffer target) {
        space.copy(0, Reg.DISCOVERY_BYTES, target);
    }

    synchronized void read(InetSocketAddress source, int address, int count, ByteBuffer target)
            throws RegisterException {
        if (exclusive && controller != null && !source.equals(controller) && address != Reg.CCP) {
            throw new RegisterException(Gvcp.ACCESS_DENIED);
        }
        space.read(address, count, target);
    }

    synchronized void write(InetSocketAddress source, int address, ByteBuffer data) throws RegisterException {
        boolean takesControl = address == Reg.CCP
                && data.remaining() == 4
                && (controller == null || mayTakeOver(source, data.getInt(data.position())));
        if (!takesControl && !source.equals(controller)) {
            throw new RegisterException(Gvcp.ACCESS_DENIED);
        }
        writer = source;
        space.write(address, data);
    }

    /** Whether the holder of the control lets an application take it over by writing this to CCP. */
    private boolean mayTakeOver(InetSocketAddress source, int value) {
        if ((space.get(Reg.CCP) & SWITCHOVER_ENABLE) == 0
                || (value & (EXCLUSIVE | CONTROL)) == 0
                || source.equals(controller)
                || !keys.admits(source.getAddress())) {
            return false;
        }
        int key = value >>> 16;
        // An application without a key does not try any.
        if (key != switchoverKey && key != 0) {
            keys.wrong(source.getAddress());
        }
        return key == switchoverKey;
    }

    private void switchoverKeyWritten() {
        // No other application may read it.
        switchoverKey = space.get(Reg.SWITCHOVER_KEY);
        keys.forget();
        space.set(Reg.SWITCHOVER_KEY, 0);
    }

    private void controlWritten() {
        int wanted = space.get(Reg.CCP) & (EXCLUSIVE | CONTROL);
        if (wanted == 0) {
            if (controller != null) {
                endControl();
            }
            return;
        }
        if (controller != null && !controller.equals(writer)) {
            controlPassed();
        }
        controller = writer;
        exclusive = (wanted & EXCLUSIVE) != 0;
        lastHeardNanos = System.nanoTime();
        space.set(Reg.PRIMARY_PORT, controller.getPort());
        space.set(Reg.PRIMARY_IP, Location.bits(controller.getAddress()));
    }

    void endControl() {
        keys.forget();
        controller = null;
        exclusive = false;
        releaseRegisters();
    }

    /** What does not outlive the control channel. */
    void releaseRegisters() {
        space.set(Reg.CCP, 0);
        space.set(Reg.PRIMARY_PORT, 0);
        space.set(Reg.PRIMARY_IP, 0);
        space.set(
                Reg.GVCP_CONFIGURATION,
                (space.get(Reg.GVCP_CONFIGURATION) & lastingConfiguration()) | CONFIG_PENDING_ACK);
    }

    // ---- register map ------------------------------------------------------------------------------------------

    private void mapIdentity(DeviceIdentity identity) {
        space.map(0, Reg.DISCOVERY_BYTES);
        space.constant(Reg.VERSION, 0x00020002);
        space.constant(Reg.DEVICE_MODE, identity.mode());
        space.constant(Reg.MAC_HIGH, (int) (memory.mac >>> 32));
        space.constant(Reg.MAC_LOW, (int) memory.mac);
        space.constant(Reg.SUPPORTED_IP_CONFIGURATION, PersistentMemory.ALL_WAYS_TO_AN_ADDRESS);
        register(
                Reg.CURRENT_IP_CONFIGURATION,
                v -> (v & PersistentMemory.ALL_WAYS_TO_AN_ADDRESS) | PersistentMemory.USE_LINK_LOCAL_ADDRESS,
                this::remember);
        space.set(Reg.CURRENT_IP_CONFIGURATION, memory.ipConfiguration);
        space.constant(Reg.CURRENT_IP, location.ip());
        space.constant(Reg.CURRENT_MASK, location.mask());
        space.constant(Reg.CURRENT_GATEWAY, location.gateway());
        space.text(Reg.MANUFACTURER, 32, identity.vendor());
        space.text(Reg.MODEL, 32, identity.model());
        space.text(Reg.DEVICE_VERSION, 32, identity.version());
        space.text(Reg.MANUFACTURER_INFO, 48, identity.information());
        space.text(Reg.SERIAL, 16, identity.serial());
        space.writable(Reg.USER_NAME, 16, v -> v.put(15, (byte) 0), this::remember);
        space.setText(Reg.USER_NAME, 16, memory.userName);

        byte[] xml = identity.xml().getBytes(StandardCharsets.UTF_8);
        byte[] zipped = zip(identity.xmlName(), xml);
        space.blob(Reg.XML, xml);
        space.blob(Reg.ZIPPED_XML, zipped);
        String plainUrl = String.format(Locale.ROOT, "Local:%s.xml;%X;%X", identity.xmlName(), Reg.XML, xml.length);
        String zippedUrl =
                String.format(Locale.ROOT, "Local:%s.zip;%X;%X", identity.xmlName(), Reg.ZIPPED_XML, zipped.length);
        space.text(Reg.FIRST_URL, Reg.URL_BYTES, identity.zippedXml() ? zippedUrl : plainUrl);
        space.text(Reg.SECOND_URL, Reg.URL_BYTES, identity.zippedXml() ? plainUrl : zippedUrl);

        mapManifest();

        space.constant(Reg.INTERFACE_COUNT, 1);
        register(Reg.PERSISTENT_IP, v -> v, this::remember);
        register(Reg.PERSISTENT_MASK, v -> v, this::remember);
        register(Reg.PERSISTENT_GATEWAY, v -> v, this::remember);
        space.set(Reg.PERSISTENT_IP, memory.location.ip());
        space.set(Reg.PERSISTENT_MASK, memory.location.mask());
        space.set(Reg.PERSISTENT_GATEWAY, memory.location.gateway());
        space.constant(Reg.LINK_SPEED, identity.linkSpeedMegabits());
        register(Reg.HEARTBEAT_TIMEOUT, v -> Integer.compareUnsigned(v, MIN_HEARTBEAT_MS) < 0 ? MIN_HEARTBEAT_MS : v);
        space.set(Reg.HEARTBEAT_TIMEOUT, DEFAULT_HEARTBEAT_MS);
        register(
                Reg.GVCP_CONFIGURATION,
                v -> v & (CONFIG_HEARTBEAT_DISABLE | CONFIG_PENDING_ACK | lastingConfiguration()),
                () -> time.configured(space.get(Reg.GVCP_CONFIGURATION)));
        space.constant(Reg.PENDING_TIMEOUT, DEFAULT_PENDING_TIMEOUT_MS);
        space.constant(Reg.LINK_CAPABILITY, 0x1);
        space.constant(Reg.LINK_CONFIGURATION, 0x1);
        register(Reg.SWITCHOVER_KEY, v -> v & 0xFFFF, this::switchoverKeyWritten);
        register(Reg.CCP, v -> v & (EXCLUSIVE | CONTROL | SWITCHOVER_ENABLE), this::controlWritten);
        space.constant(Reg.PRIMARY_PORT, 0);
        space.constant(Reg.PRIMARY_IP, 0);
    }

    /** One XML: version 1.0.0, schema 1.1, at the first URL. */
    private void mapManifest() {
        space.map(Reg.MANIFEST, Reg.MANIFEST_BYTES);
        space.set(Reg.MANIFEST, 1 << 26);
        space.set(Reg.MANIFEST + 8, 1 << 26 | 1 << 8 | 1 << 2);
        space.set(Reg.MANIFEST + 12, Reg.FIRST_URL);
    }

    interface Rule {
        int apply(int value) throws RegisterException;
    }

    void register(int address, Rule rule) {
        register(address, rule, () -> {});
    }

    void register(int address, Rule rule, RegisterSpace.Action action) {
        space.writable(address, 4, value -> value.putInt(0, rule.apply(value.getInt(0))), action);
    }

    /** A register that stays as it is while the parameters of the stream must not change. */
    void lockable(int address, Rule rule, RegisterSpace.Action action) {
        register(
                address,
                value -> {
                    if (locked()) {
                        throw new RegisterException(Gvcp.WRITE_PROTECT);
                    }
                    return rule.apply(value);
                },
                action);
    }

    /** A register that starts something when 1 is written and reads as 0. */
    void command(int address, RegisterSpace.Action action) {
        register(address, value -> within(value, 0, 1), () -> {
            boolean run = space.get(address) == 1;
            space.set(address, 0);
            if (run) {
                action.run();
            }
        });
    }

    void floating(int address, double min, double max, RegisterSpace.Action action) {
        space.writable(
                address,
                8,
                value -> {
                    double wanted = value.getDouble(0);
                    require(wanted >= min && wanted <= max);
                },
                action);
    }

    static int within(int value, int min, int max) throws RegisterException {
        require(value >= min && value <= max);
        return value;
    }

    static void require(boolean valid) throws RegisterException {
        if (!valid) {
            throw new RegisterException(Gvcp.INVALID_PARAMETER);
        }
    }

    // ---- clock -------------------------------------------------------------------------------------------------

    /** Brings the registers of the clock up to date. */
    void refreshClock() {
        time.refresh();
    }

    /** Lets the clock start as the device does: not synchronised, from 0. */
    void restartClock() {
        space.set(Reg.GVCP_CONFIGURATION, CONFIG_PENDING_ACK);
        clock.ptp(false);
        clock.reset();
    }

    // ---- address -----------------------------------------------------------------------------------------------

    Location location() {
        return location;
    }

    /** The address that the device has after a restart. No DHCP server ever answers it. */
    synchronized Location configuredLocation() {
        boolean persistent = (memory.ipConfiguration & PersistentMemory.USE_PERSISTENT_ADDRESS) != 0;
        if (persistent && memory.location.possible()) {
            return memory.location;
        }
        return takesAnyAddress() ? Location.linkLocal((int) memory.mac) : location;
    }

    /** Whether it has a dedicated network interface, and not only the addresses of the host. */
    boolean takesAnyAddress() {
        return false;
    }

    void moveTo(Location wanted) {
        if (!wanted.equals(location)) {
            mover.accept(wanted);
        }
    }

    private void remember() {
        memory.userName = space.getText(Reg.USER_NAME, 16);
        memory.ipConfiguration = space.get(Reg.CURRENT_IP_CONFIGURATION);
        memory.location = new Location(
                space.get(Reg.PERSISTENT_IP), space.get(Reg.PERSISTENT_MASK), space.get(Reg.PERSISTENT_GATEWAY));
    }

    // ---- helpers -----------------------------------------------------------------------------------------------

    private static byte[] zip(String name, byte[] xml) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            ZipEntry entry = new ZipEntry(name + ".xml");
            entry.setTime(0);
            CRC32 crc = new CRC32();
            crc.update(xml);
            entry.setCrc(crc.getValue());
            entry.setSize(xml.length);
            zip.putNextEntry(entry);
            zip.write(xml);
            zip.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
