package io.peregrine.recording;

import io.peregrine.composite.Composite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Writes a recording, file or directory. One thread at a time. */
final class RecordWriter implements AutoCloseable {
    static final String INDEX_FILE = "recording.pgr";
    static final String SETTINGS_FILE = "settings.txt";
    static final String XML_FILE = "camera.xml";
    static final byte[] FOOTER = "PEREGEND".getBytes(StandardCharsets.US_ASCII);
    static final int ENTRY_BYTES = 8 + RecordHeader.SIZE_BYTES;

    /** An index record is written after so many frames, so that none becomes larger than a reader allows. */
    private static final int MAX_ENTRIES = 65536;

    /** Most that is written until it is forced: a fraction of a second of a disk. */
    private static final long STEP_BYTES = 32 << 20;

    private static final long NONE = 0;

    private final Path directory;
    private final boolean containersApart;
    private final Output.Opener opener;
    private final long checkpointBytes;
    private final Output file;
    private final DiskSync sync;
    private final ByteBuffer padding = ByteBuffer.allocate(8);

    private record Entry(long at, long end, RecordHeader header) {}

    private final List<Entry> sinceIndex = new ArrayList<>();
    private long end;
    private long frames;
    private long bytesWritten;
    private long bytesSinceIndex;
    private long lastIndex = NONE;
    private boolean torn;

    private RecordWriter(
            Path directory, boolean containersApart, Output.Opener opener, long checkpointBytes, Output file) {
        this.directory = directory;
        this.containersApart = containersApart;
        this.opener = opener;
        this.checkpointBytes = checkpointBytes;
        this.file = file;
        String name = "peregrine-recorder-sync-" + directory.getFileName();
        sync = new DiskSync(file, Math.min(STEP_BYTES, checkpointBytes), name);
    }

    /**
     * Begins a recording.
     *
     * @param target the file, or the directory when containers are apart; nothing may be there but an empty directory
     */
    static RecordWriter create(
            Path target,
            boolean containersApart,
            Camera camera,
            long createdMillis,
            long checkpointBytes,
            Output.Opener opener)
            throws IOException {
        if (containersApart) {
            Files.createDirectories(target);
        }
        Path path = containersApart ? target.resolve(INDEX_FILE) : target;
        Output file = opener.create(path);
        try {
            RecordWriter writer = new RecordWriter(target, containersApart, opener, checkpointBytes, file);
            writer.append(new FileHeader(containersApart, createdMillis).toBytes());
            writer.camera(camera);
            writer.sync.start();
            return writer;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    static String frameFile(long number) {
        return String.format(Locale.ROOT, "frame-%010d.gendc", number);
    }

    private void append(ByteBuffer... bytes) throws IOException {
        long size = 0;
        for (ByteBuffer piece : bytes) {
            size += piece.remaining();
        }
        file.write(bytes);
        end += size;
    }

    private void camera(Camera camera) throws IOException {
        if (camera.equals(Camera.UNKNOWN)) {
            return;
        }
        byte[] known = camera.toBytes();
        byte[] xml = camera.xml().orElse(new byte[0]);
        if (xml.length > RecordHeader.MAX_XML_BYTES) {
            throw new RecordingException("The camera's description of " + xml.length
                    + " bytes is too large for a recording: record without it");
        }
        if (containersApart) {
            if (!camera.settings().isEmpty()) {
                beside(SETTINGS_FILE, camera.settings().getBytes(StandardCharsets.UTF_8));
            }
            if (camera.xml().isPresent()) {
                beside(XML_FILE, xml);
            }
        }
        ByteBuffer[] body = {ByteBuffer.wrap(known), ByteBuffer.wrap(xml)};
        RecordHeader header =
                new RecordHeader(RecordHeader.CAMERA, 0, xml.length, known.length, crc(List.of(body)), 0, 0, 0, 0);
        record(header, List.of(body));
    }

    private void beside(String name, byte[] content) throws IOException {
        try (Output other = opener.create(directory.resolve(name))) {
            other.write(new ByteBuffer[] {ByteBuffer.wrap(content)});
        }
    }

    /**
     * Writes a frame. When it fails, the recording ends with the frame before.
     *
     * @param composite the frame
     * @param hostNanos when it was got, since the recording was begun
     */
    void write(Composite composite, long hostNanos) throws IOException {
        checkpoint();
        Optional<LinearContainer> container = LinearContainer.of(composite);
        List<ByteBuffer> pieces = container.map(LinearContainer::pieces).orElse(List.of());
        long containerBytes = container.map(LinearContainer::sizeBytes).orElse(0L);
        FrameMetadata known = new FrameMetadata(
                composite.block(), container.map(LinearContainer::segments).orElse(List.of()));
        byte[] metadata = known.toBytes();
        if (metadata.length > RecordHeader.MAX_METADATA_BYTES) {
            throw new RecordingException("The frame has too many parts for a recording");
        }
        List<ByteBuffer> body = new ArrayList<>(pieces.size() + 1);
        body.add(ByteBuffer.wrap(metadata));
        body.addAll(pieces);
        RecordHeader header = new RecordHeader(
                RecordHeader.FRAME,
                frames,
                containerBytes,
                metadata.length,
                crc(body),
                composite.id(),
                composite.timestamp(),
                hostNanos,
                known.flowBytes());
        if (containersApart) {
            apart(header, body);
        } else {
            record(header, body);
        }
        frames++;
        bytesWritten += containerBytes;
        bytesSinceIndex += containerBytes;
        sync.written(end);
    }

    private void checkpoint() throws IOException {
        long forced = sync.forcedBytes();
        if (bytesSinceIndex / 2 >= checkpointBytes) {
            // The disk is far behind.
            file.force();
            forced = end;
        }
        if (bytesSinceIndex >= checkpointBytes || sinceIndex.size() >= MAX_ENTRIES) {
            index(forced);
        }
    }

    /** The record tells of the file, so it is written after it. */
    private void apart(RecordHeader header, List<ByteBuffer> body) throws IOException {
        Path path = directory.resolve(frameFile(header.number()));
        boolean whole = false;
        try {
            if (body.size() > 1) {
                try (Output output = opener.create(path)) {
                    output.write(body.subList(1, body.size()).toArray(ByteBuffer[]::new));
                }
            }
            record(header, body.subList(0, 1));
            whole = true;
        } finally {
            if (!whole) {
                opener.delete(path);
            }
        }
    }

    private static int crc(List<ByteBuffer> body) {
        CRC32C crc = new CRC32C();
        for (ByteBuffer piece : body) {
            crc.update(piece.duplicate());
        }
        return (int) crc.getValue();
    }

    private void record(RecordHeader header, List<ByteBuffer> body) throws IOException {
        long at = end;
        ByteBuffer[] all = new ByteBuffer[body.size() + 2];
        ByteBuffer head = RecordHeader.buffer(RecordHeader.SIZE_BYTES);
        header.put(head);
        all[0] = head.flip();
        for (int i = 0; i < body.size(); i++) {
            all[i + 1] = body.get(i);
        }
        long unpadded = RecordHeader.SIZE_BYTES;
        for (ByteBuffer piece : body) {
            unpadded += piece.remaining();
        }
        all[all.length - 1] = padding.clear().limit((int) (RecordHeader.aligned(unpadded) - unpadded));
        try {
            append(all);
        } catch (IOException | RuntimeException e) {
            cut(at, e);
            throw e;
        }
        if (header.type() != RecordHeader.INDEX) {
            sinceIndex.add(new Entry(at, end, header));
        }
    }

    private void cut(long at, Exception reason) {
        try {
            file.truncate(at);
            end = at;
        } catch (IOException e) {
            // The reader cuts it; nothing may be written behind it.
            torn = true;
            reason.addSuppressed(e);
        }
    }

    /** Writes an index of records that are on the disk and not in an index yet, if there are any. */
    private void index(long forced) throws IOException {
        int count = 0;
        while (count < Math.min(sinceIndex.size(), MAX_ENTRIES) && sinceIndex.get(count).end <= forced) {
            count++;
        }
        if (count > 0) {
            indexOf(sinceIndex.subList(0, count));
        }
    }

    private void indexOf(List<Entry> entries) throws IOException {
        int size = 8 + entries.size() * ENTRY_BYTES + 8 + FOOTER.length;
        ByteBuffer metadata = RecordHeader.buffer(size);
        metadata.putLong(lastIndex);
        for (Entry entry : entries) {
            metadata.putLong(entry.at);
            entry.header.put(metadata);
        }
        metadata.putLong(end).put(FOOTER).flip();
        long at = end;
        RecordHeader header = new RecordHeader(RecordHeader.INDEX, frames, 0, size, crc(List.of(metadata)), 0, 0, 0, 0);
        record(header, List.of(metadata));
        entries.clear();
        bytesSinceIndex = 0;
        for (Entry left : sinceIndex) {
            bytesSinceIndex += left.header.containerBytes();
        }
        lastIndex = at;
    }

    long frames() {
        return frames;
    }

    /** Bytes of containers. */
    long bytesWritten() {
        return bytesWritten;
    }

    /** Writes the last index, unless told otherwise, and closes the file. */
    void close(boolean withIndex) throws IOException {
        sync.end();
        try (file) {
            if (withIndex && !torn) {
                file.force();
                do {
                    indexOf(sinceIndex.subList(0, Math.min(sinceIndex.size(), MAX_ENTRIES)));
                } while (!sinceIndex.isEmpty());
                file.force();
            }
        }
    }

    @Override
    public void close() throws IOException {
        close(true);
    }
}
