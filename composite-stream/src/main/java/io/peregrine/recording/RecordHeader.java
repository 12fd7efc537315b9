package io.peregrine.recording;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The first 64 bytes of a record; {@link io.peregrine.recording the package} has the layout.
 *
 * @param type {@link #CAMERA}, {@link #FRAME} or {@link #INDEX}
 * @param number position of a frame in the recording, from 0
 * @param containerBytes bytes of the container, wherever it is; of the XML of a camera
 * @param metadataBytes bytes between this header and the container
 * @param bodyCrc CRC-32C of metadata and container
 * @param id id of the composite
 * @param timestamp time of the frame in ticks of the device's clock
 * @param hostNanos when the recorder got the frame, since the recording was begun
 * @param flowBytes memory that the frame needs for replay
 */
record RecordHeader(
        int type,
        long number,
        long containerBytes,
        int metadataBytes,
        int bodyCrc,
        long id,
        long timestamp,
        long hostNanos,
        long flowBytes) {
    static final int SIZE_BYTES = 64;
    static final int CAMERA = 1;
    static final int FRAME = 2;
    static final int INDEX = 3;

    /** Most that a reader makes room for at once, beside a container. */
    static final int MAX_METADATA_BYTES = 16 << 20;

    static final long MAX_XML_BYTES = 64 << 20;

    private static final int MAGIC = 'P' | 'R' << 8 | 'E' << 16 | 'C' << 24;
    private static final int CRC_AT = SIZE_BYTES - 4;

    /** Writes it at the position of a little-endian buffer. */
    void put(ByteBuffer to) {
        int start = to.position();
        to.putInt(MAGIC).putShort((short) type).putShort((short) 0).putLong(number);
        to.putLong(containerBytes).putInt(metadataBytes).putInt(bodyCrc);
        to.putLong(id).putLong(timestamp).putLong(hostNanos).putInt((int) flowBytes);
        to.putInt(crc(to, start, CRC_AT));
    }

    /**
     * Reads it at a position of a little-endian buffer.
     *
     * @return empty when there is no header, or a damaged one
     */
    static Optional<RecordHeader> parse(ByteBuffer from, int at) {
        if (from.limit() - at < SIZE_BYTES
                || from.getInt(at) != MAGIC
                || from.getInt(at + CRC_AT) != crc(from, at, CRC_AT)) {
            return Optional.empty();
        }
        RecordHeader header = new RecordHeader(
                Short.toUnsignedInt(from.getShort(at + 4)),
                from.getLong(at + 8),
                from.getLong(at + 16),
                from.getInt(at + 24),
                from.getInt(at + 28),
                from.getLong(at + 32),
                from.getLong(at + 40),
                from.getLong(at + 48),
                Integer.toUnsignedLong(from.getInt(at + 56)));
        return header.possible() ? Optional.of(header) : Optional.empty();
    }

    private boolean possible() {
        long most = type == FRAME ? LinearContainer.MAX_BYTES : type == CAMERA ? MAX_XML_BYTES : 0;
        return type >= CAMERA
                && type <= INDEX
                && containerBytes >= 0
                && containerBytes <= most
                && metadataBytes >= 0
                && metadataBytes <= MAX_METADATA_BYTES
                && flowBytes <= LinearContainer.MAX_BYTES;
    }

    /** Bytes in the recording file, from this header to the next. */
    long recordBytes(boolean containersApart) {
        long inside = type == FRAME && containersApart ? 0 : containerBytes;
        return aligned(SIZE_BYTES + metadataBytes + inside);
    }

    static long aligned(long bytes) {
        return (bytes + 7) & ~7L;
    }

    private static int crc(ByteBuffer bytes, int at, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(at, length));
        return (int) crc.getValue();
    }

    static ByteBuffer buffer(int sizeBytes) {
        return ByteBuffer.allocate(sizeBytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
