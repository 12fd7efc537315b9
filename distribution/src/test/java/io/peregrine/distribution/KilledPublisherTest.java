package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.aeron.ExclusivePublication;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.OpenOptions;
import io.peregrine.recording.FrameContainer;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of publishers that were killed within a frame. */
@Timeout(180)
class KilledPublisherTest {
    private static final int WIDTH = 80;
    private static final int HEIGHT = 60;
    private static final int PIECE = 1000;

    @TempDir
    private Path directory;

    private ArchiveRig rig;
    private ArchiveClient archive;

    @BeforeEach
    void setUp() {
        rig = new ArchiveRig(directory.resolve("archive"), "ipc");
        rig.recorder();
        archive = rig.keep(ArchiveClient.open(AeronHost.open(DistributionSettings.load()), ArchiveSettings.IPC));
    }

    @AfterEach
    void tearDown() {
        rig.close();
    }

    /** A recording of one frame, of whose container only the pieces from some places on were sent. */
    private void record(int... pieces) {
        ExclusivePublication log = archive.archive()
                .addRecordedExclusivePublication(
                        "aeron:ipc?term-length=64k|alias=" + Take.alias("line", Route.parse("ipc")),
                        Announcement.FRAMES_STREAM_ID);
        byte[] container = Containers.container(1, WIDTH, HEIGHT);
        try (Composite frame = Containers.frame(1, WIDTH, HEIGHT)) {
            byte[] description = FrameContainer.of(frame).orElseThrow().description();
            offer(log, FragmentHeader.DESCRIPTION, description, 0, description.length);
        }
        for (int from : pieces) {
            offer(log, 0, container, from, Math.min(PIECE, container.length - from));
        }
        Await.until("recorded bytes", ArchiveRig.PATIENCE, () -> archive.end(newest()) == log.position());
        archive.archive().stopRecording(log);
        log.close();
        Await.until("end of the recording", ArchiveRig.PATIENCE, () -> !newest().active());
    }

    private static int[] whole() {
        return IntStream.iterate(0, from -> from < Containers.container(1, WIDTH, HEIGHT).length, from -> from + PIECE)
                .toArray();
    }

    private Take newest() {
        List<Take> all = archive.takes("line");
        return all.get(all.size() - 1);
    }

    private static void offer(ExclusivePublication log, int flags, byte[] all, int from, int length) {
        UnsafeBuffer message = new UnsafeBuffer(new byte[FragmentHeader.SIZE_BYTES + length]);
        FragmentHeader.put(message, 0, flags, 0, length, 1, all.length, from);
        message.putBytes(FragmentHeader.SIZE_BYTES, all, from, length);
        Await.until("sent bytes", ArchiveRig.PATIENCE, () -> log.offer(message) > 0);
    }

    /** Frames of a run to its end. */
    private CompositeStream replayed() {
        Device device =
                rig.keep(DeviceFactory.open("aeron:line@archive:to=now", new OpenOptions(Map.of("FlowSetCount", "2"))));
        CompositeStream stream = rig.keep(device.stream(CompositeStream.class, 0));
        stream.start();
        WaitResult result = stream.waitFor(ArchiveRig.PATIENCE);
        while (result instanceof WaitResult.Ok ok) {
            ok.composite().close();
            result = stream.waitFor(ArchiveRig.PATIENCE);
        }
        assertInstanceOf(WaitResult.Abort.class, result);
        return stream;
    }

    @Test
    void framesThatTheyCutOffAreCountedAndTheRunGoesOnToItsEnd() {
        for (int killed = 0; killed < 3; killed++) {
            record(0, PIECE);
        }
        record(whole());
        StreamStatistics counted = replayed().statistics();
        assertEquals(3, counted.get(Counter.FRAMES_INCOMPLETE));
        assertEquals(1, counted.get(Counter.FRAMES_COMPLETE));
    }

    @Test
    void memoryOfFramesThatContradictThemselvesIsUsedAgain() {
        for (int killed = 0; killed < 3; killed++) {
            record(0, 0);
        }
        record(whole());
        assertEquals(1, replayed().statistics().get(Counter.FRAMES_COMPLETE));
    }
}
