package io.peregrine.virtualcamera;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The device behind the registers: access control, features, acquisition. Every method holds its monitor. */
final class CameraDevice extends GevDevice implements RdmaSender.Gate, GvspChannel.Source {
    static final String XML_NAME = "peregrine";

    static final int SCPS_FIRE = 0x80000000;
    static final int SCPS_DO_NOT_FRAGMENT = 0x40000000;
    static final int SCPS_SIZE = 0xFFFF;
    private static final int GENDC_BIT = 0x80;

    /** Legacy block ids, SCSP, SCMBS and SCEBA. */
    private static final int STREAM_CAPABILITY = 0xF0000000;
    /**
     * User name, serial, heartbeat disable, link speed, CCP registers, manifest, switchover, pending ACK, events with
     * and without data, resend, WRITEMEM, concatenation; unconditional actions, IEEE 1588, extended status 2.0,
     * scheduled and other actions.
     */
    private static final int GVCP_CAPABILITY = 0xFC3E007F;
    /** SCMPC. */
    private static final int CHANNEL_CAPABILITY = 0x100;

    private static final int MULTI_PART_BIT = 0x40;
    private static final int ALL_IN_BIT = 0x4;
    private static final int UNCONDITIONAL_BIT = 0x2;
    private static final int EXTENDED_CHUNK_BIT = 0x1;
    /**
     * What SCCFG can switch: GenDC, multi-part, large leader and trailer, all-in, unconditional, extended chunk data.
     */
    private static final int SWITCHABLE = 0xE7;

    private static final int TEST_OFF = 0;
    private static final int TEST_MULTI_PART = 1;
    private static final int TEST_GENDC = 2;

    /** Values of TriggerSource; the other action signals follow the first. */
    private static final int SOFTWARE = 0;

    private static final int ACTION_0 = 1;
    private static final int LINE_0 = ACTION_0 + ActionSignals.COUNT;
    private static final int LINES = 2;

    private static final int RISING_EDGE = 0;
    private static final int ANY_EDGE = 2;

    private static final int RDMA_SEND = 0x1;
    private static final int RDMA_WRITE = 0x2;

    private final Scenario scenario;
    private final EventSender events;
    private final MessageRegisters message;
    private final StreamSender sender;
    private final List<GvspChannel> furtherChannels = new ArrayList<>();
    private final Optional<RdmaSender> rdma;
    private final RdmaNonce nonce = new RdmaNonce();
    private final PtpRegisters ptp;
    private final ActionSignals actions;
    private boolean acquiring;
    private StreamSender.Session session;
    private BlockLayout layout;
    private GenDcLayout container;
    private boolean extendedIdsForced;
    private final FileRegisters files;
    private final ChunkData.Values chunkValues = new ChunkData.Values();

    /**
     * Makes a device that stands somewhere.
     *
     * @param scenario how it looks, bound to the address of the location
     * @param memory what it keeps
     * @param location where it stands
     * @param mover is told where the device wants to stand instead
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
        this.events = new EventSender(scenario.bindAddress(), counters);
        this.sender = new StreamSender(
                scenario.bindAddress(),
                scenario,
                counters,
                faults,
                this::timestamp,
                events::post,
                this::acquisitionEnded);
        for (int channel = 1; channel < scenario.streamChannels(); channel++) {
            furtherChannels.add(new GvspChannel(
                    channel,
                    this,
                    this,
                    new StreamSender(
                            scenario.bindAddress(),
                            scenario,
                            counters,
                            faults,
                            this::timestamp,
                            (kind, blockId, timestamp) -> {}, // The first channel tells of the frame.
                            this::acquisitionEnded)));
        }
        this.rdma = endpoint.open()
                .map(open -> new RdmaSender(
                        open, scenario, counters, faults, this::timestamp, events, this, this::acquisitionEnded));
        mapBootstrap();
        ptp = new PtpRegisters(space, clock);
        actions = new ActionSignals(
                scenario.bindAddress().getHostAddress(), space, clock, events, signal -> trigger(ACTION_0 + signal));
        message = new MessageRegisters(this, events);
        mapStreamChannel();
        mapRdma();
        mapFeatures();
        files = new FileRegisters(this, memory.files, faults);
        releaseRegisters();
        releaseStream();
        loadUserSet(memory.userSets.atStart());
        space.beforeRead(this::refresh);
        sender.start();
        furtherChannels.forEach(GvspChannel::start);
        events.start();
        actions.start();
    }

    /** Ends the threads that send; not from one that holds the monitor. */
    void closeSenders() {
        sender.close();
        furtherChannels.forEach(GvspChannel::close);
    }

    EventSender events() {
        return events;
    }

    ActionSignals actions() {
        return actions;
    }

    @Override
    public BlockLayout layout() {
        return layout;
    }

    Optional<RdmaSender> rdma() {
        return rdma;
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
        InetAddress destination = Location.address(space.get(Reg.SCDA));
        return super.mayAskForResend(source)
                || source.equals(destination)
                || destination.isMulticastAddress()
                || furtherChannels.stream().anyMatch(channel -> channel.sendsTo(source));
    }

    @Override
    boolean resend(int channel, long blockId, long first, long last, boolean extended) {
        if (channel > furtherChannels.size()) {
            return false;
        }
        StreamSender wanted =
                channel == 0 ? sender : furtherChannels.get(channel - 1).sender();
        wanted.resend(blockId, first, last, extended);
        return true;
    }

    @Override
    void endControl() {
        files.abandon();
        super.endControl();
        if (!streamsUnconditionally()) {
            endAcquisition();
            releaseStream();
            rebuild();
        }
    }

    private boolean streamsUnconditionally() {
        return (space.get(Reg.SCCFG) & UNCONDITIONAL_BIT) != 0 && acquisitionActive() && !byRdma();
    }

    @Override
    void releaseRegisters() {
        super.releaseRegisters();
        message.release();
    }

    /** What does not outlive the control channel, unless streaming goes on. */
    private void releaseStream() {
        space.set(Reg.SCP, 0);
        space.set(Reg.SCDA, 0);
        furtherChannels.forEach(GvspChannel::release);
        space.set(Reg.SCCFG, scenario.payload().configuration());
        space.set(Reg.GVSP_CONFIGURATION, 0);
        space.set(Reg.TL_PARAMS_LOCKED, 0);
        space.set(Reg.GENDC_STREAMING_MODE, genDcModeAtStart());
        space.set(Reg.RDMA_MODE, RdmaGreeting.MODE_GVSP);
        nonce.use();
        rdma.ifPresent(RdmaSender::dismiss);
    }

    // ---- register map ------------------------------------------------------------------------------------------

    private void mapBootstrap() {
        space.constant(Reg.STREAM_CHANNEL_COUNT, scenario.streamChannels());
        space.constant(Reg.STREAM_CAPABILITY, STREAM_CAPABILITY);
        space.constant(Reg.GVCP_CAPABILITY, GVCP_CAPABILITY);
        space.set(Reg.PENDING_TIMEOUT, (int) scenario.pendingTimeout().toMillis());
        lockable(Reg.GVSP_CONFIGURATION, v -> v & EXTENDED_ID_BIT, this::rebuild);
    }

    private void mapStreamChannel() {
        space.map(Reg.SCP, 0x40);
        register(Reg.SCP, v -> v & 0xFFFF, this::channelChanged);
        register(Reg.SCPS, this::checkPacketSize, this::packetSizeWritten);
        space.set(Reg.SCPS, scenario.packetSizeBytes());
        register(Reg.SCPD, v -> v, this::updatePace);
        register(Reg.SCDA, v -> v, this::channelChanged);
        space.constant(Reg.SCSP, sender.sourcePort());
        int capability =
                CHANNEL_CAPABILITY | UNCONDITIONAL_BIT | scenario.payload().capability();
        space.constant(Reg.SCC, capability);
        lockable(Reg.SCCFG, v -> v & capability & SWITCHABLE, this::rebuild);
        if (scenario.payload() == StreamPayload.MULTI_ZONE) {
            space.constant(Reg.SCZ, PayloadLayout.ZONES - 1);
            space.constant(Reg.SCZD, PayloadLayout.ZONE_DIRECTIONS);
        }
        space.constant(Reg.SCEBA, Reg.EXTENDED_BOOTSTRAP);
        furtherChannels.forEach(channel -> channel.map(scenario.packetSizeBytes(), capability & SWITCHABLE));
    }

    private void mapRdma() {
        space.map(Reg.RDMA, Reg.RDMA_BYTES);
        space.constant(Reg.RDMA_MAGIC, RdmaGreeting.MAGIC_REGISTER);
        space.constant(Reg.RDMA_VERSION, RdmaGreeting.VERSION);
        register(
                Reg.RDMA_MODE,
                mode -> {
                    if (acquisitionActive()) {
                        throw new RegisterException(Gvcp.ACCESS_DENIED);
                    }
                    require(mode == RdmaGreeting.MODE_GVSP
                            || (mode > 0 && mode <= 2 && (rdmaCapability() & (1 << (mode - 1))) != 0));
                    return mode;
                },
                this::rdmaModeWritten);
        // Any host may read registers, so that these read as 0.
        register(Reg.RDMA_NONCE_HIGH, v -> v, () -> nonce.writeHigh(taken(Reg.RDMA_NONCE_HIGH)));
        register(Reg.RDMA_NONCE_LOW, v -> v, () -> nonce.writeLow(taken(Reg.RDMA_NONCE_LOW)));
    }

    private void mapFeatures() {
        space.constant(Reg.SENSOR_WIDTH, scenario.sensorWidth());
        space.constant(Reg.SENSOR_HEIGHT, scenario.sensorHeight());
        lockable(
                Reg.WIDTH,
                v -> step(v, CameraLimits.MIN_WIDTH, scenario.sensorWidth() - space.get(Reg.OFFSET_X)),
                this::rebuild);
        lockable(
                Reg.HEIGHT,
                v -> within(v, CameraLimits.MIN_HEIGHT, scenario.sensorHeight() - space.get(Reg.OFFSET_Y)),
                this::rebuild);
        lockable(Reg.OFFSET_X, v -> step(v, 0, scenario.sensorWidth() - space.get(Reg.WIDTH)), this::rebuild);
        lockable(Reg.OFFSET_Y, v -> step(v, 0, scenario.sensorHeight() - space.get(Reg.HEIGHT)), this::rebuild);
        lockable(
                Reg.PIXEL_FORMAT,
                v -> {
                    require(available(v));
                    return v;
                },
                this::rebuild);
        int formats = 0;
        for (int i = 0; i < Formats.OFFERED.size(); i++) {
            formats |= available(Formats.OFFERED.get(i)) ? 1 << i : 0;
        }
        space.constant(Reg.PIXEL_FORMATS_AVAILABLE, formats);
        register(Reg.TEST_PATTERN, v -> within(v, 1, 1));
        register(Reg.COMPONENT_SELECTOR, v -> {
            require(v == TestPattern.INTENSITY || v == TestPattern.RANGE || v == TestPattern.CONFIDENCE);
            return v;
        });
        for (ComponentKind kind : ComponentKind.values()) {
            int own = Reg.COMPONENT_ENABLE + 4 * (int) kind.typeId();
            lockable(
                    own,
                    v -> {
                        within(v, 0, 1);
                        require(v == 1 || enabled().size() > 1 || space.get(own) == 0);
                        return v;
                    },
                    this::rebuild);
        }

        lockable(Reg.ACQUISITION_MODE, v -> within(v, 0, 2), () -> {});
        command(Reg.ACQUISITION_START, this::startAcquisition);
        command(Reg.ACQUISITION_STOP, this::stopAcquisition);
        command(Reg.ACQUISITION_ABORT, this::endAcquisition);
        lockable(Reg.ACQUISITION_FRAME_COUNT, v -> within(v, 1, 65535), () -> {});
        space.constant(Reg.ACQUISITION_STATUS, 0);
        floating(Reg.FRAME_RATE, CameraLimits.MIN_FRAME_RATE, CameraLimits.MAX_FRAME_RATE, this::updatePace);
        floating(Reg.EXPOSURE_TIME, 10, 1_000_000, this::updateChunkValues);
        register(Reg.EXPOSURE_MODE, v -> within(v, 1, 1));
        register(Reg.EXPOSURE_AUTO, v -> within(v, 0, 0));
        register(Reg.TRIGGER_SELECTOR, v -> within(v, 0, 0));
        register(Reg.TRIGGER_MODE, v -> within(v, 0, 1), this::triggerModeWritten);
        register(Reg.TRIGGER_SOURCE, v -> within(v, SOFTWARE, LINE_0 + LINES - 1));
        register(Reg.TRIGGER_ACTIVATION, v -> within(v, RISING_EDGE, ANY_EDGE));
        register(Reg.LINE_SELECTOR, v -> within(v, 0, LINES - 1));
        space.constant(Reg.LINE_STATUS_ALL, 0);
        command(Reg.TRIGGER_SOFTWARE, () -> trigger(SOFTWARE));
        floating(Reg.GAIN, 0, 48, this::updateChunkValues);
        floating(Reg.BLACK_LEVEL, 0, 255, () -> {});
        floating(Reg.GAMMA, 0.1, 4, () -> {});
        register(Reg.GAIN_AUTO, v -> within(v, 0, 0));
        register(Reg.GAIN_SELECTOR, v -> within(v, 0, 0));
        register(Reg.ACQUISITION_STATUS_SELECTOR, v -> within(v, 0, 0));

        register(Reg.TL_PARAMS_LOCKED, v -> within(v, 0, 1));
        space.constant(Reg.PAYLOAD_SIZE, 0);
        lockable(Reg.GENDC_STREAMING_MODE, v -> within(v, 0, genDcOffered() ? 2 : 0), this::rebuild);
        lockable(
                Reg.TEST_PAYLOAD_FORMAT_MODE,
                v -> {
                    boolean multiPartOffered = (scenario.payload().capability() & MULTI_PART_BIT) != 0;
                    require(v == TEST_OFF
                            || (v == TEST_MULTI_PART && multiPartOffered)
                            || (v == TEST_GENDC && genDcOffered()));
                    return v;
                },
                this::rebuild);
        lockable(Reg.CHUNK_MODE_ACTIVE, v -> within(v, 0, 1), this::rebuild);
        lockable(Reg.CHUNK_XML_ENABLE, v -> within(v, 0, 1), this::rebuild);
        register(Reg.CHUNK_SELECTOR, v -> within(v, 0, ChunkKind.values().length - 1));
        for (ChunkKind kind : ChunkKind.values()) {
            lockable(Reg.CHUNK_ENABLE + 4 * kind.ordinal(), v -> within(v, 0, 1), this::rebuild);
        }
        register(Reg.EVENT_SELECTOR, v -> within(v, 0, EventKind.values().length - 1));
        for (EventKind kind : EventKind.values()) {
            int own = Reg.EVENT_NOTIFICATION + 4 * kind.ordinal();
            register(own, v -> within(v, 0, 1), () -> events.wanted(kind, space.get(own) == 1));
        }
        command(Reg.TEST_EVENT_GENERATE, () -> events.post(EventKind.TEST, 0, timestamp()));
        space.constant(Reg.GENDC_STREAMING_STATUS, 0);
        space.constant(Reg.GENDC_DESCRIPTOR_LENGTH, 0);
        space.constant(Reg.GENDC_FLOW_TABLE_LENGTH, 0);
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
        command(Reg.DEVICE_RESET, this::reset);
        space.map(Reg.DEVICE_TEMPERATURE, 8);
    }

    private static int step(int value, int min, int max) throws RegisterException {
        require(value % CameraLimits.WIDTH_STEP == 0);
        return within(value, min, max);
    }

    private void loadDefaults() {
        space.set(Reg.WIDTH, scenario.width());
        space.set(Reg.HEIGHT, scenario.height());
        space.set(Reg.OFFSET_X, 0);
        space.set(Reg.OFFSET_Y, 0);
        int fixed = scenario.content().fixedFormat();
        space.set(Reg.PIXEL_FORMAT, fixed == 0 ? scenario.pixelFormat() : fixed);
        space.set(Reg.TEST_PATTERN, 1);
        space.set(Reg.COMPONENT_SELECTOR, (int) TestPattern.INTENSITY);
        for (ComponentKind kind : ComponentKind.values()) {
            boolean on = scenario.components().contains(kind);
            space.set(Reg.COMPONENT_ENABLE + 4 * (int) kind.typeId(), on ? 1 : 0);
        }
        space.set(Reg.ACQUISITION_MODE, 0);
        space.set(Reg.ACQUISITION_FRAME_COUNT, 1);
        space.setDouble(Reg.FRAME_RATE, scenario.frameRate());
        space.setDouble(Reg.EXPOSURE_TIME, 10_000);
        space.set(Reg.EXPOSURE_MODE, 1);
        space.set(Reg.TRIGGER_MODE, 0);
        space.set(Reg.TRIGGER_SOURCE, SOFTWARE);
        space.set(Reg.TRIGGER_ACTIVATION, RISING_EDGE);
        triggerModeWritten();
        space.setDouble(Reg.GAIN, 0);
        space.setDouble(Reg.BLACK_LEVEL, 0);
        space.setDouble(Reg.GAMMA, 1);
        space.set(Reg.GENDC_STREAMING_MODE, genDcModeAtStart());
        space.set(Reg.TEST_PAYLOAD_FORMAT_MODE, TEST_OFF);
        boolean metadata = scenario.content() == Content.METADATA;
        space.set(Reg.CHUNK_MODE_ACTIVE, metadata || scenario.payload().hasChunks() ? 1 : 0);
        space.set(Reg.CHUNK_XML_ENABLE, metadata ? 1 : 0);
        space.set(Reg.CHUNK_SELECTOR, 0);
        for (ChunkKind kind : ChunkKind.values()) {
            space.set(Reg.CHUNK_ENABLE + 4 * kind.ordinal(), 1);
        }
        for (EventKind kind : EventKind.values()) {
            space.set(Reg.EVENT_NOTIFICATION + 4 * kind.ordinal(), 0);
            events.wanted(kind, false);
        }
        updateChunkValues();
        rebuild();
    }

    private int genDcModeAtStart() {
        return genDcOffered() ? scenario.genDcMode().registerValue() : GenDcMode.OFF.registerValue();
    }

    private void refresh() {
        space.set(Reg.ACQUISITION_STATUS, acquisitionActive() ? 1 : 0);
        space.setDouble(Reg.DEVICE_TEMPERATURE, 38.5);
        refreshClock();
        space.set(Reg.RDMA_CAPABILITY, rdmaCapability());
        rdma.ifPresent(r -> {
            space.set(Reg.RDMA_PORT, r.port());
            space.set(Reg.RDMA_BLOCKS_DROPPED, (int) r.blocksDropped());
            space.set(Reg.RDMA_BLOCKS_SENT, (int) r.blocksSent());
            space.set(Reg.RDMA_STATUS, r.lastStatus());
        });
    }

    @Override
    boolean locked() {
        return space.get(Reg.TL_PARAMS_LOCKED) != 0 || acquisitionActive();
    }

    // ---- layout ------------------------------------------------------------------------------------------------

    private boolean genDcOffered() {
        return (scenario.payload().capability() & GENDC_BIT) != 0;
    }

    private boolean genDc() {
        int test = space.get(Reg.TEST_PAYLOAD_FORMAT_MODE);
        int mode = space.get(Reg.GENDC_STREAMING_MODE);
        return test == TEST_GENDC
                || (test == TEST_OFF && mode == GenDcMode.ON.registerValue())
                || (test == TEST_OFF
                        && mode == GenDcMode.AUTOMATIC.registerValue()
                        && (space.get(Reg.SCCFG) & GENDC_BIT) != 0);
    }

    private boolean multiPart() {
        int test = space.get(Reg.TEST_PAYLOAD_FORMAT_MODE);
        return test == TEST_MULTI_PART || (test == TEST_OFF && (space.get(Reg.SCCFG) & MULTI_PART_BIT) != 0);
    }

    private Set<ComponentKind> enabled() {
        Set<ComponentKind> kinds = EnumSet.noneOf(ComponentKind.class);
        for (ComponentKind kind : ComponentKind.values()) {
            if (space.get(Reg.COMPONENT_ENABLE + 4 * (int) kind.typeId()) != 0) {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    private List<ChunkKind> enabledChunks() {
        return Arrays.stream(ChunkKind.values())
                .filter(kind -> space.get(Reg.CHUNK_ENABLE + 4 * kind.ordinal()) != 0)
                .toList();
    }

    private boolean chunkModeActive() {
        return space.get(Reg.CHUNK_MODE_ACTIVE) != 0;
    }

    private void updateChunkValues() {
        chunkValues.exposureTime = space.getDouble(Reg.EXPOSURE_TIME);
        chunkValues.gain = space.getDouble(Reg.GAIN);
    }

    private Composition.Settings settings() {
        chunkValues.width = space.get(Reg.WIDTH);
        chunkValues.height = space.get(Reg.HEIGHT);
        chunkValues.pixelFormat = space.get(Reg.PIXEL_FORMAT);
        chunkValues.offsetX = space.get(Reg.OFFSET_X);
        chunkValues.offsetY = space.get(Reg.OFFSET_Y);
        return new Composition.Settings(
                scenario.content(),
                enabled(),
                space.get(Reg.PIXEL_FORMAT),
                space.get(Reg.WIDTH),
                space.get(Reg.HEIGHT),
                space.get(Reg.OFFSET_X),
                space.get(Reg.OFFSET_Y),
                scenario.flows(),
                chunkModeActive() ? Optional.of(enabledChunks()) : Optional.empty(),
                space.get(Reg.CHUNK_XML_ENABLE) != 0,
                chunkValues,
                scenario.pictures());
    }

    /** The layout of a payload of one part. */
    private BlockLayout payload(Composition.Settings settings) {
        Composition composition = Composition.of(settings, Optional.empty());
        int configuration = space.get(Reg.SCCFG);
        int type = PayloadLayout.payloadTypeOf(composition);
        boolean image = type == PayloadLayout.IMAGE;
        if (scenario.payload() == StreamPayload.RAW) {
            type = PayloadLayout.RAW;
        } else if (scenario.payload() == StreamPayload.FILE) {
            type = PayloadLayout.FILE;
        } else if (scenario.payload() == StreamPayload.MULTI_ZONE && image) {
            type = PayloadLayout.MULTI_ZONE;
        } else if (chunkModeActive() && image) {
            if ((configuration & EXTENDED_CHUNK_BIT) == 0) {
                type = PayloadLayout.CHUNK;
            } else if (scenario.payload() == StreamPayload.EXTENDED_CHUNK) {
                type = PayloadLayout.EXTENDED_CHUNK;
            } else {
                type |= PayloadLayout.WITH_CHUNKS;
            }
        }
        return new PayloadLayout(composition, type, (configuration & ALL_IN_BIT) != 0, enabledChunks(), chunkValues);
    }

    /** Makes everything that follows from size, format, components and packet size. */
    @Override
    public void rebuild() {
        Composition.Settings settings = settings();
        container = new GenDcLayout(
                Composition.of(settings, Optional.of(ByteOrder.LITTLE_ENDIAN)),
                scenario.descriptorWithData(),
                clock::follows);
        boolean genDc = genDc();
        space.set(Reg.SCCFG, (space.get(Reg.SCCFG) & ~GENDC_BIT) | (genDc ? GENDC_BIT : 0));
        if (genDc) {
            layout = container;
        } else if (multiPart()) {
            layout = new MultiPartLayout(Composition.of(settings, Optional.of(ByteOrder.BIG_ENDIAN)));
        } else {
            layout = payload(settings);
        }
        // They say more in their headers than short ids leave room for.
        boolean needsExtendedIds = layout.payloadType() == GenDcLayout.PAYLOAD_TYPE
                || layout.payloadType() == MultiPartLayout.PAYLOAD_TYPE
                || layout.payloadType() == PayloadLayout.MULTI_ZONE;
        if (needsExtendedIds && !extendedIds()) {
            extendedIdsForced = true;
            space.set(Reg.GVSP_CONFIGURATION, EXTENDED_ID_BIT);
        } else if (!needsExtendedIds && extendedIdsForced) {
            extendedIdsForced = false;
            space.set(Reg.GVSP_CONFIGURATION, 0);
        }
        message.changed();
        space.set(Reg.PAYLOAD_SIZE, layout.blockBytes());
        space.set(Reg.SCMBS_HIGH, 0);
        space.set(Reg.SCMBS_LOW, layout.blockBytes());
        space.set(Reg.SCMPC, new PacketPlan(layout, packetSize(), extendedIds()).packetCount());
        furtherChannels.forEach(GvspChannel::follow);
        space.set(Reg.GENDC_STREAMING_STATUS, genDc ? 1 : 0);
        byte[] descriptor = container.prefetchDescriptor();
        byte[] flowTable = container.flowTable();
        space.set(Reg.GENDC_DESCRIPTOR_LENGTH, descriptor.length);
        space.set(Reg.GENDC_FLOW_TABLE_LENGTH, flowTable.length);
        space.blob(Reg.GENDC_DESCRIPTOR, descriptor);
        space.blob(Reg.GENDC_FLOW_TABLE, flowTable);
        space.blob(
                Reg.EXTENDED_BOOTSTRAP,
                ByteBuffer.allocate(16)
                        .putInt(Reg.GENDC_DESCRIPTOR)
                        .putInt(descriptor.length)
                        .putInt(Reg.GENDC_FLOW_TABLE)
                        .putInt(flowTable.length)
                        .array());
    }

    // ---- stream channel ----------------------------------------------------------------------------------------

    private int packetSize() {
        return space.get(Reg.SCPS) & SCPS_SIZE;
    }

    private int checkPacketSize(int value) throws RegisterException {
        return checkPacketSize(value, packetSize(), acquisitionActive());
    }

    static int checkPacketSize(int value, int present, boolean active) throws RegisterException {
        int size = Math.max(CameraLimits.MIN_PACKET, Math.min(CameraLimits.MAX_PACKET, value & SCPS_SIZE)) & ~3;
        if (size != present && active) {
            throw new RegisterException(Gvcp.WRITE_PROTECT);
        }
        return (value & (SCPS_FIRE | SCPS_DO_NOT_FRAGMENT)) | size;
    }

    private void packetSizeWritten() {
        int value = space.get(Reg.SCPS);
        space.set(Reg.SCPS, value & ~SCPS_FIRE);
        if ((value & SCPS_FIRE) != 0) {
            destination().ifPresent(to -> sender.sendTestPacket(to, packetSize(), (value & SCPS_DO_NOT_FRAGMENT) != 0));
        }
        rebuild();
    }

    private Optional<InetSocketAddress> destination() {
        int port = space.get(Reg.SCP) & 0xFFFF;
        int ip = space.get(Reg.SCDA);
        return port == 0 || ip == 0 ? Optional.empty() : Optional.of(new InetSocketAddress(Location.address(ip), port));
    }

    private void channelChanged() {
        if (byRdma()) {
            return;
        }
        if (session != null) {
            session.aborted = true;
            wakeSenders();
            session = null;
        }
        openChannel();
    }

    private void updatePace() {
        if (session != null) {
            session.framePeriodNanos = framePeriodNanos();
            session.packetDelayNanos = packetDelayNanos();
            session.waitForTriggers(triggered());
        }
        furtherChannels.forEach(GvspChannel::pace);
    }

    @Override
    public long framePeriodNanos() {
        return Math.round(1e9 / space.getDouble(Reg.FRAME_RATE));
    }

    private long packetDelayNanos() {
        return Math.min(Integer.toUnsignedLong(space.get(Reg.SCPD)), TICKS_PER_SECOND);
    }

    // ---- RDMA --------------------------------------------------------------------------------------------------

    private int rdmaCapability() {
        return rdma.isPresent() && rdma.get().port() != 0 ? RDMA_SEND | RDMA_WRITE : 0;
    }

    private boolean byRdma() {
        return space.get(Reg.RDMA_MODE) != RdmaGreeting.MODE_GVSP;
    }

    private void rdmaModeWritten() {
        rdma.ifPresent(r -> {
            r.dismiss();
            if (byRdma()) {
                r.restartCounters();
            }
        });
    }

    @Override
    public synchronized int judge(RdmaGreeting greeting) {
        if (!greeting.known() || greeting.channel() != 0) {
            return Gvcp.INVALID_PARAMETER;
        }
        if (controller == null || !byRdma() || !nonce.is(greeting.nonce())) {
            return Gvcp.ACCESS_DENIED;
        }
        boolean fits = greeting.mode() == space.get(Reg.RDMA_MODE)
                && greeting.flowCount() == container.flowRanges().size()
                && greeting.receiveDepth() >= 1
                && greeting.receiveDepth() <= RdmaLink.MAX_DEPTH;
        return fits ? Gvcp.SUCCESS : Gvcp.INVALID_PARAMETER;
    }

    @Override
    public synchronized void letIn() {
        nonce.use();
    }

    private int taken(int register) {
        int value = space.get(register);
        space.set(register, 0);
        return value;
    }

    @Override
    public synchronized GenDcLayout container() {
        return container;
    }

    synchronized SentBlock sentBlock(long blockId, long timestamp) {
        BlockLayout sent = byRdma() ? container : layout;
        return sent.sent(sent.stamp(blockId, timestamp));
    }

    private void wakeSenders() {
        sender.wake();
        rdma.ifPresent(RdmaSender::wake);
        furtherChannels.forEach(channel -> channel.sender().wake());
    }

    // ---- acquisition -------------------------------------------------------------------------------------------

    private boolean acquisitionActive() {
        return acquiring
                && (session == null
                        || !session.finished
                        || furtherChannels.stream().anyMatch(GvspChannel::streaming));
    }

    @Override
    public boolean sendsByGvsp() {
        return acquiring && !byRdma();
    }

    private void startAcquisition() {
        if (acquisitionActive()) {
            return;
        }
        acquiring = true;
        session = null;
        openChannel();
        furtherChannels.forEach(GvspChannel::reopen);
    }

    private void openChannel() {
        if (!acquiring || session != null) {
            return;
        }
        Optional<InetSocketAddress> to = destination();
        if (to.isEmpty() && !byRdma()) {
            return;
        }
        session = new StreamSender.Session();
        updatePace();
        if (byRdma()) {
            rdma.orElseThrow().submit(new RdmaSender.Job(container, scenario.firstBlockId(), frames(), session));
        } else {
            sender.submit(job(to.get(), space.get(Reg.SCPS), session));
        }
        notifyAll();
    }

    private long frames() {
        return switch (space.get(Reg.ACQUISITION_MODE)) {
            case 1 -> 1;
            case 2 -> space.get(Reg.ACQUISITION_FRAME_COUNT);
            default -> Long.MAX_VALUE;
        };
    }

    @Override
    public boolean triggered() {
        return space.get(Reg.TRIGGER_MODE) == 1;
    }

    @Override
    public StreamSender.Job job(InetSocketAddress to, int scps, StreamSender.Session session) {
        return new StreamSender.Job(
                new PacketPlan(layout, scps & SCPS_SIZE, extendedIds()),
                to,
                (scps & SCPS_DO_NOT_FRAGMENT) != 0,
                scenario.firstBlockId(),
                frames(),
                session);
    }

    private void stopAcquisition() {
        if (session != null) {
            session.stopAfterBlock = true;
            wakeSenders();
        }
        furtherChannels.forEach(channel -> channel.stop(false));
        acquiring = false;
    }

    private void endAcquisition() {
        if (session != null) {
            session.aborted = true;
            wakeSenders();
        }
        furtherChannels.forEach(channel -> channel.stop(true));
        acquiring = false;
    }

    /** A trigger came from a source; the device listens to one. */
    private synchronized void trigger(int source) {
        if (source != space.get(Reg.TRIGGER_SOURCE) || !triggered()) {
            return;
        }
        if (session != null && session.triggers.get() < 64) {
            session.triggers.incrementAndGet();
            wakeSenders();
        }
        furtherChannels.forEach(GvspChannel::trigger);
    }

    private void triggerModeWritten() {
        updatePace();
        wakeSenders();
    }

    synchronized void setLine(int line, boolean high) {
        if (line < 0 || line >= LINES) {
            throw new VirtualCameraException("The camera has the lines 0 to " + (LINES - 1) + ", not " + line);
        }
        int all = space.get(Reg.LINE_STATUS_ALL);
        int now = high ? all | 1 << line : all & ~(1 << line);
        if (now == all) {
            return;
        }
        space.set(Reg.LINE_STATUS_ALL, now);
        int activation = space.get(Reg.TRIGGER_ACTIVATION);
        if (activation == ANY_EDGE || (activation == RISING_EDGE) == high) {
            trigger(LINE_0 + line);
        }
    }

    private boolean available(int pixelFormat) {
        int fixed = scenario.content().fixedFormat();
        return fixed == 0 ? Formats.BY_NAME.containsValue(pixelFormat) : pixelFormat == fixed;
    }

    private synchronized void acquisitionEnded() {
        notifyAll();
    }

    synchronized boolean streaming() {
        return (session != null && !session.finished)
                || furtherChannels.stream().anyMatch(GvspChannel::streaming);
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

    // ---- other commands ----------------------------------------------------------------------------------------

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
                events.wanted(kind, space.get(Reg.EVENT_NOTIFICATION + 4 * kind.ordinal()) == 1);
            }
            updateChunkValues();
            triggerModeWritten();
            rebuild();
        }
    }

    private void reset() {
        endAcquisition();
        endControl();
        files.restart();
        loadUserSet(memory.userSets.atStart());
        space.set(Reg.HEARTBEAT_TIMEOUT, DEFAULT_HEARTBEAT_MS);
        space.set(Reg.SCPS, scenario.packetSizeBytes());
        space.set(Reg.SCPD, 0);
        restartClock();
        ptp.latchDataSet();
        actions.reset();
        rebuild();
        moveTo(configuredLocation());
    }

    synchronized void shutDown() {
        endAcquisition();
        notifyAll();
    }

    // ---- helpers -----------------------------------------------------------------------------------------------

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
