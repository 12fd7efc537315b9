package io.peregrine.recording;

import io.peregrine.composite.Composite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;

/** Writes a recording, file or directory. One thread at a time. */
final class RecordWriter implements AutoCloseable {
    static final String INDEX_FILE = "recording.pgr";
    static final String SETTINGS_FILE = "settings.txt";
    static final String XML_FILE = "camera.xml";
    static final byte[] FOOTER = "PEREGEND".getBytes(StandardCharsets.US_ASCII);
    static final int ENTRY_BYTES = 8 + RecordHeader.SIZE_BYTES;

    /** An index record is written after that many frames, so that none becomes larger than a reader allows. */
    private static final int MAX_ENTRIES = 65536;

    /** Most that is written to the page cache until it is forced: a fraction of a second of a disk. */
    private static final long STEP_BYTES = 64 << 20;

    /** The same past the page cache: nothing is left to be written then, but the disk's own cache. */
    private static final long DIRECT_STEP_BYTES = 256 << 20;

    /** Memory for records of frames that are separate files. */
    private static final int INDEX_BUFFER_BYTES = 1 << 16;

    private static final long NONE = 0;

    private final Path directory;
    private final boolean containersApart;
    private final Output.Opener opener;
    private final long checkpointBytes;
    private final Output file;
    private final DiskWriter disk;
    private final ByteBuffer padding = ByteBuffer.allocate(8);

    private record Entry(long at, long end, RecordHeader header) {
        boolean isFrame() {
            return header.type() == RecordHeader.FRAME;
        }
    }

    /** Frames that the file system has, and the bytes of their containers. */
    record Progress(long frames, long bytes) {}

    private final List<Entry> sinceIndex = new ArrayList<>();
    /** What the last index lists, for when it turns out that it could not be written. */
    private final List<Entry> inLastIndex = new ArrayList<>();

    private long frames;
    private long bytesSinceIndex;
    private long lastIndex = NONE;
    private long lastIndexEnd;
    private long indexBefore = NONE;
    private long indexBeforeEnd;
    private boolean settled;
    private boolean torn;
    /** Where whole records end, once nothing is written by the thread any more. */
    private long end;

    // Guards what is below.
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Entry> staged = new ArrayDeque<>();
    private long framesThere;
    private long bytesThere;

    private RecordWriter(
            Path directory, boolean containersApart, Output.Opener opener, long checkpointBytes, Output file) {
        this.directory = directory;
        this.containersApart = containersApart;
        this.opener = opener;
        this.checkpointBytes = checkpointBytes;
        this.file = file;
        String name = "peregrine-recorder-disk-" + directory.getFileName();
        int bufferBytes = containersApart ? INDEX_BUFFER_BYTES : opener.bufferBytes();
        long stepBytes = file.blockBytes() > 1 ? DIRECT_STEP_BYTES : STEP_BYTES;
        disk = new DiskWriter(file, bufferBytes, Math.min(stepBytes, checkpointBytes), name);
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
        Output file = containersApart ? opener.create(target.resolve(INDEX_FILE)) : opener.createLarge(target);
        try {
            RecordWriter writer = new RecordWriter(target, containersApart, opener, checkpointBytes, file);
            writer.begin(camera, createdMillis);
            return writer;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private void begin(Camera camera, long createdMillis) throws IOException {
        disk.start();
        boolean begun = false;
        try {
            disk.append(new FileHeader(containersApart, createdMillis).toBytes());
            lastIndexEnd = disk.appendedBytes();
            camera(camera);
            disk.drain();
            begun = true;
        } finally {
            if (!begun) {
                disk.end();
            }
        }
    }

    static String frameFile(long number) {
        return String.format(Locale.ROOT, "frame-%010d.gendc", number);
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
        bytesSinceIndex += containerBytes;
    }

    private void checkpoint() throws IOException {
        long forced = disk.forcedBytes();
        if (bytesSinceIndex / 2 >= checkpointBytes) {
            // The disk cannot keep up.
            disk.drain();
            file.force();
            forced = disk.appendedBytes();
        }
        if (bytesSinceIndex >= checkpointBytes || sinceIndex.size() >= MAX_ENTRIES) {
            index(forced);
        }
    }

    /** The record describes the file, so it is written after it. */
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
        long at = settled ? end : disk.appendedBytes();
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
        if (settled) {
            appendSettled(all);
            return;
        }
        disk.append(all);
        if (header.type() != RecordHeader.INDEX) {
            Entry entry = new Entry(at, disk.appendedBytes(), header);
            sinceIndex.add(entry);
            stage(entry);
        }
    }

    private void appendSettled(ByteBuffer[] all) throws IOException {
        long size = 0;
        for (ByteBuffer piece : all) {
            size += piece.remaining();
        }
        try {
            file.write(all);
            end += size;
        } catch (IOException e) {
            cut(e);
            throw e;
        }
    }

    private void cut(Exception reason) {
        try {
            file.truncate(end);
        } catch (IOException e) {
            // The reader cuts it; nothing may be written after it.
            torn = true;
            reason.addSuppressed(e);
        }
    }

    private void stage(Entry entry) {
        if (entry.isFrame()) {
            lock.lock();
            try {
                staged.add(entry);
            } finally {
                lock.unlock();
            }
        }
    }

    /** How far writing is. For any thread. */
    Progress progress() {
        long written = disk.writtenBytes();
        lock.lock();
        try {
            while (!staged.isEmpty() && staged.getFirst().end <= written) {
                framesThere++;
                bytesThere += staged.removeFirst().header.containerBytes();
            }
            return new Progress(framesThere, bytesThere);
        } finally {
            lock.unlock();
        }
    }

    /** Writes an index of records that are on the disk and not in an index yet, if there are any. */
    private void index(long forced) throws IOException {
        if (lastIndexEnd > disk.writtenBytes()) {
            return;
        }
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
        long at = settled ? end : disk.appendedBytes();
        metadata.putLong(at).put(FOOTER).flip();
        RecordHeader header = new RecordHeader(RecordHeader.INDEX, frames, 0, size, crc(List.of(metadata)), 0, 0, 0, 0);
        record(header, List.of(metadata));
        inLastIndex.clear();
        inLastIndex.addAll(entries);
        indexBefore = lastIndex;
        indexBeforeEnd = lastIndexEnd;
        lastIndexEnd = settled ? end : disk.appendedBytes();
        entries.clear();
        bytesSinceIndex = 0;
        for (Entry left : sinceIndex) {
            bytesSinceIndex += left.header.containerBytes();
        }
        lastIndex = at;
    }

    /** Frames that were given to it and are not lost. */
    long frames() {
        return frames;
    }

    /**
     * Ends the thread, and cuts the file after the last whole record.
     *
     * @return what failed
     */
    private Optional<IOException> settle() {
        if (settled) {
            return Optional.empty();
        }
        settled = true;
        IOException failure = null;
        try {
            Optional<Throwable> reason = disk.end();
            if (reason.isPresent()) {
                failure = new IOException(reason.get().getMessage(), reason.get());
                forget(disk.writtenBytes());
            }
            end = Math.max(lastIndexEnd, sinceIndex.isEmpty() ? 0 : sinceIndex.get(sinceIndex.size() - 1).end);
            file.truncate(end);
        } catch (IOException e) {
            // The reader cuts it; nothing may be written after it.
            torn = true;
            if (failure == null) {
                failure = e;
            } else {
                failure.addSuppressed(e);
            }
        }
        return Optional.ofNullable(failure);
    }

    /** Takes back what was not written. */
    private void forget(long written) throws IOException {
        progress();
        if (lastIndexEnd > written && lastIndex != NONE) {
            sinceIndex.addAll(0, inLastIndex);
            lastIndex = indexBefore;
            lastIndexEnd = indexBeforeEnd;
        }
        while (!sinceIndex.isEmpty() && sinceIndex.get(sinceIndex.size() - 1).end > written) {
            Entry lost = sinceIndex.remove(sinceIndex.size() - 1);
            if (lost.isFrame()) {
                frames--;
                if (containersApart) {
                    opener.delete(directory.resolve(frameFile(lost.header.number())));
                }
            }
        }
    }

    /**
     * Ends the recording where writing failed.
     *
     * @param reason why; gets what failed besides
     */
    void fail(Throwable reason) {
        settle().filter(failure -> failure.getCause() == null || failure.getCause() != reason.getCause())
                .ifPresent(reason::addSuppressed);
    }

    /** Writes the last index, unless asked not to, and closes the file. */
    void close(boolean withIndex) throws IOException {
        try (file) {
            Optional<IOException> failure = settle();
            try {
                if (withIndex && !torn) {
                    finish();
                }
            } catch (IOException e) {
                failure.ifPresent(e::addSuppressed);
                throw e;
            }
            if (failure.isPresent()) {
                throw failure.get();
            }
        }
    }

    private void finish() throws IOException {
        file.force();
        do {
            indexOf(sinceIndex.subList(0, Math.min(sinceIndex.size(), MAX_ENTRIES)));
        } while (!sinceIndex.isEmpty());
        file.force();
    }

    @Override
    public void close() throws IOException {
        close(true);
    }
}
