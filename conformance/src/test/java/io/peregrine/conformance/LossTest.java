package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.virtualcamera.FaultPlan;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lost packets come again by resend; without resend no damaged frame is taken for a good one. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LossTest {
    private static final Duration FRAME_LIMIT = Duration.ofSeconds(5);

    /** Enough packets in a frame to lose some. */
    private static final String PACKET_SIZE = "1500";

    enum Payload {
        IMAGE("Image", Scenario.Flows.SINGLE),
        GENDC_ONE_FLOW("GenDC", Scenario.Flows.SINGLE),
        GENDC_FLOW_PER_COMPONENT("GenDC", Scenario.Flows.PER_COMPONENT);

        private final String parameter;
        private final Scenario.Flows flows;

        Payload(String parameter, Scenario.Flows flows) {
            this.parameter = parameter;
            this.flows = flows;
        }
    }

    @ParameterizedTest
    @EnumSource
    void withResendAThousandFramesArriveWholeInSpiteOfOnePercentLoss(Payload payload) {
        try (VirtualCamera camera = camera(payload);
                // However long this computer is busy with other things.
                Device device = Loopback.open(
                        camera,
                        "Payload",
                        payload.parameter,
                        "PacketSize",
                        PACKET_SIZE,
                        "FlowSetCount",
                        "64",
                        "ResendTries",
                        "100",
                        "FrameRetention",
                        "10s");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            long badBytes = 0;
            long incomplete = 0;
            Set<Long> ids = new HashSet<>();
            for (int frame = 0; frame < 1000; frame++) {
                WaitResult result = stream.waitFor(FRAME_LIMIT);
                try (Composite composite =
                        assertInstanceOf(WaitResult.Ok.class, result).composite()) {
                    assertEquals(
                            payload == Payload.IMAGE ? 1 : 3, composite.items().size(), composite::toString);
                    badBytes += PatternCheck.badBytes(composite);
                    incomplete += composite.complete() ? 0 : 1;
                    ids.add(composite.id());
                }
            }
            stream.stop();
            long bad = badBytes;
            long damaged = incomplete;
            long lost = camera.statistics().packetsLostByFault();
            assertAll(
                    stream.statistics().asMap().toString(),
                    () -> assertEquals(0, bad, "bad bytes"),
                    () -> assertEquals(0, damaged, "incomplete frames"),
                    () -> assertEquals(1000, ids.size(), "different ids"),
                    () -> assertTrue(ids.contains(1L) && ids.contains(1000L), "ids from 1 to 1000"),
                    () -> assertTrue(lost > 80, () -> "lost on purpose: " + lost),
                    () -> assertTrue(stream.statistics().get(Counter.RESENDS_RECEIVED) > 80, "resends"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutResendEveryDamagedFrameIsReportedAndNoneIsDeliveredAsGood(Payload payload) {
        try (VirtualCamera camera = camera(payload);
                Device device = Loopback.open(
                        camera, "ResendEnabled", "0", "Payload", payload.parameter, "PacketSize", PACKET_SIZE);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            long lastId = 0;
            int good = 0;
            int reported = 0;
            while (lastId < 400) {
                WaitResult result = stream.waitFor(FRAME_LIMIT);
                try (Composite composite =
                        assertInstanceOf(WaitResult.Ok.class, result).composite()) {
                    lastId = Math.max(lastId, composite.blockId());
                    if (composite.complete()) {
                        good++;
                        assertEquals(0, PatternCheck.badBytes(composite), composite::toString);
                    } else {
                        reported++;
                        assertTrue(composite.incompleteReason().isPresent(), composite::toString);
                        assertEquals(0, PatternCheck.badBytesOfCompleteItems(composite), composite::toString);
                    }
                }
            }
            stream.stop();
            int whole = good;
            int damaged = reported;
            assertAll(
                    stream.statistics().asMap().toString(),
                    () -> assertEquals(0, stream.statistics().get(Counter.RESENDS_REQUESTED)),
                    () -> assertEquals(0, camera.statistics().resendRequests()),
                    () -> assertTrue(damaged >= 20, () -> "reported as damaged: " + damaged),
                    () -> assertTrue(whole >= 100, () -> "whole: " + whole),
                    () -> assertTrue(
                            whole + damaged + missing(stream.statistics()) >= 400,
                            "each block is whole, damaged or missing"));
        }
    }

    /** Blocks without a leader or a flow set cannot be shown, but they are counted. */
    private static long missing(StreamStatistics statistics) {
        return statistics.get(Counter.FRAMES_DROPPED_UNUSABLE)
                + statistics.get(Counter.FRAMES_DROPPED_NO_FLOW_SET)
                + statistics.get(Counter.BLOCK_ID_GAPS);
    }

    private static VirtualCamera camera(Payload payload) {
        return VirtualCamera.start(Scenario.builder()
                .bindAddress("127.81.0.1")
                .port(0)
                .size(160, 96)
                .frameRate(250)
                .resendBlocks(64)
                .flows(payload.flows)
                .faults(onePercent())
                .build());
    }

    private static FaultPlan onePercent() {
        return new FaultPlan(20_26, 10, 10, 0, 0, 0, Duration.ofMillis(2), 0, 0, Duration.ZERO);
    }
}
