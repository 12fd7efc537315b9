package io.peregrine.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.Frames;
import io.peregrine.composite.Frames.Frame;
import io.peregrine.composite.Item;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.recording.RecorderSettings.Form;
import io.peregrine.recording.RecorderSettings.Incomplete;
import io.peregrine.testing.SmallDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class RecorderTest {
    private static final RecorderSettings SETTINGS = RecorderSettings.defaults().withQueueFrames(100);

    @TempDir
    private Path directory;

    private final ScriptedFiles files = new ScriptedFiles();
    private final AtomicLong nanos = new AtomicLong(5_000);

    private Path target() {
        return directory.resolve("run.pgr");
    }

    private Recorder start(RecorderSettings settings) {
        return Recorder.start(target(), settings, files, nanos::get, 1234);
    }

    private static boolean record(Recorder recorder, Frame frame) {
        try (Composite composite = frame.composite()) {
            return recorder.record(composite);
        }
    }

    /** Records frames, and closes the recorder: the failure, which one of these throws. */
    private static RecordingException failureOf(Recorder recorder, int frames) {
        RecordingException thrown = null;
        for (int i = 0; i < frames; i++) {
            try {
                record(recorder, Frames.oneFlow(i));
            } catch (RecordingException e) {
                thrown = e;
            }
        }
        if (thrown == null) {
            return assertThrows(RecordingException.class, recorder::close);
        }
        recorder.close();
        return thrown;
    }

    /** Records frames until the recorder throws. */
    private static RecordingException recordUntilFailure(Recorder recorder) {
        return assertThrows(RecordingException.class, () -> {
            for (int i = 0; i < 1_000_000; i++) {
                record(recorder, Frames.oneFlow(i));
            }
        });
    }

    private void recordAll(RecorderSettings settings, Frame... frames) {
        try (Recorder recorder = start(settings)) {
            for (Frame frame : frames) {
                assertTrue(record(recorder, frame));
                nanos.addAndGet(10);
            }
        }
    }

    // ---- The file, byte for byte

    @Test
    void aFileBeginsWithItsHeader() throws IOException {
        recordAll(SETTINGS);
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(target())).order(ByteOrder.LITTLE_ENDIAN);
        byte[] magic = new byte[8];
        file.get(0, magic);
        assertArrayEquals("PEREGREC".getBytes(StandardCharsets.US_ASCII), magic);
        assertEquals(1, file.getShort(8));
        assertEquals(0, file.getShort(10));
        assertEquals(64, file.getInt(12));
        assertEquals(1234, file.getLong(16));
        assertEquals(crc(file, 0, 60), file.getInt(60));
    }

    @Test
    void aFrameRecordIsAsTheFormatSays() throws IOException {
        Frame frame = Frames.oneFlow(7);
        ByteBuffer container = linear(frame.composite());
        nanos.set(5_000);
        try (Recorder recorder = start(SETTINGS)) {
            nanos.set(5_250);
            record(recorder, frame);
        }
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(target())).order(ByteOrder.LITTLE_ENDIAN);
        int at = 64;
        byte[] magic = new byte[4];
        file.get(at, magic);
        assertArrayEquals("PREC".getBytes(StandardCharsets.US_ASCII), magic);
        assertEquals(2, file.getShort(at + 4));
        assertEquals(0, file.getLong(at + 8));
        assertEquals(container.remaining(), file.getLong(at + 16));
        int metadata = file.getInt(at + 24);
        assertEquals(crc(file, at + 64, metadata + container.remaining()), file.getInt(at + 28));
        assertEquals(7, file.getLong(at + 32));
        assertEquals(77, file.getLong(at + 40));
        assertEquals(250, file.getLong(at + 48));
        assertEquals(crc(file, at, 60), file.getInt(at + 60));
        assertEquals(container, file.slice(at + 64 + metadata, container.remaining()));
    }

    private static int crc(ByteBuffer bytes, int at, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(at, length));
        return (int) crc.getValue();
    }

    private static ByteBuffer linear(Composite composite) throws IOException {
        LinearContainer container = LinearContainer.of(composite).orElseThrow();
        java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        container.writeTo(java.nio.channels.Channels.newChannel(bytes));
        assertEquals(container.sizeBytes(), bytes.size());
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    // ---- Forms

    @Test
    void aDirectoryHasAFileForEachFrame() throws IOException {
        Frame first = Frames.oneFlow(1);
        Frame second = Frames.image(2);
        ByteBuffer one = linear(first.composite());
        ByteBuffer two = linear(second.composite());
        recordAll(SETTINGS.withForm(Form.DIRECTORY), first, second);
        assertEquals(one, ByteBuffer.wrap(Files.readAllBytes(target().resolve("frame-0000000000.gendc"))));
        assertEquals(two, ByteBuffer.wrap(Files.readAllBytes(target().resolve("frame-0000000001.gendc"))));
    }

    private static final Camera CAMERA = new Camera(
            Map.of("DeviceModel", "two\nlines\tand \\"),
            "Width\t640\n",
            Optional.of(new byte[] {4, 5}),
            Optional.of(new byte[] {1, 2, 3}));

    @Test
    void settingsAndXmlLieBesideTheFrames() throws IOException {
        recordAll(SETTINGS.withForm(Form.DIRECTORY).withCamera(CAMERA));
        assertEquals("Width\t640\n", Files.readString(target().resolve("settings.txt")));
        assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(target().resolve("camera.xml")));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void theCameraIsInTheRecording(Form form) {
        recordAll(SETTINGS.withForm(form).withCamera(CAMERA));
        try (Recording recording = Recording.open(target())) {
            assertEquals(CAMERA, recording.camera());
        }
        assertEquals(CAMERA, Recording.cameraOf(target()));
    }

    @Test
    void whatIsThereIsNotOverwritten() throws IOException {
        Files.writeString(target(), "mine");
        assertThrows(RecordingException.class, () -> start(SETTINGS));
        assertEquals("mine", Files.readString(target()));
    }

    // ---- Files of the system

    /** More than the recorder has memory for, in records that end anywhere in a block. */
    @Test
    void largeFramesComeBackAsTheyWere() {
        List<ByteBuffer> containers = new ArrayList<>();
        try (Recorder recorder = Recorder.start(target(), SETTINGS)) {
            for (int i = 0; i < 5; i++) {
                containers.add(container(i, 5_000_001 + 1000 * i));
                try (Composite composite = Composite.of(containers.get(i).duplicate())) {
                    assertTrue(recorder.record(composite));
                }
            }
        }
        try (Recording recording = Recording.open(target())) {
            assertEquals(Optional.empty(), recording.tornTail());
            assertEquals(5, recording.frameCount());
            for (int i = 0; i < 5; i++) {
                assertEquals(containers.get(i), recording.frame(i).container());
            }
        }
    }

    private static ByteBuffer container(int id, int dataBytes) {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .id(id)
                .component(component -> component
                        .typeId(1)
                        .format(PfncCodes.DATA8)
                        .part1d(part -> part.format(PfncCodes.DATA8).size(dataBytes)))
                .build();
        byte[] bytes = new byte[(int) descriptor.containerSizeBytes()];
        new Random(id).nextBytes(bytes);
        return ByteBuffer.wrap(bytes).put(0, descriptor.toBytes());
    }

    /** As a killed process leaves it: without an end. */
    @ParameterizedTest
    @EnumSource(Form.class)
    void whatIsCountedAsWrittenCanBeReadWhileTheRecorderRuns(Form form) {
        try (Recorder recorder = Recorder.start(target(), SETTINGS.withForm(form))) {
            for (int i = 1; i <= 5; i++) {
                record(recorder, Frames.oneFlow(i));
                while (recorder.statistics().framesWritten() < i) {
                    Thread.onSpinWait();
                }
                try (Recording recording = Recording.open(target())) {
                    assertEquals(i, recording.frameCount());
                    assertEquals(i, recording.frame(i - 1).composite().id());
                }
            }
        }
    }

    // ---- Disk too slow

    @Test
    void aFullQueueDropsAndCounts() {
        try (Recorder recorder = start(SETTINGS.withQueueFrames(3))) {
            files.standStill();
            int taken = 0;
            while (recorder.statistics().framesDroppedQueueFull() == 0) {
                taken += record(recorder, Frames.oneFlow(taken)) ? 1 : 0;
                assertTrue(taken < 100_000);
            }
            Recorder.Statistics statistics = recorder.statistics();
            files.letGo();
            assertEquals(taken, statistics.framesWritten() + statistics.framesQueued());
            assertEquals(3, statistics.mostFramesQueued());
        }
    }

    @Test
    void aQueueHasRoomUntilItIsFull() {
        try (Recorder recorder = start(SETTINGS.withQueueFrames(3))) {
            assertTrue(recorder.hasRoom());
            files.standStill();
            int taken = 0;
            while (recorder.statistics().framesDroppedQueueFull() == 0) {
                taken += record(recorder, Frames.oneFlow(taken)) ? 1 : 0;
                assertTrue(taken < 100_000);
            }
            assertFalse(recorder.hasRoom());
            files.letGo();
        }
    }

    @Test
    void whoWaitsForRoomDropsNothing() {
        int frames = 300;
        Recorder recorder = start(SETTINGS.withQueueFrames(3));
        try (recorder) {
            for (int i = 0; i < frames; i++) {
                while (!recorder.hasRoom()) {
                    Thread.onSpinWait();
                }
                assertTrue(record(recorder, Frames.oneFlow(i)));
            }
        }
        assertEquals(frames, recorder.statistics().framesWritten());
    }

    /** It may have memory for some frames, but not for any number. */
    @Test
    void aDiskThatStandsStillDoesNotTakeMemoryWithoutEnd() {
        try (Recorder recorder = start(SETTINGS.withQueueFrames(3))) {
            files.standStill();
            for (int i = 0; i < 1000; i++) {
                record(recorder, Frames.oneFlow(i));
            }
            Recorder.Statistics statistics = recorder.statistics();
            files.letGo();
            assertTrue(statistics.framesQueued() <= files.bufferBytes() / 64 + 3, statistics::toString);
        }
    }

    @Test
    void whatWaitsIsWrittenWhenTheRecorderIsClosed() {
        Recorder recorder = start(SETTINGS);
        files.standStill();
        for (int i = 0; i < 5; i++) {
            record(recorder, Frames.oneFlow(i));
        }
        files.letGo();
        recorder.close();
        assertEquals(5, recorder.statistics().framesWritten());
        assertEquals(0, recorder.statistics().framesQueued());
    }

    @Test
    void memoryGoesBackToTheStream() {
        Frame frame = Frames.oneFlow(1);
        recordAll(SETTINGS, frame);
        assertEquals(0, frame.pool().leasedCount());
    }

    @Test
    void closingDoesNotWaitForADiskThatStandsStill() throws InterruptedException {
        Recorder recorder = start(SETTINGS.withCloseTimeout(Duration.ofMillis(1)));
        files.standStill();
        List<Frame> frames = List.of(Frames.oneFlow(1), Frames.oneFlow(2), Frames.oneFlow(3));
        frames.forEach(frame -> record(recorder, frame));
        assertTrue(files.reached.await(30, TimeUnit.SECONDS));
        RecordingException failure = assertThrows(RecordingException.class, recorder::close);
        assertTrue(failure.getMessage().contains("within PT0.001S"), failure.getMessage());
        assertEquals(3, recorder.statistics().framesDroppedAfterFailure());
        frames.forEach(frame -> assertEquals(0, frame.pool().leasedCount()));
    }

    // ---- Disk full

    @Test
    void aFullDiskEndsTheRecordingWithTheLastWholeFrame() throws IOException {
        recordAll(SETTINGS, Frames.oneFlow(0), Frames.oneFlow(1));
        long two = Files.size(target());
        Files.delete(target());
        files.withRoom(two + 10);
        Recorder recorder = start(SETTINGS);
        RecordingException failure = failureOf(recorder, 4);
        assertEquals("No space left on device", failure.getCause().getMessage());
        Recorder.Statistics statistics = recorder.statistics();
        assertEquals(4, statistics.framesWritten() + statistics.framesDroppedAfterFailure());
        assertTrue(statistics.framesWritten() >= 2, statistics::toString);
        try (Recording recording = Recording.open(target())) {
            assertEquals(statistics.framesWritten(), recording.frameCount());
            assertEquals(Optional.empty(), recording.tornTail());
        }
    }

    @Test
    void aTailThatCouldNotBeCutIsLeftOut() {
        files.withRoom(1500).withFailingCut();
        Recorder recorder = start(SETTINGS);
        failureOf(recorder, 4);
        try (Recording recording = Recording.open(target())) {
            assertEquals(recorder.statistics().framesWritten(), recording.frameCount());
            assertTrue(recording.tornTail().isPresent());
        }
    }

    @Test
    void aFullDiskLeavesNoPartOfAFrameInADirectory() throws IOException {
        files.withRoom(2500);
        Recorder recorder = start(SETTINGS.withForm(Form.DIRECTORY));
        failureOf(recorder, 5);
        long written = recorder.statistics().framesWritten();
        try (var all = Files.list(target())) {
            assertEquals(
                    written,
                    all.filter(file -> file.toString().endsWith(".gendc")).count());
        }
        try (Recording recording = Recording.open(target())) {
            assertEquals(written, recording.frameCount());
        }
    }

    @Test
    void aDiskThatCannotKeepWhatIsWrittenEndsTheRecording() {
        files.withFailingForce();
        Recorder recorder = start(SETTINGS.withCheckpointBytes(200));
        RecordingException failure = failureOf(recorder, 4);
        assertEquals("Input/output error", failure.getCause().getMessage());
        Recorder.Statistics statistics = recorder.statistics();
        assertEquals(4, statistics.framesWritten() + statistics.framesDroppedAfterFailure());
    }

    /** A thread that ended without a word would leave a recording that looks whole. */
    @Test
    void anErrorEndsTheRecordingAsAFailureDoes() {
        files.withError();
        Recorder recorder = start(SETTINGS.withForm(Form.DIRECTORY));
        Frame frame = Frames.oneFlow(1);
        record(recorder, frame);
        RecordingException failure = assertThrows(RecordingException.class, recorder::close);
        assertTrue(failure.getMessage().contains("a fault in memory of a file"), failure::getMessage);
        assertEquals(0, frame.pool().leasedCount());
    }

    @Test
    void aProgramThatRecordsOnIsToldOfTheFailureOnce() {
        files.withRoom(600);
        try (Recorder recorder = start(SETTINGS)) {
            RecordingException told = recordUntilFailure(recorder);
            assertSame(told, recorder.failure().orElseThrow());
        }
    }

    @Test
    void framesAfterAFailureThatWasThrownAreDroppedAndCounted() {
        files.withRoom(600);
        try (Recorder recorder = start(SETTINGS)) {
            recordUntilFailure(recorder);
            long before = recorder.statistics().framesDroppedAfterFailure();
            assertFalse(record(recorder, Frames.oneFlow(3)));
            assertTrue(recorder.statistics().framesDroppedAfterFailure() > before);
        }
    }

    @Test
    void aFailureIsToldOnceToTheListener() {
        List<RecordingException> told = new ArrayList<>();
        files.withRoom(600);
        Recorder recorder = start(SETTINGS.withOnFailure(told::add));
        for (int i = 0; i < 5; i++) {
            record(recorder, Frames.oneFlow(i));
        }
        recorder.close();
        assertEquals(1, told.size());
        assertSame(told.get(0), recorder.failure().orElseThrow());
    }

    @Test
    void framesAfterAFailureAreDroppedAndCounted() {
        files.withRoom(600);
        Frame frame = Frames.oneFlow(9);
        try (Recorder recorder = start(SETTINGS.withOnFailure(failure -> {}))) {
            while (recorder.failure().isEmpty()) {
                record(recorder, Frames.oneFlow(1));
                Thread.onSpinWait();
            }
            long before = recorder.statistics().framesDroppedAfterFailure();
            assertFalse(record(recorder, frame));
            assertTrue(recorder.statistics().framesDroppedAfterFailure() > before);
        }
        assertEquals(0, frame.pool().leasedCount());
    }

    @Test
    void aFileSystemWithoutSpaceEndsTheRecording() {
        try (SmallDisk disk = SmallDisk.mount(directory, "64k")) {
            Path file = disk.path().resolve("run.pgr");
            Recorder recorder = Recorder.start(file, SETTINGS.withQueueFrames(1000));
            RecordingException failure = failureOf(recorder, 500);
            assertInstanceOf(IOException.class, failure.getCause());
            try (Recording recording = Recording.open(file)) {
                assertEquals(recorder.statistics().framesWritten(), recording.frameCount());
                assertTrue(recording.frameCount() > 20, recording::toString);
                for (RecordedFrame frame : recording) {
                    assertEquals(frame.index(), frame.composite().id());
                }
            }
        }
    }

    // ---- Incomplete frames

    @Test
    void incompleteFramesAreLeftOutAndCounted() {
        try (Recorder recorder = start(SETTINGS)) {
            assertFalse(record(recorder, Frames.incomplete(1)));
            assertEquals(1, recorder.statistics().framesSkippedIncomplete());
        }
    }

    @Test
    void incompleteFramesAreRecordedOnRequest() {
        recordAll(SETTINGS.withIncomplete(Incomplete.RECORD), Frames.incomplete(1), Frames.unknown(2));
        try (Recording recording = Recording.open(target())) {
            assertEquals(2, recording.frameCount());
            assertTrue(recording.frame(0).containerBytes() > 0);
            assertEquals(0, recording.frame(1).containerBytes());
        }
    }

    // ---- Life

    @Test
    void theWriterEndsWithTheRecorder() {
        Recorder recorder = start(SETTINGS);
        recorder.close();
        assertTrue(Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("peregrine-recorder")));
    }

    @Test
    void aClosedRecorderTakesNothing() {
        Recorder recorder = start(SETTINGS);
        recorder.close();
        recorder.close();
        Frame frame = Frames.oneFlow(1);
        try (Composite composite = frame.composite()) {
            assertThrows(IllegalStateException.class, () -> recorder.record(composite));
        }
    }

    @Test
    void aRecordedCompositeIsTheSameWithoutTheRecording() {
        Frame frame = Frames.twoFlows(3);
        List<String> sent =
                frame.composite().parts().stream().map(Item::toString).toList();
        recordAll(SETTINGS, frame);
        try (Recording recording = Recording.open(target())) {
            assertEquals(
                    sent,
                    recording.frame(0).composite().parts().stream()
                            .map(Item::toString)
                            .toList());
        }
    }
}
