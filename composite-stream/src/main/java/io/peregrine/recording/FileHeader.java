package io.peregrine.recording;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The first 64 bytes of a recording file.
 *
 * @param containersApart whether containers are separate files beside it
 * @param createdMillis when it was begun, in milliseconds since 1970 UTC
 */
record FileHeader(boolean containersApart, long createdMillis) {
    static final int SIZE_BYTES = 64;
    private static final int VERSION = 1;
    private static final byte[] MAGIC = "PEREGREC".getBytes(StandardCharsets.US_ASCII);
    private static final int CRC_AT = SIZE_BYTES - 4;

    ByteBuffer toBytes() {
        ByteBuffer bytes = RecordHeader.buffer(SIZE_BYTES);
        bytes.put(MAGIC).putShort((short) VERSION).putShort((short) (containersApart ? 1 : 0));
        bytes.putInt(SIZE_BYTES).putLong(createdMillis);
        return bytes.putInt(CRC_AT, crc(bytes)).clear();
    }

    /**
     * Reads it.
     *
     * @param bytes little-endian, from its first byte on
     * @param name of the file, for messages
     * @throws RecordingException if it is no recording, or one of a later version
     */
    static FileHeader parse(ByteBuffer bytes, String name) {
        if (bytes.limit() < SIZE_BYTES || !bytes.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
            throw new RecordingException(name + " is no recording: it does not begin as one");
        }
        int version = Short.toUnsignedInt(bytes.getShort(8));
        if (version != VERSION) {
            throw new RecordingException(name + " is a recording of version " + version
                    + ", and this library reads version " + VERSION + ": use a later library");
        }
        if (bytes.getInt(CRC_AT) != crc(bytes)) {
            throw new RecordingException(name + " is damaged: its first 64 bytes contradict their checksum");
        }
        return new FileHeader((bytes.getShort(10) & 1) != 0, bytes.getLong(16));
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(0, CRC_AT));
        return (int) crc.getValue();
    }
}
