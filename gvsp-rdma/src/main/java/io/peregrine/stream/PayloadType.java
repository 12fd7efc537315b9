package io.peregrine.stream;

/** Payload type codes of leaders and trailers (GigE Vision 2.2; Wireshark's GVSP dissector). */
public final class PayloadType {
    /** Image: {@value}. */
    public static final int IMAGE = 0x0001;
    /** Raw data: {@value}. */
    public static final int RAW = 0x0002;
    /** File: {@value}. */
    public static final int FILE = 0x0003;
    /** Chunk data: {@value}. */
    public static final int CHUNK = 0x0004;
    /** Image followed by chunk data (extended chunk data of GigE Vision 1.2): {@value}. */
    public static final int EXTENDED_CHUNK = 0x0005;
    /** JPEG: {@value}. */
    public static final int JPEG = 0x0006;
    /** JPEG 2000: {@value}. */
    public static final int JPEG2000 = 0x0007;
    /** H.264: {@value}. */
    public static final int H264 = 0x0008;
    /** Multi-zone image: {@value}. */
    public static final int MULTI_ZONE = 0x0009;
    /** Multi-part: {@value}. */
    public static final int MULTI_PART = 0x000A;
    /** GenDC container: {@value}. */
    public static final int GENDC = 0x000B;
    /** Bit that is set when chunk data follows the payload (extended chunk mode of GigE Vision 2.0): {@value}. */
    public static final int CHUNK_BIT = 0x4000;
    /** Bit of device-specific types: {@value}. */
    public static final int DEVICE_SPECIFIC = 0x8000;

    private PayloadType() {}

    /** The type without the bit for chunk data. Device-specific types are returned unchanged. */
    public static int base(int payloadType) {
        return hasChunkBit(payloadType) ? payloadType & ~CHUNK_BIT : payloadType;
    }

    /** Whether chunk data follows the payload. */
    public static boolean hasChunkBit(int payloadType) {
        return (payloadType & (DEVICE_SPECIFIC | CHUNK_BIT)) == CHUNK_BIT;
    }
}
