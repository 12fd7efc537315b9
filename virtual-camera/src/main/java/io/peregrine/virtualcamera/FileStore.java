package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The files that the camera keeps without power: one of the user's, and its firmware. Firmware is kept when its header
 * fits: {@code PGFW}, version (2 bytes major, 2 bytes minor), length of the program in bytes (4), its CRC-32 (4), then
 * the program. Numbers are big-endian. New firmware runs after the next restart.
 */
final class FileStore {
    static final int USER_FILE = 0;
    static final int FIRMWARE = 1;
    static final int COUNT = 2;

    private static final int MAGIC = 0x50474657;
    private static final int HEADER_BYTES = 16;

    private final byte[][] contents = new byte[COUNT][0];
    private String version = "1.0";

    /** Most bytes of a file. */
    static int limitBytes(int file) {
        return file == FIRMWARE ? 8 << 20 : 1 << 20;
    }

    synchronized byte[] content(int file) {
        return contents[file].clone();
    }

    synchronized int sizeBytes(int file) {
        return contents[file].length;
    }

    /** Keeps a file; false when it is firmware that does not fit. */
    synchronized boolean keep(int file, byte[] content) {
        if (file == FIRMWARE && !fits(content)) {
            return false;
        }
        contents[file] = content.clone();
        return true;
    }

    synchronized String version() {
        return version;
    }

    /** Starts with the firmware that is kept. */
    synchronized void restart() {
        if (contents[FIRMWARE].length > 0) {
            ByteBuffer header = ByteBuffer.wrap(contents[FIRMWARE]);
            version = (header.getShort(4) & 0xFFFF) + "." + (header.getShort(6) & 0xFFFF);
        }
    }

    private static boolean fits(byte[] content) {
        if (content.length <= HEADER_BYTES) {
            return false;
        }
        ByteBuffer header = ByteBuffer.wrap(content);
        CRC32 crc = new CRC32();
        crc.update(content, HEADER_BYTES, content.length - HEADER_BYTES);
        return header.getInt(0) == MAGIC
                && header.getInt(8) == content.length - HEADER_BYTES
                && header.getInt(12) == (int) crc.getValue();
    }
}
