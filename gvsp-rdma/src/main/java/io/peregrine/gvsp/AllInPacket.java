package io.peregrine.gvsp;

import io.peregrine.stream.PayloadType;
import java.nio.ByteBuffer;

/**
 * View of what follows the header in a packet that is a whole block (format 4, GigE Vision 2.0): leader, trailer, 8
 * bytes about chunk data if the payload type has the bit for it, payload. Every method takes the packet's big-endian
 * buffer and the index of the first byte after the GVSP header. Multi-part, GenDC and types that only the device knows
 * cannot come like this.
 */
public final class AllInPacket {

    private AllInPacket() {}

    /** Whether this many bytes hold a leader of a payload type that may come like this, its trailer and its payload. */
    public static boolean fits(ByteBuffer packet, int offset, int lengthBytes) {
        if (!GvspLeader.fits(packet, offset, lengthBytes)) {
            return false;
        }
        int type = GvspLeader.payloadType(packet, offset);
        int base = PayloadType.base(type);
        if (base == PayloadType.MULTI_PART || base == PayloadType.GENDC || base >= PayloadType.DEVICE_SPECIFIC) {
            return false;
        }
        int leaderBytes = leaderLengthBytes(packet, offset, lengthBytes);
        return leaderBytes > 0 && lengthBytes - leaderBytes >= trailerLengthBytes(type) + payloadHeadBytes(base);
    }

    /** Length of the leader in bytes; a negative number if the name of a file does not end. */
    static int leaderLengthBytes(ByteBuffer packet, int offset, int lengthBytes) {
        int type = GvspLeader.payloadType(packet, offset);
        int length = GvspLeader.minimumLengthBytes(type);
        if (PayloadType.base(type) != PayloadType.FILE) {
            return length;
        }
        while (length < lengthBytes) {
            if (packet.get(offset + length) == 0) {
                return length + 1;
            }
            length++;
        }
        return -1;
    }

    /** Length of the trailer in bytes, with what it says about chunk data. */
    static int trailerLengthBytes(int payloadType) {
        return GvspTrailer.lengthBytes(payloadType, 0)
                + (PayloadType.hasChunkBit(payloadType) ? GvspTrailer.CHUNK_LENGTH_BYTES : 0);
    }

    private static int payloadHeadBytes(int basePayloadType) {
        return switch (basePayloadType) {
            case PayloadType.H264 -> GvspLeader.H264_PAYLOAD_HEAD_LENGTH_BYTES;
            case PayloadType.MULTI_ZONE -> PlacedPayload.HEAD_LENGTH_BYTES;
            default -> 0;
        };
    }
}
