package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Subscription;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceException;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DeviceNotFoundException;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.distribution.archive.ArchivedRecording;
import io.peregrine.recording.Recorder;
import io.peregrine.recording.RecorderSettings;
import io.peregrine.stream.End;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that were recorded, replayed as those of a device. */
@Timeout(180)
class ArchivedFramesTest {
    @TempDir
    Path directory;

    private ArchiveRig rig;

    private ArchiveRig rig(String kind) {
        rig = new ArchiveRig(directory.resolve("archive"), kind);
        return rig;
    }

    @AfterEach
    void tearDown() {
        if (rig != null) {
            rig.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ipc", "udp"})
    void replayGoesOnWithLiveFramesWithoutAGapAndWithoutARepeatedFrame(String kind) {
        ArchiveRig rig = rig(kind);
        rig.recorder();
        FramePublisher publisher = rig.publisher("line");
        ArchiveRig.send(publisher, 1, 30);
        rig.awaitRecorded(30);
        CompositeStream stream = rig.started("line@archive");
        ArchiveRig.expect(stream, 1, 30);
        for (long id = 31; id <= 60; id++) {
            ArchiveRig.send(publisher, id, id);
            ArchiveRig.expect(stream, id, id);
        }
        assertEquals(0, stream.statistics().framesLost());
        assertEquals(60, stream.statistics().get(Counter.FRAMES_COMPLETE));
    }

    @Test
    void aFinishedRecordingEndsAsARecordingDoes() {
        ArchiveRig rig = rig("ipc");
        rig.recorder();
        FramePublisher publisher = rig.publisher("line");
        ArchiveRig.send(publisher, 1, 10);
        rig.awaitRecorded(10);
        rig.close(publisher);
        CompositeStream stream = rig.started("line@archive");
        int frames = 0;
        for (Composite composite : stream) {
            composite.close();
            frames++;
        }
        assertEquals(10, frames);
        assertInstanceOf(End.Finished.class, stream.end().orElseThrow());
    }

    @Test
    void replayIsWholeBesideAPublisherThatTakesRequests() {
        ArchiveRig rig = rig("ipc");
        rig.recorder();
        ArchiveRig.send(rig.publisher("line"), 1, 100);
        rig.awaitRecorded(100);
        AeronHost host = rig.keep(AeronHost.open(DistributionSettings.load()));
        Subscription requests = host.aeron().addSubscription("aeron:ipc", FeatureMessage.REQUESTS_STREAM_ID);
        AtomicBoolean ended = new AtomicBoolean();
        Thread desk = new Thread(() -> {
            while (!ended.get()) {
                requests.poll((buffer, offset, length, header) -> {}, 16);
                Thread.onSpinWait();
            }
        });
        desk.start();
        rig.keep(() -> {
            ended.set(true);
            desk.join();
        });
        ArchiveRig.expect(rig.started("line@archive:to=now"), 1, 100);
    }

    @Test
    void aStreamWhoseConsumersShareItIsNotRecordedAndTheReasonSaysWhatToDo() {
        ArchiveRig rig = rig("udp");
        RecordingService recorder = rig.recorder();
        rig.keep(FramePublisher.start(PublisherSettings.of("line", System.getProperty(DistributionSettings.ROUTES))
                .withShared(true)));
        Await.until(
                "refusal",
                ArchiveRig.PATIENCE,
                () -> recorder.diagnosis().stream().anyMatch(text -> text.contains("without --share")));
        assertEquals(List.of(), rig.recordings());
    }

    @Test
    void replayBeginsWithAFrameByItsNumber() {
        ArchiveRig rig = rig("ipc");
        rig.recorder();
        ArchiveRig.send(rig.publisher("line"), 1, 40);
        rig.awaitRecorded(40);
        ArchiveRig.expect(rig.started("line@archive:frame=23,to=now"), 23, 40);
    }

    @Test
    void replayBeginsAtATime() {
        ArchiveRig rig = rig("ipc");
        rig.recorder();
        FramePublisher publisher = rig.publisher("line");
        ArchiveRig.send(publisher, 1, 20);
        String time = ArchiveTime.instant(ArchiveTime.now()).toString();
        ArchiveRig.send(publisher, 21, 40);
        rig.awaitRecorded(40);
        ArchiveRig.expect(rig.started("line@archive:from=" + time), 21, 40);
    }

    @Test
    void replayFromATimeAfterTheLastFrameEndsWithoutAFrame() {
        ArchiveRig rig = rig("ipc");
        rig.set(DistributionSettings.LOST_AFTER, "1s");
        rig.recorder();
        FramePublisher publisher = rig.publisher("line");
        ArchiveRig.send(publisher, 1, 5);
        rig.awaitRecorded(5);
        rig.close(publisher);
        Await.until(
                "end of the recording",
                ArchiveRig.PATIENCE,
                () -> !rig.recordings().get(0).active());
        CompositeStream stream = rig.started("line@archive:from=" + ArchiveTime.instant(ArchiveTime.now()));
        assertFalse(stream.iterator().hasNext(), "frames after the end");
        assertInstanceOf(End.Finished.class, stream.end().orElseThrow());
    }

    @Test
    void replayEndsAtATime() {
        ArchiveRig rig = rig("ipc");
        rig.recorder();
        FramePublisher publisher = rig.publisher("line");
        ArchiveRig.send(publisher, 1, 20);
        String time = ArchiveTime.instant(ArchiveTime.now()).toString();
        ArchiveRig.send(publisher, 21, 25);
        rig.awaitRecorded(25);
        CompositeStream stream = rig.started("line@archive:to=" + time);
        ArchiveRig.expect(stream, 1, 20);
        assertFalse(stream.iterator().hasNext(), "frames after the end");
    }

    @Test
    void aConsumerThatIsTooSlowForLiveFramesReadsThemFromTheArchive() {
        ArchiveRig rig = rig("ipc");
        rig.recorder();
        FramePublisher publisher = rig.publisher("line");
        ArchiveRig.send(publisher, 1, 5);
        rig.awaitRecorded(5);
        rig.set(DistributionSettings.SLOW, "drop");
        CompositeStream stream = rig.started("line@archive");
        ArchiveRig.expect(stream, 1, 5);
        // More than its flow sets and the term hold.
        ArchiveRig.send(publisher, 6, 60);
        ArchiveRig.expect(stream, 6, 60);
        assertEquals(0, stream.statistics().framesLost());
    }

    @Test
    void aPublisherThatComesAgainIsReplayedAfterTheFirst() {
        ArchiveRig rig = rig("ipc");
        rig.recorder();
        FramePublisher first = rig.publisher("line");
        ArchiveRig.send(first, 1, 5);
        rig.awaitRecorded(5);
        rig.close(first);
        FramePublisher second = rig.publisher("line");
        ArchiveRig.send(second, 1, 7);
        rig.awaitRecorded(7);
        CompositeStream stream = rig.started("line@archive");
        ArchiveRig.expect(stream, 1, 5);
        ArchiveRig.expect(stream, 1, 7);
        ArchiveRig.send(second, 8, 9);
        ArchiveRig.expect(stream, 8, 9);
        assertEquals(0, stream.statistics().framesLost());
    }

    @Test
    void aFileIsMadeOfAnArchiveAndArchivedAgain() {
        ArchiveRig rig = rig("ipc");
        rig.recorder();
        FramePublisher publisher = rig.publisher("line");
        ArchiveRig.send(publisher, 1, 12);
        rig.awaitRecorded(12);
        Path file = directory.resolve("line.gendc");
        try (Recorder recorder = Recorder.start(file, RecorderSettings.defaults())) {
            for (Composite composite : rig.started("line@archive:frame=3,to=now")) {
                try (composite) {
                    Await.until("room", ArchiveRig.PATIENCE, recorder::hasRoom);
                    assertTrue(recorder.record(composite));
                }
            }
        }
        FramePublisher again = rig.publisher("again");
        Await.until("consumer", ArchiveRig.PATIENCE, again::connected);
        try (Device replay = DeviceFactory.open("file:" + file);
                CompositeStream frames = replay.stream(CompositeStream.class, 0)) {
            frames.start();
            for (Composite composite : frames) {
                try (composite) {
                    long before = again.statistics().framesPublished();
                    assertTrue(again.publish(composite));
                    Await.until(
                            "sent",
                            ArchiveRig.PATIENCE,
                            () -> again.statistics().framesPublished() > before);
                }
            }
        }
        rig.close(again);
        Await.until(
                "end of the recording",
                ArchiveRig.PATIENCE,
                () -> rig.recordings().stream()
                        .anyMatch(one ->
                                one.name().equals("again") && one.lastFrame().equals(Optional.of(10L))));
        CompositeStream stream = rig.started("again@archive:to=now");
        ArchiveRig.expectPixels(stream, 3, 12);
    }

    @Test
    void aDiskWithoutRoomPausesRecordingAndWhatIsMissingIsCounted() {
        ArchiveRig rig = rig("ipc");
        rig.set(ArchiveSettings.FREE, "1m");
        AtomicLong room = new AtomicLong(1L << 30);
        RecordingService recorder = rig.recorder(Optional.of(room::get));
        FramePublisher publisher = rig.publisher("line");
        ArchiveRig.send(publisher, 1, 10);
        rig.awaitRecorded(10);
        room.set(1000);
        Await.until("pause", ArchiveRig.PATIENCE, () -> recorder.statistics().paused());
        // A consumer beside the archive gets all of them.
        CompositeStream live = rig.started("line");
        for (long id = 11; id <= 30; id++) {
            ArchiveRig.send(publisher, id, id);
            ArchiveRig.expect(live, id, id);
        }
        rig.close(live);
        room.set(1L << 30);
        Await.until(
                "end of the pause",
                ArchiveRig.PATIENCE,
                () -> !recorder.statistics().paused());
        ArchiveRig.send(publisher, 31, 35);
        Await.until(
                "missing frames",
                ArchiveRig.PATIENCE,
                () -> recorder.statistics().framesMissing() > 0);
        assertEquals(
                "20 frames missing, 1 interruption, 1 pause",
                recorder.statistics().framesMissing() + " frames missing, "
                        + recorder.statistics().interruptions() + " interruption, "
                        + recorder.statistics().pauses() + " pause");
        CompositeStream stream = rig.started("line@archive");
        ArchiveRig.expect(stream, 1, 10);
        ArchiveRig.expect(stream, 31, 35);
        assertEquals(20, stream.statistics().get(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void theOldestFilesAreDeletedWhenThereAreMoreBytesThanAreKept() {
        ArchiveRig rig = rig("ipc");
        rig.set(ArchiveSettings.KEEP, "1m");
        RecordingService recorder = rig.recorder();
        FramePublisher publisher = rig.publisher("line");
        // 30 kB each.
        ArchiveRig.send(publisher, 1, 120);
        rig.awaitRecorded(120);
        Await.until(
                "deletion",
                ArchiveRig.PATIENCE,
                () -> recorder.statistics().segmentsDeleted() > 0
                        && rig.recordings().get(0).bytes() <= 1 << 20);
        long first = rig.recordings().get(0).firstFrame().orElseThrow();
        assertTrue(first > 80 && first < 100, () -> "first frame " + first);
        ArchiveRig.expect(rig.started("line@archive"), first, 120);
    }

    @Test
    void archivedStreamsAreDiscoveredWithTheirCamera() {
        ArchiveRig rig = rig("ipc");
        rig.recorder();
        ArchiveRig.send(rig.publisher("line"), 1, 3);
        rig.awaitRecorded(3);
        rig.set(DistributionSettings.DISCOVERY_WINDOW, "300ms");
        List<DiscoveryInformation> found = DeviceFactory.discover().stream()
                .filter(info -> info.accessToken().equals("aeron:line@archive"))
                .toList();
        assertEquals(
                "[A-1]",
                found.stream().map(DiscoveryInformation::serialNumber).toList().toString());
    }

    @Test
    void theCatalogNamesFirstAndLastFrame() {
        ArchiveRig rig = rig("ipc");
        rig.recorder();
        ArchiveRig.send(rig.publisher("line"), 1, 12);
        rig.awaitRecorded(12);
        ArchivedRecording recording = rig.recordings().get(0);
        assertEquals(
                "line true 1 12 0",
                String.join(
                        " ",
                        recording.name(),
                        Boolean.toString(recording.active()),
                        recording.firstFrame().orElseThrow().toString(),
                        recording.lastFrame().orElseThrow().toString(),
                        Long.toString(recording.missingBefore())));
        assertTrue(!recording
                .lastTime()
                .orElseThrow()
                .isBefore(recording.firstTime().orElseThrow()));
    }

    @Test
    void aStreamThatTheArchiveDoesNotHaveIsReported() {
        ArchiveRig rig = rig("ipc");
        rig.recorder();
        assertThrows(DeviceNotFoundException.class, () -> DeviceFactory.open("aeron:nothing@archive"));
    }

    @Test
    void aFrameThatTheArchiveDoesNotHaveIsReported() {
        ArchiveRig rig = rig("ipc");
        rig.recorder();
        ArchiveRig.send(rig.publisher("line"), 1, 3);
        rig.awaitRecorded(3);
        RuntimeException refusal = assertThrows(RuntimeException.class, () -> rig.started("line@archive:frame=77"));
        assertTrue(refusal.getMessage().contains("no frame 77"), refusal.getMessage());
    }

    @Test
    void aPlaceThatIsMalformedIsRefused() {
        rig("ipc");
        DeviceException refusal =
                assertThrows(DeviceException.class, () -> DeviceFactory.open("aeron:line@archive:since=yesterday"));
        assertTrue(refusal.getMessage().contains("no place in an archive"), refusal.getMessage());
    }
}
