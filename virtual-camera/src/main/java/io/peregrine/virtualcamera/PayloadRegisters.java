package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the blocks of a camera are: GenDC, multi-part or a payload of one part, by the registers of size, format,
 * components and chunks. Used by the holder of the device's monitor.
 */
final class PayloadRegisters {
    private static final int GENDC_BIT = 0x80;
    private static final int MULTI_PART_BIT = 0x40;
    private static final int ALL_IN_BIT = 0x4;
    private static final int UNCONDITIONAL_BIT = 0x2;
    private static final int EXTENDED_CHUNK_BIT = 0x1;
    /** SCMPC. */
    private static final int CHANNEL_CAPABILITY = 0x100;
    /**
     * What SCCFG can switch: GenDC, multi-part, large leader and trailer, all-in, unconditional, extended chunk data.
     */
    private static final int SWITCHABLE = 0xE7;

    private static final int TEST_OFF = 0;
    private static final int TEST_MULTI_PART = 1;
    private static final int TEST_GENDC = 2;

    private final GevDevice device;
    private final RegisterSpace space;
    private final Scenario scenario;
    private final ChunkData.Values chunkValues = new ChunkData.Values();
    private boolean extendedIdsForced;
    private BlockLayout layout;
    private GenDcLayout container;

    PayloadRegisters(GevDevice device, Scenario scenario) {
        this.device = device;
        this.scenario = scenario;
        space = device.space;
    }

    /** How the next block is laid out for GVSP. */
    BlockLayout layout() {
        return layout;
    }

    /** The GenDC container of the next block, whether GVSP sends it or not. */
    GenDcLayout container() {
        return container;
    }

    /** Maps SCC, SCCFG and what the camera reports of the payload; the rules of SCCFG end with an action. */
    void mapChannel(RegisterSpace.Action rebuild) {
        space.constant(Reg.SCC, capability());
        device.lockable(Reg.SCCFG, v -> v & switchable(), rebuild);
        if (scenario.payload() == StreamPayload.MULTI_ZONE) {
            space.constant(Reg.SCZ, PayloadLayout.ZONES - 1);
            space.constant(Reg.SCZD, PayloadLayout.ZONE_DIRECTIONS);
        }
        space.constant(Reg.SCEBA, Reg.EXTENDED_BOOTSTRAP);
    }

    private int capability() {
        return CHANNEL_CAPABILITY | UNCONDITIONAL_BIT | scenario.payload().capability();
    }

    /** The bits of SCCFG that an application can switch. */
    int switchable() {
        return capability() & SWITCHABLE;
    }

    /** Maps the features. */
    void map(RegisterSpace.Action rebuild) {
        for (ComponentKind kind : ComponentKind.values()) {
            int register = enableRegister(kind);
            device.lockable(
                    register,
                    v -> {
                        GevDevice.within(v, 0, 1);
                        GevDevice.require(v == 1 || enabled().size() > 1 || space.get(register) == 0);
                        return v;
                    },
                    rebuild);
        }
        space.constant(Reg.PAYLOAD_SIZE, 0);
        device.lockable(Reg.GENDC_STREAMING_MODE, v -> GevDevice.within(v, 0, genDcOffered() ? 2 : 0), rebuild);
        device.lockable(
                Reg.TEST_PAYLOAD_FORMAT_MODE,
                v -> {
                    boolean multiPartOffered = (scenario.payload().capability() & MULTI_PART_BIT) != 0;
                    GevDevice.require(v == TEST_OFF
                            || (v == TEST_MULTI_PART && multiPartOffered)
                            || (v == TEST_GENDC && genDcOffered()));
                    return v;
                },
                rebuild);
        device.lockable(Reg.CHUNK_MODE_ACTIVE, v -> GevDevice.within(v, 0, 1), rebuild);
        device.lockable(Reg.CHUNK_XML_ENABLE, v -> GevDevice.within(v, 0, 1), rebuild);
        device.register(Reg.CHUNK_SELECTOR, v -> GevDevice.within(v, 0, ChunkKind.values().length - 1));
        for (ChunkKind kind : ChunkKind.values()) {
            device.lockable(Reg.CHUNK_ENABLE + 4 * kind.ordinal(), v -> GevDevice.within(v, 0, 1), rebuild);
        }
        space.constant(Reg.GENDC_STREAMING_STATUS, 0);
        space.constant(Reg.GENDC_DESCRIPTOR_LENGTH, 0);
        space.constant(Reg.GENDC_FLOW_TABLE_LENGTH, 0);
    }

    private static int enableRegister(ComponentKind kind) {
        return Reg.COMPONENT_ENABLE + 4 * (int) kind.typeId();
    }

    void loadDefaults() {
        for (ComponentKind kind : ComponentKind.values()) {
            space.set(enableRegister(kind), scenario.components().contains(kind) ? 1 : 0);
        }
        space.set(Reg.GENDC_STREAMING_MODE, genDcModeAtStart());
        space.set(Reg.TEST_PAYLOAD_FORMAT_MODE, TEST_OFF);
        boolean metadata = scenario.content() == Content.METADATA;
        space.set(Reg.CHUNK_MODE_ACTIVE, metadata || scenario.payload().hasChunks() ? 1 : 0);
        space.set(Reg.CHUNK_XML_ENABLE, metadata ? 1 : 0);
        space.set(Reg.CHUNK_SELECTOR, 0);
        for (ChunkKind kind : ChunkKind.values()) {
            space.set(Reg.CHUNK_ENABLE + 4 * kind.ordinal(), 1);
        }
    }

    /** Sets what does not outlive the control channel as it is at start. */
    void release() {
        space.set(Reg.SCCFG, scenario.payload().configuration());
        space.set(Reg.GVSP_CONFIGURATION, 0);
        space.set(Reg.GENDC_STREAMING_MODE, genDcModeAtStart());
    }

    /** Whether blocks are sent on when control ends (SCCFG). */
    boolean unconditional() {
        return (space.get(Reg.SCCFG) & UNCONDITIONAL_BIT) != 0;
    }

    private int genDcModeAtStart() {
        return genDcOffered() ? scenario.genDcMode().registerValue() : Scenario.GenDcMode.OFF.registerValue();
    }

    private boolean genDcOffered() {
        return (scenario.payload().capability() & GENDC_BIT) != 0;
    }

    private boolean genDc() {
        int test = space.get(Reg.TEST_PAYLOAD_FORMAT_MODE);
        int mode = space.get(Reg.GENDC_STREAMING_MODE);
        return test == TEST_GENDC
                || (test == TEST_OFF && mode == Scenario.GenDcMode.ON.registerValue())
                || (test == TEST_OFF
                        && mode == Scenario.GenDcMode.AUTOMATIC.registerValue()
                        && (space.get(Reg.SCCFG) & GENDC_BIT) != 0);
    }

    private boolean multiPart() {
        int test = space.get(Reg.TEST_PAYLOAD_FORMAT_MODE);
        return test == TEST_MULTI_PART || (test == TEST_OFF && (space.get(Reg.SCCFG) & MULTI_PART_BIT) != 0);
    }

    private Set<ComponentKind> enabled() {
        Set<ComponentKind> kinds = EnumSet.noneOf(ComponentKind.class);
        for (ComponentKind kind : ComponentKind.values()) {
            if (space.get(enableRegister(kind)) != 0) {
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

    /** Follows the features whose values chunks carry, in blocks that are under way, too. */
    void updateChunkValues() {
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
                scenario.distinctImages());
    }

    /** The layout of a payload of one part. */
    private BlockLayout onePart(Composition.Settings settings) {
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

    /** Makes the layouts that follow from the registers, and the registers that follow from them. */
    void rebuild() {
        Composition.Settings settings = settings();
        container = new GenDcLayout(
                Composition.of(settings, Optional.of(ByteOrder.LITTLE_ENDIAN)),
                scenario.descriptorWithData(),
                device.clock::follows);
        boolean genDc = genDc();
        space.set(Reg.SCCFG, (space.get(Reg.SCCFG) & ~GENDC_BIT) | (genDc ? GENDC_BIT : 0));
        if (genDc) {
            layout = container;
        } else if (multiPart()) {
            layout = new MultiPartLayout(Composition.of(settings, Optional.of(ByteOrder.BIG_ENDIAN)));
        } else {
            layout = onePart(settings);
        }
        forceExtendedIds();
        space.set(Reg.PAYLOAD_SIZE, layout.blockBytes());
        space.set(Reg.SCMBS_HIGH, 0);
        space.set(Reg.SCMBS_LOW, layout.blockBytes());
        space.set(Reg.GENDC_STREAMING_STATUS, genDc ? 1 : 0);
        showDescriptor();
    }

    /** Some payloads have more in their headers than short block ids leave room for. */
    private void forceExtendedIds() {
        boolean needed = layout.payloadType() == GenDcLayout.PAYLOAD_TYPE
                || layout.payloadType() == MultiPartLayout.PAYLOAD_TYPE
                || layout.payloadType() == PayloadLayout.MULTI_ZONE;
        if (needed && !device.extendedIds()) {
            extendedIdsForced = true;
            space.set(Reg.GVSP_CONFIGURATION, GevDevice.EXTENDED_ID_BIT);
        } else if (!needed && extendedIdsForced) {
            extendedIdsForced = false;
            space.set(Reg.GVSP_CONFIGURATION, 0);
        }
    }

    private void showDescriptor() {
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
}
