package io.peregrine.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.Frames;
import io.peregrine.composite.Frames.Frame;
import io.peregrine.recording.RecorderSettings.Form;
import io.peregrine.testing.RawContainer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RecordingTest {
    private static final Camera CAMERA = new Camera(
            Map.of("DeviceModel", "M"), "Width\t4\n", Optional.empty(), Optional.of(new byte[] {'<', '/', '>'}));

    @TempDir
    private Path directory;

    private Path path;
    private byte[] whole;
    private final List<ByteBuffer> containers = new ArrayList<>();
    /** Where each record begins, and at last where the index does. */
    private final List<Integer> starts = new ArrayList<>();

    @BeforeEach
    void recordThreeFrames() throws IOException {
        path = record("run.pgr", Form.FILE, 1L << 30);
        whole = Files.readAllBytes(path);
        try (Recording recording = Recording.open(path)) {
            recording.forEach(frame -> containers.add(frame.container()));
        }
        for (int at = 64; at < whole.length; at += 8) {
            if (new String(whole, at, 4, StandardCharsets.US_ASCII).equals("PREC")) {
                starts.add(at);
            }
        }
        // The index has copies of all headers, but its own begins before them: camera, three frames, index.
        starts.subList(5, starts.size()).clear();
    }

    private Path record(String name, Form form, long checkpointBytes) {
        Path target = directory.resolve(name);
        RecorderSettings settings = RecorderSettings.defaults()
                .withForm(form)
                .withCamera(CAMERA)
                .withCheckpointBytes(checkpointBytes)
                .withQueueFrames(10);
        try (Recorder recorder = Recorder.start(target, settings)) {
            for (Frame frame : List.of(Frames.oneFlow(10), Frames.image(20), Frames.twoFlows(30))) {
                try (Composite composite = frame.composite()) {
                    recorder.record(composite);
                }
            }
        }
        return target;
    }

    private static Recording read(byte[] bytes) throws IOException {
        return Recording.read(Path.of("test"), Input.of(bytes));
    }

    @Test
    void framesAreFoundById() {
        try (Recording recording = Recording.open(path)) {
            assertEquals(1, recording.findId(20).orElseThrow().index());
            assertEquals(Optional.empty(), recording.findId(21));
        }
    }

    @Test
    void framesAreFoundByTimestamp() {
        try (Recording recording = Recording.open(path)) {
            assertEquals(0, recording.findTimestamp(70).orElseThrow().index());
            assertEquals(Optional.empty(), recording.findTimestamp(78));
        }
    }

    @Test
    void aDirectoryHoldsTheSameFrames() {
        try (Recording recording = Recording.open(record("run", Form.DIRECTORY, 1L << 30))) {
            assertEquals(CAMERA, recording.camera());
            for (int i = 0; i < 3; i++) {
                assertEquals(containers.get(i), recording.frame(i).container());
            }
        }
    }

    @Test
    void severalIndicesLeadToAllFrames() throws IOException {
        Path many = record("many.pgr", Form.FILE, 1);
        assertTrue(Files.size(many) > whole.length + 150);
        try (Recording recording = Recording.open(many)) {
            assertEquals(3, recording.frameCount());
            assertEquals(containers.get(2), recording.frame(2).container());
        }
    }

    /** Records can lie between an index and the records that it tells of. */
    @Test
    void whatIsBehindTheLastIndexIsCheckedAfterACrash() throws IOException {
        Path many = record("many.pgr", Form.FILE, 1);
        byte[] all = Files.readAllBytes(many);
        List<Integer> records = new ArrayList<>();
        for (int at = 64; at < all.length - 4; at += 8) {
            boolean isRecord = new String(all, at, 4, StandardCharsets.US_ASCII).equals("PREC");
            if (isRecord && all[at + 4] == 2 && all[at + 64 - 8 + 3] == 0 && !isCopy(all, at)) {
                records.add(at);
            }
        }
        assertEquals(3, records.size());
        for (int frame = 0; frame < 3; frame++) {
            byte[] cut = Arrays.copyOf(all, all.length - 1);
            cut[records.get(frame) + 64] ^= 1;
            try (Recording recording = read(cut)) {
                // The first two are in an index that is whole; the last one is not.
                assertEquals(frame == 2 ? 2 : 3, recording.frameCount(), "frame " + frame);
            }
        }
    }

    /** In an index, a header follows its own place. */
    private static boolean isCopy(byte[] all, int at) {
        long before =
                ByteBuffer.wrap(all).order(java.nio.ByteOrder.LITTLE_ENDIAN).getLong(at - 8);
        return before >= 64
                && before < at
                && new String(all, (int) before, 4, StandardCharsets.US_ASCII).equals("PREC");
    }

    // ---- Crashes

    @Test
    void whateverWasWrittenCompletelyIsReadWhereverTheFileEnds() throws IOException {
        for (int length = 64; length < whole.length; length++) {
            try (Recording recording = read(Arrays.copyOf(whole, length))) {
                int expected = 0;
                for (int frame = 0; frame < 3; frame++) {
                    expected += length >= starts.get(frame + 2) ? 1 : 0;
                }
                assertEquals(expected, recording.frameCount(), "cut to " + length);
                for (int i = 0; i < expected; i++) {
                    assertEquals(containers.get(i), recording.frame(i).container(), "cut to " + length);
                }
            }
        }
    }

    @Test
    void aTornTailIsReportedWhereverTheFileEnds() throws IOException {
        for (int length = 64; length < whole.length; length++) {
            try (Recording recording = read(Arrays.copyOf(whole, length))) {
                int end = length;
                boolean torn = end != 64 && !starts.contains(end);
                assertEquals(torn, recording.tornTail().isPresent(), "cut to " + length);
                recording.tornTail().ifPresent(tail -> assertEquals(end, tail.offsetBytes() + tail.lengthBytes()));
            }
        }
    }

    @Test
    void aFileWithoutAWholeHeaderIsNoRecording() {
        for (int length = 0; length < 64; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThrows(RecordingException.class, () -> read(cut));
        }
    }

    /** A crash of the system can leave a file of its full length, with zeros where data was not on the disk yet. */
    @Test
    void aTailOfZerosIsCutAndReported() throws IOException {
        for (int from = 64; from < starts.get(4); from++) {
            byte[] zeroed = whole.clone();
            Arrays.fill(zeroed, from, zeroed.length, (byte) 0);
            try (Recording recording = read(zeroed)) {
                assertTrue(recording.tornTail().isPresent(), "zeros from " + from);
                for (RecordedFrame frame : recording) {
                    assertEquals(containers.get(frame.index()), frame.container());
                }
            }
        }
    }

    /** What is left of a recorder that was killed. */
    @Test
    void aLastBlockThatWasNotFilledIsTold() throws IOException {
        byte[] killed = Arrays.copyOf(Arrays.copyOf(whole, starts.get(4)), 8192);
        try (Recording recording = read(killed)) {
            assertEquals(3, recording.frameCount());
            Recording.TornTail tail = recording.tornTail().orElseThrow();
            assertEquals((int) starts.get(4), tail.offsetBytes());
            assertEquals(8192 - starts.get(4), tail.lengthBytes());
            assertTrue(tail.reason().contains("not filled"), tail.reason());
        }
    }

    @Test
    void aFrameThatIsDamagedBeforeAGoodOneIsLeftOutAndReported() throws IOException {
        byte[] cut = Arrays.copyOf(whole, starts.get(4));
        cut[starts.get(2) + 64] ^= 1;
        try (Recording recording = read(cut)) {
            assertEquals(2, recording.frameCount());
            assertEquals(1, recording.problems().size());
            assertEquals(containers.get(2), recording.frame(1).container());
        }
    }

    @Test
    void aDirectoryThatLacksItsLastFileAfterACrashEndsBeforeIt() throws IOException {
        Path run = record("run", Form.DIRECTORY, 1L << 30);
        Path index = run.resolve("recording.pgr");
        byte[] all = Files.readAllBytes(index);
        Files.write(index, Arrays.copyOf(all, all.length - 1));
        Files.delete(run.resolve("frame-0000000002.gendc"));
        try (Recording recording = Recording.open(run)) {
            assertEquals(2, recording.frameCount());
            assertTrue(recording.tornTail().isPresent());
        }
    }

    // ---- Damage

    @Test
    void noChangedByteGoesUnnoticed() throws IOException {
        for (int at = 0; at < whole.length; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= 0x40;
            try (Recording recording = read(changed)) {
                for (RecordedFrame frame : recording) {
                    compareOrRefuse(frame);
                }
            } catch (RecordingException e) {
                assertTrue(at < 64, "byte " + at + ": " + e);
            }
        }
    }

    private void compareOrRefuse(RecordedFrame frame) {
        ByteBuffer container;
        try {
            container = frame.container();
        } catch (RecordingException e) {
            assertTrue(e.getMessage().contains("checksum"), e.getMessage());
            return;
        }
        assertTrue(containers.contains(container));
    }

    @Test
    void aFrameFileOfAnotherSizeIsRefused() throws IOException {
        Path run = record("run", Form.DIRECTORY, 1L << 30);
        Path file = run.resolve("frame-0000000001.gendc");
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 5));
        try (Recording recording = Recording.open(run)) {
            RecordedFrame frame = recording.frame(1);
            assertTrue(assertThrows(RecordingException.class, frame::container)
                    .getMessage()
                    .contains("5 bytes"));
        }
    }

    @Test
    void aLaterVersionIsRefused() {
        byte[] later = whole.clone();
        later[8] = 2;
        assertTrue(assertThrows(RecordingException.class, () -> read(later))
                .getMessage()
                .contains("version 2"));
    }

    // ---- Containers of other origin

    @Test
    void containersOfAnyOriginAreFramesInTheOrderOfTheirNames() throws IOException {
        Path run = Files.createDirectory(directory.resolve("foreign"));
        Files.write(run.resolve("b.gendc"), bytes(0));
        Files.write(run.resolve("a.gendc"), bytes(2));
        Files.write(run.resolve("c.gendc"), new byte[] {1, 2, 3});
        try (Recording recording = Recording.open(run)) {
            assertEquals(2, recording.frameCount());
            assertEquals(30, recording.frame(0).id());
            assertEquals(containers.get(0), recording.frame(1).container());
            assertEquals(1, recording.problems().size());
        }
    }

    @Test
    void oneContainerIsARecording() throws IOException {
        Path file = directory.resolve("one.gendc");
        Files.write(file, bytes(0));
        try (Recording recording = Recording.open(file)) {
            assertEquals(1, recording.frameCount());
            assertTrue(recording.frame(0).composite().complete());
        }
    }

    /** A container header alone, which the reader of containers takes with a warning. */
    private static byte[] withoutComponents() {
        return RawContainer.begin(1, 0, 7, 0, 0, 56).end(56).array();
    }

    @Test
    void aContainerWithoutComponentsLeavesTheOthersReadable() throws IOException {
        Path run = Files.createDirectory(directory.resolve("foreign"));
        Files.write(run.resolve("a.gendc"), bytes(0));
        Files.write(run.resolve("b.gendc"), withoutComponents());
        try (Recording recording = Recording.open(run)) {
            assertEquals(1, recording.frameCount());
            assertEquals(1, recording.problems().size());
        }
    }

    @Test
    void aContainerWithoutComponentsIsNoRecording() throws IOException {
        Path file = Files.write(directory.resolve("one.gendc"), withoutComponents());
        RecordingException thrown = assertThrows(RecordingException.class, () -> Recording.open(file));
        assertTrue(thrown.getMessage().contains("no component"), thrown::getMessage);
    }

    private byte[] bytes(int index) {
        byte[] bytes = new byte[containers.get(index).remaining()];
        containers.get(index).get(0, bytes);
        return bytes;
    }

    @Test
    void recordingsAreTold() throws IOException {
        assertTrue(Recording.isRecording(path));
        assertTrue(Recording.isRecording(record("run", Form.DIRECTORY, 1L << 30)));
        assertFalse(Recording.isRecording(directory.resolve("nothing")));
        Path text = Files.writeString(directory.resolve("text"), "text");
        assertFalse(Recording.isRecording(text));
    }
}
