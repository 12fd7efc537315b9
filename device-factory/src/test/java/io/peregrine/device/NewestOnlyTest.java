package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.stream.End;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Await;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.Scenario;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** StreamBufferHandlingMode=NewestOnly with a camera, by every transport and kind of receiver thread. */
@ExpectedWarning("Connection to .*: LOST")
@Timeout(60)
class NewestOnlyTest {
    private LosableCamera camera;

    @BeforeEach
    void start() {
        camera = new LosableCamera(Scenario.builder()
                .bindAddress("127.61.7.1")
                .serial("NEWEST")
                .size(64, 48)
                .frameRate(200)
                .rdmaProvider("software"));
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private Device open(String rdma, String thread) {
        return camera.open(
                "UseRdma",
                rdma,
                "RdmaProvider",
                "software",
                "RdmaInterface",
                "127.61.7.2",
                "ReceiverThread",
                thread,
                // Enough for the time in which a busy host does not announce free ones.
                "FlowSetCount",
                "8",
                "Reconnect",
                "1",
                "StreamBufferHandlingMode",
                "NewestOnly");
    }

    private static long complete(CompositeStream stream) {
        return stream.statistics().get(Counter.FRAMES_COMPLETE);
    }

    @ParameterizedTest
    @CsvSource({"0,own", "0,shared", "require,own"})
    void aSlowUserGetsNoFrameOlderThanTheNewestAtTheCallAndLosesNone(String rdma, String thread) {
        try (Device device = open(rdma, thread);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (int turn = 1; turn <= 3; turn++) {
                long wanted = 10L * turn;
                Await.until("more frames than flow sets", LosableCamera.LONG, () -> complete(stream) >= wanted);
                long newest = complete(stream);
                // Block ids count from 1, and none is lost: the newest has the number of the frames so far.
                try (Composite composite = Frames.next(stream)) {
                    assertTrue(composite.blockId() >= newest, () -> composite.blockId() + " after " + newest);
                    Frames.compare(composite, 64);
                }
            }
            // Before the end, which cuts a frame off.
            StreamStatistics counted = stream.statistics();
            assertEquals(0, counted.framesLost(), counted::toString);
            assertTrue(counted.get(Counter.FRAMES_SKIPPED) >= 20, counted::toString);
            assertTrue(
                    stream.diagnosis().stream().anyMatch(sentence -> sentence.contains("NewestOnly")),
                    () -> "" + stream.diagnosis());
        }
    }

    @ParameterizedTest
    @CsvSource({"0,own", "require,own"})
    void anAcquisitionThatEndsByItselfEndsThoughFramesWereSkipped(String rdma, String thread) {
        try (Device device = open(rdma, thread);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            device.nodes().enumeration("AcquisitionMode").set("MultiFrame");
            device.nodes().integer("AcquisitionFrameCount").set(8);
            stream.start();
            Await.until("all frames", LosableCamera.LONG, () -> complete(stream) == 8);
            Frames.next(stream).close();
            stream.forEach(Composite::close);
            assertEquals(new End.Finished(), stream.end().orElseThrow());
            assertEquals(7, stream.statistics().get(Counter.FRAMES_SKIPPED));
        }
    }

    @Test
    void aFrameFromBeforeAReconnectIsSkippedWhenOneCameAfterIt() throws InterruptedException {
        try (Device device = open("0", "own");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Await.until("frames before", LosableCamera.LONG, () -> complete(stream) >= 20);
            camera.awayAndBack();
            long before = complete(stream);
            Await.until("frames after", LosableCamera.LONG, () -> complete(stream) >= before + 3);
            long after = stream.statistics().get(Counter.FRAMES_SKIPPED);
            try (Composite composite = Frames.next(stream)) {
                // The camera counts from 1 again.
                assertTrue(composite.blockId() >= 3, composite::toString);
            }
            assertTrue(stream.statistics().get(Counter.FRAMES_SKIPPED) > after);
        }
    }
}
