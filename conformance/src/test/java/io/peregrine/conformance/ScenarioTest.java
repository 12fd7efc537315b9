package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.ChunkItem;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.ChunkNodes;
import io.peregrine.device.Device;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.NodeMap;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.virtualcamera.Content;
import io.peregrine.virtualcamera.FaultPlan;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.SentBlock;
import io.peregrine.virtualcamera.StreamPayload;
import io.peregrine.virtualcamera.VirtualCamera;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the virtual camera sends arrives with every byte and every field. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ScenarioTest {
    private static final Duration FRAME_LIMIT = Duration.ofSeconds(10);
    private static final int FRAMES = 24;
    /** Enough to lose some of the packets of each scenario. */
    private static final int FRAMES_WITH_LOSS = 30;
    /** A frame of one packet must be lost as a whole. */
    private static final int SMALL_FRAMES_WITH_LOSS = 300;

    private static final int IMAGE = 0x0001;
    private static final int MULTI_ZONE = 0x0009;
    private static final int EXTENDED_CHUNK = 0x0005;
    private static final int CHUNK = 0x0004;
    private static final int CHUNK_BIT = 0x4000;
    /** Data types of multi-part up to confidence are images. */
    private static final int LAST_WITH_GEOMETRY = 9;

    /** How a scenario travels. */
    enum Way {
        GVSP(FRAMES, 7, "1500"),
        GVSP_WITH_LOSS(FRAMES_WITH_LOSS, 7, "576"),
        /** By RDMA a camera drops frames as long as it was not told of a free flow set. */
        RDMA(FRAMES, 0, "1500");

        private final int frames;
        /** Frames that the camera is ahead: fewer than the receiver has flow sets, or can put together at a time. */
        private final int ahead;

        private final String packetSize;

        Way(int frames, int ahead, String packetSize) {
            this.frames = frames;
            this.ahead = ahead;
            this.packetSize = packetSize;
        }
    }

    record Sent(Content content, StreamPayload payload, Scenario.Flows flows, Way way, boolean descriptorWithData) {
        Sent(Content content, StreamPayload payload, Scenario.Flows flows, Way way) {
            this(content, payload, flows, way, false);
        }

        int frames() {
            return way == Way.GVSP_WITH_LOSS && payload == StreamPayload.ALL_IN ? SMALL_FRAMES_WITH_LOSS : way.frames;
        }
    }

    static Stream<Sent> containers() {
        return Stream.of(Content.values())
                .flatMap(content -> Stream.of(Scenario.Flows.values())
                        .filter(flows -> content != Content.TWO_FLOWS || flows == Scenario.Flows.SINGLE)
                        .flatMap(flows -> Stream.of(Way.values())
                                .map(way -> new Sent(content, StreamPayload.AUTOMATIC, flows, way))));
    }

    /** Containers whose descriptor shares a packet with data. */
    static Stream<Sent> sharedPackets() {
        return Stream.of(
                        Content.COMPONENTS,
                        Content.PACKED,
                        Content.METADATA,
                        Content.JPEG_2000,
                        Content.TWO_FLOWS,
                        Content.VARIABLE_COMPONENTS)
                .flatMap(content -> Stream.of(Way.GVSP, Way.GVSP_WITH_LOSS)
                        .map(way -> new Sent(content, StreamPayload.AUTOMATIC, Scenario.Flows.SINGLE, way, true)));
    }

    @ParameterizedTest
    @MethodSource({"containers", "sharedPackets"})
    void everyByteAndFieldOfAContainerArrives(Sent sent) {
        stream(sent, (block, composite) -> {
            assertEquals(composite.blockId(), composite.id(), "container id");
            assertEquals(block.parts().size(), composite.parts().size(), composite::toString);
            for (int i = 0; i < block.parts().size(); i++) {
                SentBlock.Part part = block.parts().get(i);
                Item item = composite.parts().get(i);
                compare(part, item, composite.timestamp());
                assertEquals(part.typeId(), item.typeId(), "component type");
                assertEquals(part.partType(), item.partType(), "part type");
                assertEquals(part.groupId(), item.groupId(), "group");
                if (item instanceof ChunkItem chunk) {
                    assertEquals(part.layoutId(), chunk.layoutId(), "layout id");
                    assertEquals(0, part.countBadBytes(chunk.chunkData()), "chunk data");
                }
            }
        });
    }

    static Stream<Sent> multiPart() {
        return Stream.of(Content.values())
                // GVSP has no word for an invalid part, and flows are those of GenDC.
                .filter(content -> content != Content.INVALID && content != Content.TWO_FLOWS)
                .flatMap(content -> Stream.of(Way.GVSP, Way.GVSP_WITH_LOSS)
                        .map(way -> new Sent(content, StreamPayload.MULTI_PART, Scenario.Flows.SINGLE, way)));
    }

    @ParameterizedTest
    @MethodSource("multiPart")
    void everyByteAndFieldOfAMultiPartBlockArrives(Sent sent) {
        stream(sent, (block, composite) -> {
            assertEquals(block.parts().size(), composite.parts().size(), composite::toString);
            for (int i = 0; i < block.parts().size(); i++) {
                SentBlock.Part part = block.parts().get(i);
                Item item = composite.parts().get(i);
                assertEquals(0, part.countBadBytes(item.data()), () -> "bytes of " + item);
                assertEquals(part.regionId(), item.regionId(), "region");
                assertEquals(part.sourceId(), item.sourceId(), "source");
                if (part.dataType() <= LAST_WITH_GEOMETRY) {
                    assertEquals(part.typeId(), item.typeId(), "component type");
                    compare(part, item, composite.timestamp());
                }
            }
        });
    }

    static Stream<Sent> singleParts() {
        return Stream.concat(
                        Stream.of(
                                        Content.COMPONENTS,
                                        Content.PADDED,
                                        Content.VARIABLE_HEIGHT,
                                        Content.PACKED,
                                        Content.COORDINATES,
                                        Content.POINT_CLOUD,
                                        Content.JPEG,
                                        Content.JPEG_2000,
                                        Content.H_264)
                                .map(content -> single(content, StreamPayload.IMAGE)),
                        Stream.of(
                                        StreamPayload.IMAGE_WITH_CHUNKS,
                                        StreamPayload.CHUNK,
                                        StreamPayload.EXTENDED_CHUNK,
                                        StreamPayload.MULTI_ZONE,
                                        StreamPayload.RAW,
                                        StreamPayload.FILE)
                                .flatMap(payload -> Stream.of(Content.COMPONENTS, Content.VARIABLE_HEIGHT)
                                        .map(content -> single(content, payload))))
                .flatMap(sent -> Stream.of(Way.GVSP, Way.GVSP_WITH_LOSS)
                        .map(way -> new Sent(sent.content, sent.payload, sent.flows, way)));
    }

    private static Sent single(Content content, StreamPayload payload) {
        return new Sent(content, payload, Scenario.Flows.SINGLE, Way.GVSP);
    }

    @ParameterizedTest
    @MethodSource("chunks")
    void chunkFeaturesAreThoseOfTheBlock(Sent sent) {
        try (VirtualCamera camera = camera(sent);
                Device device = open(camera, sent);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            device.nodes().floating("ExposureTime").set(1250.5);
            device.nodes().floating("Gain").set(3.25);
            device.nodes().enumeration("ChunkSelector").set("Height");
            device.nodes().bool("ChunkEnable").set(false);
            stream.start();
            for (int frame = 0; frame < FRAMES; frame++) {
                WaitResult result = stream.waitFor(FRAME_LIMIT);
                try (Composite composite =
                                assertInstanceOf(WaitResult.Ok.class, result).composite();
                        ChunkNodes chunks = device.chunks(composite).orElseThrow()) {
                    NodeMap nodes = chunks.nodes();
                    assertEquals(
                            composite.blockId(), nodes.integer("ChunkFrameID").value());
                    assertEquals(
                            composite.timestamp(),
                            nodes.integer("ChunkTimestamp").value());
                    assertEquals(1250.5, nodes.floating("ChunkExposureTime").value());
                    assertEquals(3.25, nodes.floating("ChunkGain").value());
                    assertEquals(160, nodes.integer("ChunkWidth").value());
                    assertFalse(nodes.integer("ChunkHeight").readable(), "a chunk that is switched off");
                    assertEquals("Mono8", nodes.enumeration("ChunkPixelFormat").value());
                }
            }
        }
    }

    static Stream<Sent> chunks() {
        return Stream.concat(
                Stream.of(StreamPayload.values())
                        .filter(payload -> payload.toString().contains("CHUNK"))
                        .map(payload -> single(Content.COMPONENTS, payload)),
                Stream.of(
                        single(Content.METADATA, StreamPayload.AUTOMATIC),
                        single(Content.METADATA, StreamPayload.MULTI_PART),
                        new Sent(Content.METADATA, StreamPayload.AUTOMATIC, Scenario.Flows.SINGLE, Way.RDMA)));
    }

    @ParameterizedTest
    @MethodSource("singleParts")
    void everyByteAndFieldOfASinglePartArrives(Sent sent) {
        stream(sent, (block, composite) -> {
            if (block.payloadType() != CHUNK) {
                Item item = composite.items().get(0);
                SentBlock.Part part = block.parts().get(0);
                assertEquals(0, part.countBadBytes(item.data()), () -> "bytes of " + item);
                int base = block.payloadType() & ~CHUNK_BIT;
                if (base == IMAGE || base == MULTI_ZONE || base == EXTENDED_CHUNK) {
                    assertEquals(part.typeId(), item.typeId(), "component type");
                    compare(part, item, composite.timestamp());
                }
            }
            assertEquals(
                    sent.payload == StreamPayload.FILE ? "block.bin" : "",
                    composite.block().fileName().orElse(""),
                    "file name");
            List<ChunkItem> chunks = composite.chunks();
            assertEquals(block.chunk().isPresent() ? 1 : 0, chunks.size(), composite::toString);
            for (ChunkItem chunk : chunks) {
                assertEquals(block.chunkLayoutId(), chunk.layoutId(), "layout id");
                ByteBuffer expected = block.chunk().orElseThrow();
                assertEquals(-1, expected.mismatch(chunk.chunkData()), "chunk data");
            }
        });
    }

    static Stream<Sent> ofSeveralParts() {
        return Stream.concat(
                        Stream.of(
                                        Content.COMPONENTS,
                                        Content.PLANAR,
                                        Content.METADATA,
                                        Content.VARIABLE_HEIGHT,
                                        Content.VARIABLE_COMPONENTS,
                                        Content.TWO_FLOWS)
                                .map(content -> single(content, StreamPayload.AUTOMATIC)),
                        Stream.of(Content.COMPONENTS, Content.PLANAR)
                                .map(content -> single(content, StreamPayload.MULTI_PART)))
                .map(sent -> new Sent(sent.content, sent.payload, sent.flows, Way.GVSP_WITH_LOSS));
    }

    @ParameterizedTest
    @MethodSource("ofSeveralParts")
    void whatNeverComesIsMissingFromItsPartsAlone(Sent sent) {
        try (VirtualCamera camera = camera(sent);
                Device device = Loopback.open(camera, "PacketSize", "576", "ResendEnabled", "0", "FlowSetCount", "64");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            device.nodes().enumeration("AcquisitionMode").set("MultiFrame");
            device.nodes().integer("AcquisitionFrameCount").set(FRAMES_WITH_LOSS);
            stream.start();
            int damaged = 0;
            int usable = 0;
            long lastId = 0;
            while (lastId < FRAMES_WITH_LOSS && stream.waitFor(Duration.ofSeconds(1)) instanceof WaitResult.Ok ok) {
                try (Composite composite = ok.composite()) {
                    lastId = composite.blockId();
                    damaged += composite.complete() ? 0 : 1;
                    SentBlock block = camera.sentBlock(lastId, composite.timestamp());
                    for (int i = 0; i < composite.parts().size(); i++) {
                        Item item = composite.parts().get(i);
                        if (item.complete()) {
                            assertEquals(0, block.parts().get(i).countBadBytes(item.data()), item::toString);
                            usable += composite.complete() ? 0 : 1;
                        } else {
                            assertFalse(composite.complete(), composite::toString);
                        }
                    }
                }
            }
            assertTrue(damaged > 0, "damaged frames");
            assertTrue(usable > 0, "whole parts of damaged frames");
        }
    }

    @ParameterizedTest
    @MethodSource("smallImages")
    void aWholeImageArrivesInOnePacket(Sent sent) {
        stream(sent, (block, composite) -> {
            Item item = composite.items().get(0);
            compare(block.parts().get(0), item, composite.timestamp());
        });
    }

    static Stream<Sent> smallImages() {
        return Stream.of(Content.COMPONENTS, Content.VARIABLE_HEIGHT)
                .flatMap(content -> Stream.of(Way.GVSP, Way.GVSP_WITH_LOSS)
                        .map(way -> new Sent(content, StreamPayload.ALL_IN, Scenario.Flows.SINGLE, way)));
    }

    @Test
    void whatTheApplicationAsksForIsSentWhateverTheCameraSentAtStart() {
        Sent multiPart = new Sent(Content.COMPONENTS, StreamPayload.MULTI_PART, Scenario.Flows.SINGLE, Way.GVSP);
        try (VirtualCamera camera = camera(multiPart);
                Device device = Loopback.open(camera, "Payload", "Image")) {
            assertEquals(IMAGE, payloadTypeOfOneFrame(device));
        }
    }

    @Test
    void chunkDataThatTheApplicationSwitchesOnComesBehindTheImage() {
        Sent automatic = new Sent(Content.COMPONENTS, StreamPayload.AUTOMATIC, Scenario.Flows.SINGLE, Way.GVSP);
        try (VirtualCamera camera = camera(automatic);
                Device device = Loopback.open(camera, "Payload", "Image")) {
            device.nodes().bool("ChunkModeActive").set(true);
            assertEquals(IMAGE | CHUNK_BIT, payloadTypeOfOneFrame(device));
        }
    }

    private static int payloadTypeOfOneFrame(Device device) {
        try (CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            try (Composite composite = assertInstanceOf(WaitResult.Ok.class, stream.waitFor(FRAME_LIMIT))
                    .composite()) {
                return composite.payloadType();
            }
        }
    }

    private static void stream(Sent sent, BiConsumer<SentBlock, Composite> check) {
        try (VirtualCamera camera = camera(sent);
                Device device = open(camera, sent);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            device.nodes().enumeration("TriggerMode").set("On");
            CommandNode trigger = device.nodes().command("TriggerSoftware");
            stream.start();
            for (int i = 0; i < sent.way.ahead; i++) {
                trigger.execute();
            }
            for (long blockId = 1; blockId <= sent.frames(); blockId++) {
                trigger.execute();
                WaitResult result = stream.waitFor(FRAME_LIMIT);
                try (Composite composite =
                        assertInstanceOf(WaitResult.Ok.class, result).composite()) {
                    assertTrue(
                            composite.complete(),
                            () -> composite + " " + stream.statistics().asMap());
                    assertEquals(blockId, composite.blockId());
                    SentBlock block = camera.sentBlock(blockId, composite.timestamp());
                    assertEquals(block.payloadType(), composite.payloadType(), "payload type");
                    check.accept(block, composite);
                }
            }
            stream.stop();
            if (sent.way == Way.GVSP_WITH_LOSS) {
                assertTrue(camera.statistics().packetsLostByFault() > 0, "packets lost on purpose");
                assertTrue(stream.statistics().get(Counter.RESENDS_RECEIVED) > 0, "packets sent again");
            }
        }
    }

    /** Fields that all payloads have. */
    private static void compare(SentBlock.Part part, Item item, long timestamp) {
        assertAll(
                item + " of " + part,
                () -> assertEquals(part.format(), item.format().code(), "format"),
                () -> assertEquals(part.width(), item.width(), "width"),
                () -> assertEquals(part.height(), item.height(), "height"),
                () -> assertEquals(part.paddingX(), item.paddingX(), "padding X"),
                () -> assertEquals(part.paddingY(), item.paddingY(), "padding Y"),
                () -> assertEquals(part.sourceId(), item.sourceId(), "source"),
                () -> assertEquals(part.regionId(), item.regionId(), "region"),
                () -> assertEquals(part.offsetX(), item.offsetX(), "offset X"),
                () -> assertEquals(part.offsetY(), item.offsetY(), "offset Y"),
                () -> assertEquals(timestamp, item.timestamp(), "timestamp"),
                () -> assertEquals(!part.invalid(), item.valid(), "valid"),
                () -> assertEquals(!part.invalid(), item.complete(), "complete"),
                () -> assertEquals(0, part.countBadBytes(item.data()), "bytes that differ"));
    }

    private static VirtualCamera camera(Sent sent) {
        boolean small = sent.payload == StreamPayload.ALL_IN;
        return VirtualCamera.start(Scenario.builder()
                .bindAddress("127.85.0.1")
                .port(0)
                .size(small ? 32 : 160, small ? 32 : 96)
                .frameRate(400)
                .content(sent.content)
                .payload(sent.payload)
                .flows(sent.flows)
                .descriptorWithData(sent.descriptorWithData)
                .resendBlocks(64)
                .rdmaProvider(sent.way == Way.RDMA ? "software" : Scenario.NO_RDMA)
                .faults(sent.way == Way.GVSP_WITH_LOSS ? loss() : FaultPlan.NONE)
                .build());
    }

    /** One packet of a hundred, both the first time and when it is sent again. */
    private static FaultPlan loss() {
        return new FaultPlan(20_26, 10, 10, 0, 0, 0, Duration.ofMillis(2), 0, 0, Duration.ZERO);
    }

    private static Device open(VirtualCamera camera, Sent sent) {
        if (sent.way == Way.RDMA) {
            assertTrue(camera.rdmaPort().isPresent(), camera::rdmaState);
            return Loopback.open(
                    camera, "UseRdma", "require", "RdmaProvider", "software", "RdmaInterface", "127.85.0.2");
        }
        // However long this computer is busy with other things.
        return Loopback.open(camera, "PacketSize", sent.way.packetSize, "ResendTries", "100", "FrameRetention", "10s");
    }
}
