package io.peregrine.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Frames;
import io.peregrine.composite.Frames.Frame;
import io.peregrine.composite.WaitResult;
import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.recording.RecorderSettings.Form;
import io.peregrine.recording.RecorderSettings.Incomplete;
import io.peregrine.recording.internal.ReplayRate;
import io.peregrine.recording.internal.ReplaySettings;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.HandOff;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.testing.Await;
import io.peregrine.testing.ExpectedWarning;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExpectedWarning("No frame can be received: all .* flow sets of the stream are held")
@Timeout(60)
class ReplayTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ReplaySettings FAST = ReplaySettings.defaults().withRate(ReplayRate.AS_CONSUMED);
    private static final AcquisitionControl NO_DEVICE = new AcquisitionControl.NoDevice() {};

    @TempDir
    private Path directory;

    private final AtomicLong recorderNanos = new AtomicLong();

    /** Time passes when it is waited for, and only then. */
    private static final class ManualClock implements ReplayClock {
        private final AtomicLong nanos = new AtomicLong(1_000_000);
        private final List<Long> waits = new ArrayList<>();

        @Override
        public long nanoTime() {
            return nanos.get();
        }

        @Override
        public void await(Condition condition, long span) {
            waits.add(span);
            nanos.addAndGet(span);
        }
    }

    private Path record(Form form, Frame... frames) {
        Path target = directory.resolve(form.name());
        RecorderSettings settings = RecorderSettings.defaults()
                .withForm(form)
                .withIncomplete(Incomplete.RECORD)
                .withQueueFrames(frames.length + 1);
        try (Recorder recorder = Recorder.start(target, settings, Output.FILES, recorderNanos::get, 0)) {
            for (Frame frame : frames) {
                try (Composite composite = frame.composite()) {
                    recorder.record(composite);
                }
                recorderNanos.addAndGet(40_000_000);
            }
        }
        return target;
    }

    private static CompositeStream open(Recording recording, ReplaySettings settings, ReplayClock clock) {
        return CompositeStream.create(
                CompositeStream.class, new StreamEngine(ReplaySource.open(recording, settings, clock)), NO_DEVICE);
    }

    private static CompositeStream open(Recording recording, ReplaySettings settings) {
        return open(recording, settings, ReplayClock.SYSTEM);
    }

    private static List<String> replay(Recording recording, ReplaySettings settings) {
        List<String> replayed = new ArrayList<>();
        try (CompositeStream stream = open(recording, settings)) {
            stream.start();
            for (Composite composite : stream) {
                try (composite) {
                    replayed.add(Descriptions.of(composite));
                }
            }
            assertEquals(Optional.empty(), stream.failure());
        }
        return replayed;
    }

    // ---- The same composites

    @ParameterizedTest
    @EnumSource(Form.class)
    void whatIsReplayedIsWhatWasRecorded(Form form) {
        Frame[] frames = {
            Frames.oneFlow(1),
            Frames.twoFlows(2),
            Frames.planar(3),
            Frames.image(4),
            Frames.planarImage(5),
            Frames.imageWithChunks(6),
            Frames.multiPart(7),
            Frames.raw(8)
        };
        List<String> recorded = new ArrayList<>();
        for (Frame frame : frames) {
            recorded.add(Descriptions.of(frame.composite()));
        }
        try (Recording recording = Recording.open(record(form, frames))) {
            assertEquals(recorded, replay(recording, FAST));
        }
    }

    @Test
    void incompleteFramesStayIncomplete() {
        Frame[] frames = {Frames.incomplete(1), Frames.unknown(2)};
        List<String> recorded = new ArrayList<>();
        for (Frame frame : frames) {
            recorded.add(Descriptions.of(frame.composite()));
        }
        try (Recording recording = Recording.open(record(Form.FILE, frames))) {
            assertEquals(recorded, replay(recording, FAST));
        }
    }

    @Test
    void containersOfOtherOriginAreReplayed() throws IOException {
        Path run = record(Form.DIRECTORY, Frames.oneFlow(1), Frames.oneFlow(2));
        Files.delete(run.resolve("recording.pgr"));
        try (Recording recording = Recording.open(run);
                CompositeStream stream = open(recording, FAST)) {
            stream.start();
            for (long id = 1; id <= 2; id++) {
                try (Composite composite = assertInstanceOf(WaitResult.Ok.class, stream.waitFor(PATIENCE))
                        .composite()) {
                    assertEquals(id, composite.id());
                    assertTrue(composite.complete());
                }
            }
        }
    }

    // ---- Rate

    private List<Long> timesOf(ReplaySettings settings, int count) throws InterruptedException {
        ManualClock clock = new ManualClock();
        List<Long> times = new ArrayList<>();
        Path path = record(Form.FILE, Frames.image(1), Frames.image(2), Frames.image(3));
        try (Recording recording = Recording.open(path);
                StreamEngine channel =
                        new StreamEngine(ReplaySource.open(recording, settings.withFlowSetCount(1), clock))) {
            channel.start();
            for (int i = 0; i < count; i++) {
                // With one flow set, nothing moves until this frame is given back.
                var set = channel.poll(PATIENCE).orElseThrow();
                times.add(clock.nanoTime() - 1_000_000);
                set.release();
            }
        }
        return times;
    }

    @Test
    void theOriginalRateIsThatOfTheRecorder() throws InterruptedException {
        assertEquals(List.of(0L, 40_000_000L, 80_000_000L), timesOf(ReplaySettings.defaults(), 3));
    }

    @Test
    void aLoopGoesOnAfterTheMeanTimeBetweenFrames() throws InterruptedException {
        assertEquals(
                List.of(0L, 40_000_000L, 80_000_000L, 120_000_000L, 160_000_000L),
                timesOf(ReplaySettings.defaults().withLoop(true), 5));
    }

    @Test
    void aGivenRateReplacesTheOriginalOne() throws InterruptedException {
        assertEquals(
                List.of(0L, 10_000_000L, 20_000_000L, 30_000_000L),
                timesOf(ReplaySettings.defaults().withRate(ReplayRate.of(100)).withLoop(true), 4));
    }

    @Test
    void noTimePassesAtTheRateOfTheConsumer() throws InterruptedException {
        assertEquals(List.of(0L, 0L, 0L), timesOf(FAST, 3));
    }

    @Test
    void ratesAreReadAsTheyAreWritten() {
        for (ReplayRate rate : List.of(ReplayRate.ORIGINAL, ReplayRate.AS_CONSUMED, ReplayRate.of(12.5))) {
            assertEquals(rate, ReplayRate.parse(rate.toString()));
        }
        assertThrows(IllegalArgumentException.class, () -> ReplayRate.parse("fast"));
        assertThrows(IllegalArgumentException.class, () -> ReplayRate.parse("0"));
        assertThrows(IllegalArgumentException.class, () -> ReplayRate.parse("NaN"));
    }

    // ---- Life

    @Test
    void aStreamEndsWithTheLastFrame() {
        try (Recording recording = Recording.open(record(Form.FILE, Frames.image(1)));
                CompositeStream stream = open(recording, FAST)) {
            stream.start();
            ((WaitResult.Ok) stream.waitFor(PATIENCE)).composite().close();
            assertEquals(
                    Optional.empty(),
                    assertInstanceOf(WaitResult.Abort.class, stream.waitFor(PATIENCE))
                            .cause());
        }
    }

    @Test
    void eachStartBeginsWithTheFirstFrame() {
        try (Recording recording = Recording.open(record(Form.FILE, Frames.image(1), Frames.image(2)));
                CompositeStream stream = open(recording, FAST)) {
            for (int round = 0; round < 2; round++) {
                stream.start();
                try (Composite composite = ((WaitResult.Ok) stream.waitFor(PATIENCE)).composite()) {
                    assertEquals(1, composite.id());
                }
                stream.abort();
            }
        }
    }

    @Test
    void nothingIsLostWhenAllFlowSetsAreHeld() {
        try (Recording recording =
                        Recording.open(record(Form.FILE, Frames.image(1), Frames.image(2), Frames.image(3)));
                CompositeStream stream = open(recording, FAST.withFlowSetCount(2))) {
            stream.start();
            Composite one = ((WaitResult.Ok) stream.waitFor(PATIENCE)).composite();
            Composite two = ((WaitResult.Ok) stream.waitFor(PATIENCE)).composite();
            assertInstanceOf(WaitResult.Timeout.class, stream.waitFor(Duration.ZERO));
            one.close();
            try (Composite three = ((WaitResult.Ok) stream.waitFor(PATIENCE)).composite()) {
                assertEquals(3, three.id());
            }
            two.close();
        }
    }

    @Test
    void newestOnlyGivesTheFrameThatIsDueAndSkipsTheOthers() {
        ReplaySettings settings =
                ReplaySettings.defaults().withRate(ReplayRate.of(100)).withFlowSetCount(2);
        try (Recording recording =
                        Recording.open(record(Form.FILE, Frames.image(1), Frames.image(2), Frames.image(3)));
                StreamEngine channel = new StreamEngine(
                        ReplaySource.open(recording, settings, new ManualClock()),
                        HandOff.DEFAULT.withNewestOnly(true));
                CompositeStream stream = CompositeStream.create(CompositeStream.class, channel, NO_DEVICE)) {
            stream.start();
            Await.until(
                    "the end of the recording", PATIENCE, () -> channel.end().isPresent());
            try (Composite composite = ((WaitResult.Ok) stream.waitFor(PATIENCE)).composite()) {
                assertEquals(3, composite.id());
            }
            assertInstanceOf(WaitResult.Abort.class, stream.waitFor(PATIENCE));
            assertEquals(2, stream.statistics().get(Counter.FRAMES_SKIPPED));
            assertTrue(stream.diagnosis().get(0).startsWith("2 frames were skipped"), () -> "" + stream.diagnosis());
        }
    }

    @Test
    void aPoolCanBeResizedBetweenRuns() {
        try (Recording recording = Recording.open(record(Form.FILE, Frames.image(1)));
                StreamEngine channel = new StreamEngine(ReplaySource.open(recording, FAST))) {
            channel.resizePool(3);
            assertEquals(3, channel.pool().count());
            channel.start();
            assertEquals(3, channel.pool().count());
        }
    }

    @Test
    void moreMemoryThanAllowedIsRefused() {
        try (Recording recording = Recording.open(record(Form.FILE, Frames.image(1)))) {
            assertThrows(StreamException.class, () -> ReplaySource.open(recording, FAST.withMemoryLimitBytes(1000)));
        }
    }

    @Test
    void aRecordingWithoutFramesEndsAtOnce() {
        try (Recording recording = Recording.open(record(Form.FILE))) {
            assertEquals(List.of(), replay(recording, FAST.withLoop(true)));
        }
    }

    // ---- Damage

    @Test
    void aDamagedFrameIsLeftOutAndCounted() throws IOException {
        Path run = record(Form.DIRECTORY, Frames.image(1), Frames.image(2), Frames.image(3));
        damage(run.resolve("frame-0000000001.gendc"));
        try (Recording recording = Recording.open(run);
                StreamEngine channel = new StreamEngine(ReplaySource.open(recording, FAST));
                CompositeStream stream = CompositeStream.create(CompositeStream.class, channel, NO_DEVICE)) {
            stream.start();
            List<Long> ids = new ArrayList<>();
            for (Composite composite : stream) {
                try (composite) {
                    ids.add(composite.id());
                }
            }
            assertEquals(List.of(1L, 3L), ids);
            assertEquals(1, channel.statistics().get(Counter.FRAMES_DROPPED_UNUSABLE));
        }
    }

    @Test
    void aLoopWithoutAGoodFrameFails() throws IOException {
        Path run = record(Form.DIRECTORY, Frames.image(1));
        damage(run.resolve("frame-0000000000.gendc"));
        try (Recording recording = Recording.open(run);
                CompositeStream stream = open(recording, FAST.withLoop(true))) {
            stream.start();
            assertInstanceOf(
                    StreamException.class,
                    assertInstanceOf(WaitResult.Abort.class, stream.waitFor(PATIENCE))
                            .cause()
                            .orElseThrow());
        }
    }

    private static void damage(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        bytes.put(bytes.capacity() - 1, (byte) (bytes.get(bytes.capacity() - 1) ^ 1));
        Files.write(file, bytes.array());
    }
}
