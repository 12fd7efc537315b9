package io.peregrine.gvsp;

import io.peregrine.stream.PayloadType;
import java.nio.ByteBuffer;

/** What a packet must be like, alone and within its block, before anything of it is used. */
final class PacketRules {
    private PacketRules() {}

    /**
     * Whether a packet that carries data has what its format needs.
     *
     * @param body index of the first byte after the header
     * @param bodyBytes bytes from there to the end of the packet
     * @param partCount parts that the header of a multi-part leader has
     */
    static boolean wellFormed(ByteBuffer packet, int body, int bodyBytes, int format, long packetId, int partCount) {
        return switch (format) {
            case GvspHeader.FORMAT_LEADER -> packetId == 0 && wellFormedLeader(packet, body, bodyBytes, partCount);
            case GvspHeader.FORMAT_TRAILER -> packetId > 0 && GvspTrailer.fits(bodyBytes);
            case GvspHeader.FORMAT_PAYLOAD -> packetId > 0 && bodyBytes > 0;
            case GvspHeader.FORMAT_ALL_IN -> AllInPacket.fits(packet, body, bodyBytes);
            case GvspHeader.FORMAT_H264 -> packetId > 0 && bodyBytes > GvspLeader.H264_PAYLOAD_HEAD_LENGTH_BYTES;
            case GvspHeader.FORMAT_MULTI_ZONE, GvspHeader.FORMAT_MULTI_PART ->
                packetId > 0 && PlacedPayload.fits(bodyBytes);
            case GvspHeader.FORMAT_GENDC -> packetId > 0 && GenDcPayload.fits(packet, body, bodyBytes);
            default -> false;
        };
    }

    private static boolean wellFormedLeader(ByteBuffer packet, int body, int bodyBytes, int partCount) {
        if (!GvspLeader.fits(packet, body, bodyBytes)) {
            return false;
        }
        int type = GvspLeader.payloadType(packet, body);
        return switch (PayloadType.base(type)) {
            case PayloadType.MULTI_PART ->
                partCount > 0 && partCount <= GvspLeader.MAX_PARTS && bodyBytes >= GvspLeader.lengthBytes(partCount);
            // Chunk data of a container is one of its parts.
            case PayloadType.GENDC -> type == PayloadType.GENDC;
            default -> true;
        };
    }

    /** Whether a packet is on the right side of the end of its block and of the kind of payload that the block has. */
    static boolean fits(OpenBlock block, ByteBuffer packet, int body, int format, int packetId) {
        return fitsEnd(block, format, packetId) && fitsContent(block, packet, body, format);
    }

    private static boolean fitsEnd(OpenBlock block, int format, int packetId) {
        if (format == GvspHeader.FORMAT_TRAILER) {
            return packetId > block.highestPayload() && (!block.trailerSeen() || packetId == block.trailerId());
        }
        return !block.trailerSeen() || packetId < block.trailerId();
    }

    private static boolean fitsContent(OpenBlock block, ByteBuffer packet, int body, int format) {
        int content = block.contentFormat();
        if (format == GvspHeader.FORMAT_LEADER) {
            return content == 0 || content == GvspHeader.payloadFormat(GvspLeader.payloadType(packet, body));
        }
        if (format == GvspHeader.FORMAT_TRAILER) {
            return true;
        }
        if (content != 0 && content != format) {
            return false;
        }
        return !block.leaderSeen() || GvspHeader.payloadFormat(block.payloadType()) == format;
    }
}
