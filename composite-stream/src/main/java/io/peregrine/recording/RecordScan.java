package io.peregrine.recording;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Finds the records of a recording file: by its index when it ends with one, else from its start. What follows the last
 * index was perhaps never forced to the disk, so it is believed only after its checksum was worked out.
 */
final class RecordScan {
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int FOOTER_BYTES = 8 + RecordWriter.FOOTER.length;
    private static final int SMALLEST_INDEX_BYTES = 8 + FOOTER_BYTES;

    /** A record and where it is. */
    record Found(long at, RecordHeader header) {
        long metadataAt() {
            return at + RecordHeader.SIZE_BYTES;
        }

        long containerAt() {
            return metadataAt() + header.metadataBytes();
        }
    }

    /** Says whether a container that is a separate file is as its record says. */
    interface Beside {
        boolean matches(RecordHeader header, CRC32C metadata) throws IOException;
    }

    private final Input input;
    private final long size;
    private final boolean containersApart;
    private final Beside beside;
    private final ByteBuffer chunk = RecordHeader.buffer(CHUNK_BYTES);

    private final List<Found> records = new ArrayList<>();
    private Optional<Recording.TornTail> tornTail = Optional.empty();
    private final List<String> problems = new ArrayList<>();

    private RecordScan(Input input, boolean containersApart, Beside beside) throws IOException {
        this.input = input;
        size = input.sizeBytes();
        this.containersApart = containersApart;
        this.beside = beside;
    }

    static RecordScan of(Input input, boolean containersApart, Beside beside) throws IOException {
        RecordScan scan = new RecordScan(input, containersApart, beside);
        if (!scan.byIndex()) {
            scan.records.clear();
            scan.fromStart();
        }
        return scan;
    }

    /** The first record, if it lies within the file. */
    static Optional<Found> first(Input input, boolean containersApart) throws IOException {
        RecordScan scan = new RecordScan(input, containersApart, (header, metadata) -> false);
        return scan.header(FileHeader.SIZE_BYTES, scan.size);
    }

    /** Camera and frames, in the order of the file. */
    List<Found> records() {
        return records;
    }

    Optional<Recording.TornTail> tornTail() {
        return tornTail;
    }

    List<String> problems() {
        return problems;
    }

    // ---- By index

    private boolean byIndex() throws IOException {
        if (size < FileHeader.SIZE_BYTES + RecordHeader.SIZE_BYTES + SMALLEST_INDEX_BYTES) {
            return false;
        }
        ByteBuffer footer = RecordHeader.buffer(FOOTER_BYTES);
        if (!input.fill(footer, size - FOOTER_BYTES)
                || !footer.slice(8, RecordWriter.FOOTER.length).equals(ByteBuffer.wrap(RecordWriter.FOOTER))) {
            return false;
        }
        Deque<List<Found>> pieces = new ArrayDeque<>();
        long at = footer.getLong(0);
        long end = size;
        while (at != 0) {
            Optional<Found> index = header(at, end);
            if (index.isEmpty() || (end == size && end(index.get()) != size)) {
                return false;
            }
            Optional<ByteBuffer> metadata = index(index.get());
            if (metadata.isEmpty()) {
                return false;
            }
            long before = metadata.get().getLong(0);
            Optional<List<Found>> entries = entries(metadata.get(), at);
            if (entries.isEmpty()) {
                return false;
            }
            pieces.addFirst(entries.get());
            end = at;
            at = before;
        }
        pieces.forEach(records::addAll);
        return inOrder();
    }

    private boolean inOrder() {
        long free = FileHeader.SIZE_BYTES;
        for (Found record : records) {
            if (record.at < free) {
                return false;
            }
            free = end(record);
        }
        return true;
    }

    /** Metadata of an index record that is whole. */
    private Optional<ByteBuffer> index(Found index) throws IOException {
        int length = index.header.metadataBytes();
        if (index.header.type() != RecordHeader.INDEX
                || length < SMALLEST_INDEX_BYTES
                || (length - SMALLEST_INDEX_BYTES) % RecordWriter.ENTRY_BYTES != 0) {
            return Optional.empty();
        }
        ByteBuffer metadata = RecordHeader.buffer(length);
        if (!input.fill(metadata, index.metadataAt()) || index.header.bodyCrc() != crc(metadata.flip())) {
            return Optional.empty();
        }
        long before = metadata.getLong(0);
        boolean possible = before == 0 || (before >= FileHeader.SIZE_BYTES && before < index.at);
        return possible && metadata.getLong(length - FOOTER_BYTES) == index.at
                ? Optional.of(metadata)
                : Optional.empty();
    }

    /** The records that an index lists, all before it. */
    private Optional<List<Found>> entries(ByteBuffer metadata, long indexAt) {
        List<Found> entries = new ArrayList<>();
        for (int i = 8; i < metadata.limit() - FOOTER_BYTES; i += RecordWriter.ENTRY_BYTES) {
            long at = metadata.getLong(i);
            Optional<RecordHeader> header = RecordHeader.parse(metadata, i + 8);
            if (header.isEmpty()
                    || at < FileHeader.SIZE_BYTES
                    || at > indexAt
                    || header.get().type() == RecordHeader.INDEX) {
                return Optional.empty();
            }
            long bytes = header.get().recordBytes(containersApart);
            if (bytes > indexAt - at) {
                return Optional.empty();
            }
            entries.add(new Found(at, header.get()));
        }
        return Optional.of(entries);
    }

    // ---- From the start

    private void fromStart() throws IOException {
        long at = FileHeader.SIZE_BYTES;
        int believed = 0;
        Optional<Found> next = header(at, size);
        while (next.isPresent()) {
            Found found = next.get();
            at = end(found);
            if (found.header.type() == RecordHeader.INDEX) {
                Optional<ByteBuffer> metadata = index(found);
                if (metadata.isPresent()) {
                    believed = countUntil(lastPlace(metadata.get()));
                } else {
                    problems.add("the index at " + found.at + " is damaged");
                }
            } else {
                records.add(found);
            }
            next = header(at, size);
        }
        long good = verify(believed, at);
        if (good < size) {
            String reason = onlyZeros(good)
                    ? "there are only zeros: the last block was not filled"
                    : "the record that begins there was not written completely";
            tornTail = Optional.of(new Recording.TornTail(good, size - good, reason));
        }
    }

    /** Whether a short tail is what a recorder fills its last block with. */
    private boolean onlyZeros(long from) throws IOException {
        if (size - from > CHUNK_BYTES || !input.fill(chunk.clear().limit((int) (size - from)), from)) {
            return false;
        }
        return chunk.flip().mismatch(ByteBuffer.allocate(chunk.limit())) < 0;
    }

    /** Place of the last record that an index lists; 0 when there is none. */
    private static long lastPlace(ByteBuffer index) {
        int at = index.limit() - FOOTER_BYTES - RecordWriter.ENTRY_BYTES;
        return at < 8 ? 0 : index.getLong(at);
    }

    private int countUntil(long place) {
        int count = records.size();
        while (count > 0 && records.get(count - 1).at > place) {
            count--;
        }
        return count;
    }

    /** Checks what no index vouches for, and returns where the last good record ends. */
    private long verify(int believed, long endOfRecords) throws IOException {
        List<Found> unsure = new ArrayList<>(records.subList(believed, records.size()));
        records.subList(believed, records.size()).clear();
        int lastGood = unsure.size() - 1;
        while (lastGood >= 0 && !whole(unsure.get(lastGood))) {
            lastGood--;
        }
        for (int i = 0; i < lastGood; i++) {
            if (whole(unsure.get(i))) {
                records.add(unsure.get(i));
            } else {
                problems.add("record " + unsure.get(i).header.number() + " at " + unsure.get(i).at
                        + " contradicts its checksum and is dropped");
            }
        }
        if (lastGood >= 0) {
            records.add(unsure.get(lastGood));
        }
        return lastGood + 1 < unsure.size() ? unsure.get(lastGood + 1).at : endOfRecords;
    }

    private boolean whole(Found found) throws IOException {
        CRC32C crc = new CRC32C();
        RecordHeader header = found.header;
        boolean apart = containersApart && header.type() == RecordHeader.FRAME;
        long inside = header.metadataBytes() + (apart ? 0 : header.containerBytes());
        if (!addTo(crc, input, found.metadataAt(), inside)) {
            return false;
        }
        return apart ? beside.matches(header, crc) : (int) crc.getValue() == header.bodyCrc();
    }

    /** Adds a range of a file to a checksum; false when the file ends before. */
    private boolean addTo(CRC32C crc, Input from, long position, long length) throws IOException {
        return addTo(crc, from, position, length, chunk);
    }

    static boolean addTo(CRC32C crc, Input from, long position, long length, ByteBuffer chunk) throws IOException {
        long at = position;
        long end = position + length;
        while (at < end) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), end - at));
            if (!from.fill(chunk, at)) {
                return false;
            }
            at += chunk.position();
            crc.update(chunk.flip());
        }
        return true;
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    private long end(Found found) {
        return found.at + found.header.recordBytes(containersApart);
    }

    /** The record at a place, if there is one that ends within the file. */
    private Optional<Found> header(long at, long end) throws IOException {
        if (at < FileHeader.SIZE_BYTES || at > end - RecordHeader.SIZE_BYTES) {
            return Optional.empty();
        }
        ByteBuffer bytes = chunk.clear().limit(RecordHeader.SIZE_BYTES);
        if (!input.fill(bytes, at)) {
            return Optional.empty();
        }
        return RecordHeader.parse(bytes.flip(), 0)
                .filter(header -> header.recordBytes(containersApart) <= end - at)
                .map(header -> new Found(at, header));
    }
}
