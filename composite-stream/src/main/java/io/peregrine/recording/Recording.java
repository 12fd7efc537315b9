package io.peregrine.recording;

import io.peregrine.composite.internal.FileFailure;
import io.peregrine.recording.RecordScan.Found;
import io.peregrine.recording.internal.ReplaySettings;
import io.peregrine.stream.engine.StreamSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A recording, open for reading: a recording file, a directory of {@link Recorder}, a directory of {@code .gendc} files
 * of any origin in the order of their names, or a single {@code .gendc} file. Frames are read when they are asked for,
 * by any number of threads; an interrupted thread closes the file for all of them.
 *
 * <p>What was not written completely is dropped: {@link #tornTail()} and {@link #problems()} report it. Nothing larger
 * than the files are is ever made room for.
 */
public final class Recording implements AutoCloseable, Iterable<RecordedFrame> {
    private static final int CHUNK_BYTES = 1 << 16;

    /**
     * The end of a recording file that cannot be used, because writing was cut off there.
     *
     * @param offsetBytes where it begins
     * @param lengthBytes how long it is
     * @param reason what is wrong
     */
    public record TornTail(long offsetBytes, long lengthBytes, String reason) {}

    private final Path path;
    private final Optional<Input> input;
    private final boolean containersApart;
    private final long createdMillis;
    private final Camera camera;
    private final List<RecordedFrame> frames;
    private final Optional<TornTail> tornTail;
    private final List<String> problems;

    private Recording(
            Path path,
            Optional<Input> input,
            boolean containersApart,
            long createdMillis,
            Camera camera,
            List<Found> found,
            Optional<TornTail> tornTail,
            List<String> problems) {
        this.path = path;
        this.input = input;
        this.containersApart = containersApart;
        this.createdMillis = createdMillis;
        this.camera = camera;
        this.tornTail = tornTail;
        this.problems = List.copyOf(problems);
        List<RecordedFrame> all = new ArrayList<>(found.size());
        for (Found record : found) {
            if (record.header().type() == RecordHeader.FRAME) {
                all.add(new RecordedFrame(all.size(), record.header(), new InRecording(record)));
            }
        }
        frames = List.copyOf(all);
    }

    private Recording(Path path, Camera camera, List<RecordedFrame> frames, List<String> problems) {
        this.path = path;
        this.camera = camera;
        this.frames = List.copyOf(frames);
        this.problems = List.copyOf(problems);
        input = Optional.empty();
        containersApart = true;
        createdMillis = 0;
        tornTail = Optional.empty();
    }

    /**
     * Opens a recording.
     *
     * @param path a recording file, a directory, or a {@code .gendc} file
     * @throws RecordingException if it is none, or cannot be read
     */
    public static Recording open(Path path) {
        try {
            if (!Files.isDirectory(path)) {
                return file(path, path);
            }
            Path index = path.resolve(RecordWriter.INDEX_FILE);
            return Files.exists(index) ? file(path, index) : containers(path);
        } catch (IOException | UncheckedIOException e) {
            throw new RecordingException("Cannot read the recording " + path + ": " + FileFailure.reason(e), e);
        }
    }

    /** Whether a path looks like something that can be opened, without opening all of it. */
    public static boolean isRecording(Path path) {
        try {
            if (Files.isDirectory(path)) {
                return Files.exists(path.resolve(RecordWriter.INDEX_FILE))
                        || !ContainerFiles.in(path).isEmpty();
            }
            if (!Files.isRegularFile(path)) {
                return false;
            }
            try (Input start = Input.of(path)) {
                ByteBuffer bytes = RecordHeader.buffer(FileHeader.SIZE_BYTES);
                start.fill(bytes, 0);
                return ContainerFiles.isContainer(bytes.flip()) || isRecordingFile(bytes, path);
            }
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * What is known of the camera of a recording, without looking for its frames. {@link Camera#UNKNOWN} when that is
     * nothing.
     *
     * @param path as for {@link #open}
     * @throws RecordingException if it is no recording, or cannot be read
     */
    public static Camera cameraOf(Path path) {
        Path file = Files.isDirectory(path) ? path.resolve(RecordWriter.INDEX_FILE) : path;
        if (Files.isDirectory(path) && !Files.exists(file)) {
            return Camera.UNKNOWN;
        }
        try (Input input = Input.of(file)) {
            ByteBuffer start = RecordHeader.buffer(FileHeader.SIZE_BYTES);
            input.fill(start, 0);
            if (ContainerFiles.isContainer(start.flip())) {
                return Camera.UNKNOWN;
            }
            FileHeader header = FileHeader.parse(start, file.toString());
            return RecordScan.first(input, header.containersApart())
                    .filter(found -> found.header().type() == RecordHeader.CAMERA)
                    .map(found -> camera(input, found, new ArrayList<>()))
                    .orElse(Camera.UNKNOWN);
        } catch (IOException | UncheckedIOException e) {
            throw new RecordingException("Cannot read the recording " + path + ": " + FileFailure.reason(e), e);
        }
    }

    private static boolean isRecordingFile(ByteBuffer bytes, Path path) {
        try {
            FileHeader.parse(bytes, path.toString());
            return true;
        } catch (RecordingException e) {
            return false;
        }
    }

    private static Recording file(Path path, Path file) throws IOException {
        Input input = Input.of(file);
        boolean opened = false;
        try {
            ByteBuffer start = RecordHeader.buffer(4);
            input.fill(start, 0);
            if (ContainerFiles.isContainer(start.flip())) {
                List<String> problems = new ArrayList<>();
                Recording recording =
                        new Recording(path, Camera.UNKNOWN, ContainerFiles.frames(List.of(file), problems), problems);
                if (recording.frames.isEmpty()) {
                    throw new RecordingException(problems.get(0));
                }
                return recording;
            }
            Recording recording = read(path, input);
            opened = true;
            return recording;
        } finally {
            if (!opened) {
                input.close();
            }
        }
    }

    /** Reads a recording file. */
    static Recording read(Path path, Input input) throws IOException {
        ByteBuffer start = RecordHeader.buffer(FileHeader.SIZE_BYTES);
        input.fill(start, 0);
        FileHeader header = FileHeader.parse(start.flip(), path.toString());
        RecordScan scan = RecordScan.of(input, header.containersApart(), (record, crc) -> matches(path, record, crc));
        Camera camera = Camera.UNKNOWN;
        List<String> problems = new ArrayList<>(scan.problems());
        for (Found record : scan.records()) {
            if (record.header().type() == RecordHeader.CAMERA) {
                camera = camera(input, record, problems);
            }
        }
        return new Recording(
                path,
                Optional.of(input),
                header.containersApart(),
                header.createdMillis(),
                camera,
                scan.records(),
                scan.tornTail(),
                problems);
    }

    private static Camera camera(Input input, Found record, List<String> problems) {
        RecordHeader header = record.header();
        long length = header.metadataBytes() + header.containerBytes();
        byte[] body = new byte[Math.toIntExact(length)];
        CRC32C crc = new CRC32C();
        try {
            if (!input.fill(ByteBuffer.wrap(body), record.metadataAt())) {
                problems.add("the camera record is not complete");
                return Camera.UNKNOWN;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        crc.update(body);
        if ((int) crc.getValue() != header.bodyCrc()) {
            problems.add("the camera record contradicts its checksum");
            return Camera.UNKNOWN;
        }
        Optional<byte[]> xml = header.containerBytes() == 0
                ? Optional.empty()
                : Optional.of(Arrays.copyOfRange(body, header.metadataBytes(), body.length));
        try {
            ByteBuffer known = ByteBuffer.wrap(body, 0, header.metadataBytes()).order(ByteOrder.LITTLE_ENDIAN);
            return Camera.parse(known, xml);
        } catch (RecordingException e) {
            problems.add(e.getMessage());
            return Camera.UNKNOWN;
        }
    }

    private static boolean matches(Path directory, RecordHeader header, CRC32C crc) throws IOException {
        if (header.containerBytes() > 0) {
            Path file = directory.resolve(RecordWriter.frameFile(header.number()));
            if (!Files.isRegularFile(file)) {
                return false;
            }
            try (Input container = Input.of(file)) {
                if (container.sizeBytes() != header.containerBytes()
                        || !RecordScan.addTo(
                                crc, container, 0, header.containerBytes(), ByteBuffer.allocate(CHUNK_BYTES))) {
                    return false;
                }
            }
        }
        return (int) crc.getValue() == header.bodyCrc();
    }

    private static Recording containers(Path directory) throws IOException {
        List<Path> files = ContainerFiles.in(directory);
        if (files.isEmpty()) {
            throw new RecordingException(
                    directory + " is no recording: it has neither " + RecordWriter.INDEX_FILE + " nor .gendc files");
        }
        List<String> problems = new ArrayList<>();
        return new Recording(directory, Camera.UNKNOWN, ContainerFiles.frames(files, problems), problems);
    }

    /** A frame of a recording file. */
    private final class InRecording implements RecordedFrame.Source {
        private final Found record;

        InRecording(Found record) {
            this.record = record;
        }

        @Override
        public ByteBuffer metadata() throws IOException {
            ByteBuffer bytes = RecordHeader.buffer(record.header().metadataBytes());
            fill(bytes, record.metadataAt());
            return bytes.flip();
        }

        private void fill(ByteBuffer to, long position) throws IOException {
            if (!input.orElseThrow().fill(to, position)) {
                throw new IOException("the file has become shorter");
            }
        }

        private Path file() {
            return path.resolve(RecordWriter.frameFile(record.header().number()));
        }

        @Override
        public long containerBytesThere() throws IOException {
            long bytes = record.header().containerBytes();
            return containersApart && bytes > 0 ? Files.size(file()) : bytes;
        }

        @Override
        public void container(ByteBuffer to) throws IOException {
            if (!containersApart) {
                fill(to, record.containerAt());
            } else if (to.hasRemaining()) {
                ContainerFiles.readAll(file(), to);
            }
        }

        @Override
        public boolean checked() {
            return true;
        }
    }

    // ---- Frames

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** When it was begun, in milliseconds since 1970 UTC; 0 for containers of other origin. */
    public long createdMillis() {
        return createdMillis;
    }

    /** What is known of the camera. */
    public Camera camera() {
        return camera;
    }

    /** Number of frames. */
    public int frameCount() {
        return frames.size();
    }

    /**
     * A frame.
     *
     * @param index from 0
     * @throws IndexOutOfBoundsException if there is none
     */
    public RecordedFrame frame(int index) {
        return frames.get(index);
    }

    /**
     * The first frame with an id.
     *
     * @param id {@link io.peregrine.composite.Composite#id()}
     */
    public Optional<RecordedFrame> findId(long id) {
        return frames.stream().filter(frame -> frame.id() == id).findFirst();
    }

    /**
     * The first frame that is not older than a time.
     *
     * @param timestamp in ticks of the device's clock, as {@link RecordedFrame#timestamp()}
     */
    public Optional<RecordedFrame> findTimestamp(long timestamp) {
        return frames.stream().filter(frame -> frame.timestamp() >= timestamp).findFirst();
    }

    /** Frames in the order in which they were recorded. */
    @Override
    public Iterator<RecordedFrame> iterator() {
        return frames.iterator();
    }

    /**
     * A source of its frames for a stream, not begun.
     *
     * @param settings how to replay them
     * @return the source; to be closed before the recording
     * @throws io.peregrine.stream.StreamException if the flow sets would take more memory than the settings allow
     * @hidden Users open a device on the recording.
     */
    // For the module that makes streams of sources; Error Prone does not know the tag.
    @SuppressWarnings({"exports", "InvalidBlockTag"})
    public StreamSource source(ReplaySettings settings) {
        return ReplaySource.open(this, settings);
    }

    /** Largest memory that a frame needs for replay, in bytes. */
    long largestFlowBytes() {
        return frames.stream().mapToLong(RecordedFrame::flowBytes).max().orElse(0);
    }

    /** The end that was cut off, because writing ended in the middle. */
    public Optional<TornTail> tornTail() {
        return tornTail;
    }

    /** What else is wrong, and was dropped; empty for a good recording. */
    public List<String> problems() {
        return problems;
    }

    /** Closes the file. */
    @Override
    public void close() {
        try {
            if (input.isPresent()) {
                input.get().close();
            }
        } catch (IOException e) {
            throw new RecordingException("The recording " + path + " cannot be closed: " + FileFailure.reason(e), e);
        }
    }

    @Override
    public String toString() {
        return "Recording[" + path + ", " + frames.size() + " frames"
                + tornTail.map(tail -> ", " + tail.lengthBytes() + " bytes cut off")
                        .orElse("") + "]";
    }
}
