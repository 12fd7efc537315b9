package io.peregrine.virtualcamera;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The device behind the registers of a camera: joins payload, triggers, acquisition, events, files and user sets. Every
 * method holds its monitor, unless it says otherwise.
 */
final class CameraDevice extends GevDevice {
    static final String XML_NAME = "peregrine";

    /** Legacy block ids, SCSP, SCMBS and SCEBA. */
    private static final int STREAM_CAPABILITY = 0xF0000000;
    /**
     * User-defined name, serial, heartbeat disable, link speed, CCP registers, manifest, switchover, pending ACK,
     * events with and without data, resend, WRITEMEM, concatenation; unconditional actions, IEEE 1588, extended status
     * 2.0, scheduled and other actions.
     */
    private static final int GVCP_CAPABILITY = 0xFC3E007F;

    private static final double TEMPERATURE_CELSIUS = 38.5;

    private final Scenario scenario;
    private final EventSender events;
    private final MessageRegisters message;
    private final SensorRegisters sensor;
    private final PayloadRegisters payload;
    private final TriggerRegisters triggers;
    private final RdmaRegisters rdma;
    private final Acquisition acquisition;
    private final PtpRegisters ptp;
    private final ActionSignals actions;
    private final FileRegisters files;

    /**
     * Makes a device at an address.
     *
     * @param scenario what it is, bound to the address of the location
     * @param memory what it keeps
     * @param location its address
     * @param mover notified of the address that the device wants instead
     * @param counters what it counts
     * @param faults injected faults
     * @param endpoint where it takes RDMA connections, if it does
     */
    CameraDevice(
            Scenario scenario,
            PersistentMemory memory,
            Location location,
            Consumer<Location> mover,
            Counters counters,
            Faults faults,
            RdmaEndpoint endpoint)
            throws IOException {
        super(identity(scenario), memory, location, mover, counters, scenario.clock());
        this.scenario = scenario;
        events = new EventSender(scenario.bindAddress(), counters);
        sensor = new SensorRegisters(this, scenario);
        payload = new PayloadRegisters(this, scenario);
        rdma = new RdmaRegisters(this, payload);
        triggers = new TriggerRegisters(this, this::triggered);
        acquisition = new Acquisition(
                this,
                scenario,
                payload,
                rdma,
                triggers::active,
                withEvents -> new StreamSender(
                        scenario.bindAddress(),
                        scenario,
                        counters,
                        faults,
                        this::timestamp,
                        withEvents ? events::post : (kind, blockId, timestamp) -> {},
                        this::acquisitionEnded),
                this::rebuild);
        endpoint.open()
                .map(open -> new RdmaSender(
                        open, scenario, counters, faults, this::timestamp, events, rdma, this::acquisitionEnded))
                .ifPresent(rdma::attach);
        mapBootstrap();
        ptp = new PtpRegisters(space, clock);
        actions =
                new ActionSignals(scenario.bindAddress().getHostAddress(), space, clock, events, this::actionSignalled);
        message = new MessageRegisters(this, events);
        acquisition.mapChannels(this::rebuild);
        rdma.map(acquisition::active);
        mapFeatures();
        files = new FileRegisters(this, memory.files, faults);
        releaseRegisters();
        acquisition.release();
        loadUserSet(memory.userSets.atStart());
        space.beforeRead(this::refresh);
        acquisition.start();
        events.start();
        actions.start();
    }

    /** Ends the threads that send; not from one that holds the monitor. */
    void closeSenders() {
        acquisition.close();
    }

    EventSender events() {
        return events;
    }

    ActionSignals actions() {
        return actions;
    }

    Optional<RdmaSender> rdma() {
        return rdma.sender();
    }

    // ---- access ------------------------------------------------------------------------------------------------

    @Override
    synchronized OptionalInt action(ByteBuffer command, boolean scheduled) {
        return actions.receive(command, scheduled, controller != null);
    }

    @Override
    boolean takesAnyAddress() {
        return !scenario.networkInterface().isEmpty();
    }

    @Override
    void controlPassed() {
        events.post(EventKind.PRIMARY_APPLICATION_SWITCH, 0, timestamp());
    }

    @Override
    int lastingConfiguration() {
        return TimeRegisters.IEEE_1588_ENABLE | ActionSignals.UNCONDITIONAL | ActionSignals.EXTENDED_STATUS_2_0;
    }

    @Override
    synchronized boolean mayAskForResend(InetAddress source) {
        return super.mayAskForResend(source) || acquisition.sendsTo(source);
    }

    @Override
    boolean resend(int channel, long blockId, long first, long last, boolean extended) {
        return acquisition.resend(channel, blockId, first, last, extended);
    }

    @Override
    void endControl() {
        files.abandon();
        super.endControl();
        if (!acquisition.outlivesControl()) {
            acquisition.abort();
            acquisition.release();
            rebuild();
        }
    }

    @Override
    void releaseRegisters() {
        super.releaseRegisters();
        message.release();
    }

    @Override
    boolean locked() {
        return space.get(Reg.TL_PARAMS_LOCKED) != 0 || acquisition.active();
    }

    // ---- register map ------------------------------------------------------------------------------------------

    private void mapBootstrap() {
        space.constant(Reg.STREAM_CHANNEL_COUNT, scenario.streamChannels());
        space.constant(Reg.STREAM_CAPABILITY, STREAM_CAPABILITY);
        space.constant(Reg.GVCP_CAPABILITY, GVCP_CAPABILITY);
        space.set(Reg.PENDING_TIMEOUT, (int) scenario.pendingTimeout().toMillis());
        lockable(Reg.GVSP_CONFIGURATION, v -> v & EXTENDED_ID_BIT, this::rebuild);
    }

    private void mapFeatures() {
        sensor.map(this::rebuild, payload::updateChunkValues);
        payload.map(this::rebuild);
        acquisition.map();
        triggers.map(acquisition::triggerModeChanged);
        mapEvents();
        mapUserSets();
        command(Reg.DEVICE_RESET, this::reset);
        space.map(Reg.DEVICE_TEMPERATURE, 8);
    }

    private void mapEvents() {
        register(Reg.EVENT_SELECTOR, v -> within(v, 0, EventKind.values().length - 1));
        for (EventKind kind : EventKind.values()) {
            int notification = notification(kind);
            register(notification, v -> within(v, 0, 1), () -> events.wanted(kind, space.get(notification) == 1));
        }
        command(Reg.TEST_EVENT_GENERATE, () -> events.post(EventKind.TEST, 0, timestamp()));
    }

    private static int notification(EventKind kind) {
        return Reg.EVENT_NOTIFICATION + 4 * kind.ordinal();
    }

    private void mapUserSets() {
        register(Reg.USER_SET_SELECTOR, v -> within(v, 0, UserSets.COUNT));
        command(Reg.USER_SET_LOAD, this::loadUserSet);
        command(Reg.USER_SET_SAVE, () -> {
            if (space.get(Reg.USER_SET_SELECTOR) == UserSets.DEFAULT) {
                throw new RegisterException(Gvcp.WRITE_PROTECT);
            }
            memory.userSets.save(space.get(Reg.USER_SET_SELECTOR), space);
        });
        register(
                Reg.USER_SET_DEFAULT,
                v -> within(v, 0, UserSets.COUNT),
                () -> memory.userSets.startWith(space.get(Reg.USER_SET_DEFAULT)));
        space.set(Reg.USER_SET_DEFAULT, memory.userSets.atStart());
    }

    private void refresh() {
        acquisition.refresh();
        space.setDouble(Reg.DEVICE_TEMPERATURE, TEMPERATURE_CELSIUS);
        refreshClock();
        rdma.refresh();
    }

    private void triggered() {
        acquisition.trigger();
    }

    /** Makes everything that follows from size, format, components and packet size. */
    private void rebuild() {
        payload.rebuild();
        message.changed();
        acquisition.payloadChanged();
    }

    // ---- user sets ---------------------------------------------------------------------------------------------

    private void loadUserSet() throws RegisterException {
        if (locked()) {
            throw new RegisterException(Gvcp.WRITE_PROTECT);
        }
        loadUserSet(space.get(Reg.USER_SET_SELECTOR));
    }

    private void loadUserSet(int set) {
        loadDefaults();
        if (memory.userSets.load(set, space)) {
            for (EventKind kind : EventKind.values()) {
                events.wanted(kind, space.get(notification(kind)) == 1);
            }
            payload.updateChunkValues();
            acquisition.triggerModeChanged();
            rebuild();
        }
    }

    private void loadDefaults() {
        sensor.loadDefaults();
        payload.loadDefaults();
        acquisition.loadDefaults();
        triggers.loadDefaults();
        acquisition.triggerModeChanged();
        for (EventKind kind : EventKind.values()) {
            space.set(notification(kind), 0);
            events.wanted(kind, false);
        }
        payload.updateChunkValues();
        rebuild();
    }

    private void reset() {
        acquisition.abort();
        endControl();
        files.restart();
        loadUserSet(memory.userSets.atStart());
        space.set(Reg.HEARTBEAT_TIMEOUT, DEFAULT_HEARTBEAT_MS);
        acquisition.reset();
        restartClock();
        ptp.latchDataSet();
        actions.reset();
        rebuild();
        moveTo(configuredLocation());
    }

    // ---- from other threads ------------------------------------------------------------------------------------

    private synchronized void actionSignalled(int signal) {
        triggers.action(signal);
    }

    synchronized void setLine(int line, boolean high) {
        triggers.setLine(line, high);
    }

    synchronized SentBlock sentBlock(long blockId, long timestamp) {
        BlockLayout sent = rdma.active() ? payload.container() : payload.layout();
        return sent.sent(sent.stamp(blockId, timestamp));
    }

    private synchronized void acquisitionEnded() {
        notifyAll();
    }

    String sendState() {
        return acquisition.sendState();
    }

    synchronized boolean streaming() {
        return acquisition.streaming();
    }

    synchronized boolean awaitStreaming(boolean wanted, long timeoutNanos) throws InterruptedException {
        long deadline = System.nanoTime() + timeoutNanos;
        while (streaming() != wanted) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    synchronized void shutDown() {
        acquisition.abort();
        notifyAll();
    }

    // ---- identity ----------------------------------------------------------------------------------------------

    private static DeviceIdentity identity(Scenario scenario) throws IOException {
        return new DeviceIdentity(
                DeviceIdentity.TRANSMITTER,
                scenario.vendor(),
                scenario.model(),
                "1.0",
                "GigE Vision device in software",
                scenario.serial(),
                scenario.linkSpeedMegabits() == 0 ? 10_000 : scenario.linkSpeedMegabits(),
                XML_NAME,
                new String(loadXml(), StandardCharsets.UTF_8),
                scenario.zippedXml());
    }

    static byte[] loadXml() throws IOException {
        try (InputStream in = CameraDevice.class.getResourceAsStream(XML_NAME + ".xml")) {
            if (in == null) {
                throw new IOException("The GenICam XML is missing from the program");
            }
            return in.readAllBytes();
        }
    }
}
