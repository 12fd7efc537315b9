package io.peregrine.testing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Firmware that the virtual camera takes. */
public final class VirtualFirmware {
    private VirtualFirmware() {}

    /** A file of version 2.7: magic, version, length, CRC-32, program. */
    public static byte[] of(byte[] program) {
        CRC32 crc = new CRC32();
        crc.update(program);
        return ByteBuffer.allocate(16 + program.length)
                .put("PGFW".getBytes(StandardCharsets.US_ASCII))
                .putShort((short) 2)
                .putShort((short) 7)
                .putInt(program.length)
                .putInt((int) crc.getValue())
                .put(program)
                .array();
    }
}
