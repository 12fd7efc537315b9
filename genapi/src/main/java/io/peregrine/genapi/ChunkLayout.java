package io.peregrine.genapi;

import io.peregrine.genapi.NodeMap.ChunkEnding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where the chunks of a frame lie. Chunk data is a sequence of chunks, each its bytes followed by a tag of eight: id
 * and length of the bytes, four bytes each. It can be walked from its end only. Tags are big-endian in payloads of GigE
 * Vision and little-endian in GenDC containers (GenDC 1.1, 2.2.8.1) and USB3 Vision.
 *
 * <p>Nothing in the data is trusted: a walk ends at the first tag that cannot be, in time bounded by the number of
 * chunks the layout can hold, and never by an exception. A layout is made once and walks any number of frames without
 * allocation. It is not safe for use by several threads.
 */
final class ChunkLayout {
    /** Bytes of a tag. */
    static final int TAG_BYTES = 8;

    private static final int DEFAULT_MAX_CHUNKS = 1024;

    private final int[] ids;
    private final int[] offsets;
    private final int[] lengths;
    private int count;
    private ChunkEnding ending = ChunkEnding.EMPTY;

    /** Makes a layout for up to 1024 chunks. */
    ChunkLayout() {
        this(DEFAULT_MAX_CHUNKS);
    }

    /**
     * Makes a layout.
     *
     * @param maxChunks how many chunks it can hold, at least 1
     * @throws IllegalArgumentException if that is less than 1
     */
    ChunkLayout(int maxChunks) {
        if (maxChunks < 1) {
            throw new IllegalArgumentException("A layout must hold at least one chunk, not " + maxChunks);
        }
        ids = new int[maxChunks];
        offsets = new int[maxChunks];
        lengths = new int[maxChunks];
    }

    /**
     * Finds the chunks of a frame, in place of those of the frame before.
     *
     * @param data chunk data from position to limit, tags in the byte order of the buffer; position and limit stay
     * @return how the walk ended: chunks that were found until then can be used
     */
    ChunkEnding walk(ByteBuffer data) {
        count = 0;
        int start = data.position();
        int end = data.limit();
        boolean swap = data.order() == ByteOrder.LITTLE_ENDIAN;
        ending = end == start ? ChunkEnding.EMPTY : ChunkEnding.COMPLETE;
        while (end > start) {
            if (end - start < TAG_BYTES) {
                return end(ChunkEnding.BYTES_LEFT);
            }
            int id = number(data, end - TAG_BYTES, swap);
            int length = number(data, end - TAG_BYTES / 2, swap);
            if (id == 0 && length == 0) {
                return end(ChunkEnding.ZERO_TAG);
            }
            int tag = end - TAG_BYTES;
            // Lengths are unsigned: what is negative as an int is larger than any buffer.
            if (length < 0 || length > tag - start) {
                return end(ChunkEnding.LENGTH_OUTSIDE);
            }
            if (count == ids.length) {
                return end(ChunkEnding.TOO_MANY);
            }
            ids[count] = id;
            offsets[count] = tag - length - start;
            lengths[count] = length;
            count++;
            end = tag - length;
        }
        return ending;
    }

    private ChunkEnding end(ChunkEnding how) {
        ending = how;
        return how;
    }

    private static int number(ByteBuffer data, int at, boolean littleEndian) {
        int a = data.get(at) & 0xFF;
        int b = data.get(at + 1) & 0xFF;
        int c = data.get(at + 2) & 0xFF;
        int d = data.get(at + 3) & 0xFF;
        return littleEndian ? d << 24 | c << 16 | b << 8 | a : a << 24 | b << 16 | c << 8 | d;
    }

    /** Forgets the chunks. */
    void clear() {
        count = 0;
        ending = ChunkEnding.EMPTY;
    }

    /** How the last walk ended. */
    ChunkEnding ending() {
        return ending;
    }

    /** Number of chunks that were found. */
    int count() {
        return count;
    }

    /**
     * Id of a chunk, 0 to 2^32 - 1.
     *
     * @param index number of the chunk, from 0, counted from the end of the data
     */
    long id(int index) {
        return Integer.toUnsignedLong(ids[checked(index)]);
    }

    /** First byte of a chunk, counted from the position that the walked buffer had. */
    int offsetBytes(int index) {
        return offsets[checked(index)];
    }

    /** Length of a chunk without its tag. */
    int lengthBytes(int index) {
        return lengths[checked(index)];
    }

    private int checked(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("There are " + count + " chunks: there is none of number " + index);
        }
        return index;
    }

    /**
     * The chunk of an id: the one nearest to the end when there are several.
     *
     * @return its number, or -1 when there is none
     */
    int find(long id) {
        if (id >>> 32 == 0) {
            for (int i = 0; i < count; i++) {
                if (ids[i] == (int) id) {
                    return i;
                }
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("ChunkLayout[").append(ending);
        for (int i = 0; i < count; i++) {
            text.append(", ")
                    .append(Integer.toHexString(ids[i]))
                    .append(": ")
                    .append(lengths[i])
                    .append(" bytes at ")
                    .append(offsets[i]);
        }
        return text.append(']').toString();
    }
}
