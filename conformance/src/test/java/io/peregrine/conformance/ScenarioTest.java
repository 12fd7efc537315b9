package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.virtualcamera.Content;
import io.peregrine.virtualcamera.FaultPlan;
import io.peregrine.virtualcamera.FlowLayout;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.SentBlock;
import io.peregrine.virtualcamera.SentPart;
import io.peregrine.virtualcamera.StreamPayload;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the virtual camera sends arrives with every byte and every field. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ScenarioTest {
    private static final Duration FRAME_LIMIT = Duration.ofSeconds(10);
    private static final int FRAMES = 24;
    /** Enough to lose some of the packets of each scenario. */
    private static final int FRAMES_WITH_LOSS = 60;

    private static final int WIDTH = 160;
    private static final int HEIGHT = 96;

    /** How a scenario travels. */
    enum Way {
        GVSP(FRAMES, "1500"),
        GVSP_WITH_LOSS(FRAMES_WITH_LOSS, "576"),
        RDMA(FRAMES, "1500");

        private final int frames;
        private final String packetSize;

        Way(int frames, String packetSize) {
            this.frames = frames;
            this.packetSize = packetSize;
        }
    }

    record Sent(Content content, StreamPayload payload, FlowLayout flows, Way way) {}

    static Stream<Sent> containers() {
        return Stream.of(Content.values())
                .flatMap(content -> Stream.of(FlowLayout.values())
                        .filter(flows -> content != Content.TWO_FLOWS || flows == FlowLayout.SINGLE)
                        .flatMap(flows -> Stream.of(Way.values())
                                .map(way -> new Sent(content, StreamPayload.AUTOMATIC, flows, way))));
    }

    @ParameterizedTest
    @MethodSource("containers")
    void everyByteAndFieldOfAContainerArrives(Sent sent) {
        try (VirtualCamera camera = camera(sent);
                Device device = open(camera, sent);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (int frame = 0; frame < sent.way.frames; frame++) {
                WaitResult result = stream.waitFor(FRAME_LIMIT);
                try (Composite composite =
                        assertInstanceOf(WaitResult.Ok.class, result).composite()) {
                    compare(camera.sentBlock(composite.blockId(), composite.timestamp()), composite);
                }
            }
            stream.stop();
            if (sent.way == Way.GVSP_WITH_LOSS) {
                assertTrue(camera.statistics().packetsLostByFault() > 0, "packets lost on purpose");
                assertTrue(stream.statistics().get(Counter.RESENDS_RECEIVED) > 0, "packets sent again");
            }
        }
    }

    private static void compare(SentBlock sent, Composite composite) {
        assertTrue(composite.complete(), composite::toString);
        assertEquals(composite.blockId(), composite.id(), "container id");
        List<Item> items = new ArrayList<>(composite.items());
        assertEquals(sent.parts().size(), items.size(), composite::toString);
        for (int i = 0; i < items.size(); i++) {
            compare(sent.parts().get(i), items.get(i), composite.timestamp());
        }
    }

    private static void compare(SentPart part, Item item, long timestamp) {
        assertAll(
                item + " of " + part,
                () -> assertEquals(part.typeId(), item.typeId(), "component type"),
                () -> assertEquals(part.partType(), item.partType(), "part type"),
                () -> assertEquals(part.format(), item.format().code(), "format"),
                () -> assertEquals(part.groupId(), item.groupId(), "group"),
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
        return VirtualCamera.start(Scenario.builder()
                .bindAddress("127.85.0.1")
                .port(0)
                .size(WIDTH, HEIGHT)
                .frameRate(sent.way == Way.GVSP_WITH_LOSS ? 100 : 400)
                .content(sent.content)
                .payload(sent.payload)
                .flows(sent.flows)
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
            return Loopback.open(
                    camera, "UseRdma", "require", "RdmaProvider", "software", "RdmaInterface", "127.85.0.2");
        }
        return Loopback.open(camera, "PacketSize", sent.way.packetSize);
    }
}
