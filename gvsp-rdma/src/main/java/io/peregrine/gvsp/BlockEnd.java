package io.peregrine.gvsp;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ChunkRange;
import io.peregrine.stream.BlockInfo.Compression;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a block is when nothing more of it is awaited: whether it is whole, how much of it there is, and what its user
 * is reported. A block is whole if every packet arrived, if the bytes that leader and trailer announce are in the flow
 * set without a gap, and if no more came than they announce. Of GenDC that is only the descriptor, because flows may
 * have gaps: the reader of the descriptor knows which ranges must be covered.
 */
final class BlockEnd {
    private static final int FIRST_IMAGE_PART_TYPE = 1;
    private static final int LAST_IMAGE_PART_TYPE = 9;
    private static final int PART_TYPE_JPEG = 11;
    private static final int PART_TYPE_JPEG2000 = 12;
    private static final long CHUNK_TAG_BYTES = 8;
    /** Some devices send whole words of their memory. */
    private static final long MEMORY_WORD_BYTES = 64;
    /** What fills a last packet up is no more than such a part of the image. */
    private static final int MAX_FILLING = 8;

    private static final long UNKNOWN = -1;

    private BlockEnd() {}

    /** Decides whether a block is whole, whether it can be used, and how many bytes it has. */
    static void judge(OpenBlock block) {
        if (block.leaderSeen() && block.trailerSeen() && !trailerOfItsLeader(block)) {
            block.contradicted();
        }
        switch (block.payloadFormat()) {
            case GvspHeader.FORMAT_GENDC -> judgeContainer(block);
            case GvspHeader.FORMAT_MULTI_PART -> judgeParts(block);
            default -> judgeData(block);
        }
    }

    /** What the user learns about a usable block. */
    static BlockInfo info(OpenBlock block) {
        return new BlockInfo(
                block.blockId(),
                block.payloadType(),
                block.timestampTicks(),
                block.payloadBytes(),
                Optional.ofNullable(geometry(block)),
                (int) Math.min(block.descriptorBytes(), Integer.MAX_VALUE),
                Optional.ofNullable(block.incomplete()),
                block.missingPackets(),
                parts(block),
                chunk(block),
                compression(block),
                fileName(block));
    }

    /**
     * Why a block is not whole.
     *
     * @param expectedPackets number of packets that it should have, leader and trailer included
     * @param streamEnded whether the stream ended before the block
     */
    static IncompleteCause cause(OpenBlock block, int expectedPackets, boolean streamEnded) {
        if (streamEnded) {
            return IncompleteCause.STREAM_ENDED;
        }
        if (block.payload().excess()) {
            return IncompleteCause.DATA_LARGER_THAN_FLOW_SET;
        }
        if (block.allPackets()) {
            return block.contradiction() ? IncompleteCause.CONTRADICTION : IncompleteCause.DATA_MISSING;
        }
        if (!block.leaderSeen()) {
            return IncompleteCause.LEADER_MISSING;
        }
        PacketLedger packets = block.packets();
        if (packets.lacksUnavailable()) {
            return IncompleteCause.PACKETS_UNAVAILABLE;
        }
        int lastPayload = block.trailerSeen() ? block.trailerId() : expectedPackets - 1;
        int scanEnd = packets.scanEnd();
        boolean payloadMissing = packets.nextMissing(0) < Math.min(scanEnd, lastPayload) || scanEnd < lastPayload;
        return payloadMissing || block.trailerSeen()
                ? IncompleteCause.PACKETS_MISSING
                : IncompleteCause.TRAILER_MISSING;
    }

    // ---- GenDC

    private static void judgeContainer(OpenBlock block) {
        long payloadBytes =
                block.leaderSeen() ? block.expectedBytes() : block.payload().storedBytes();
        long descriptorBytes = block.descriptorBytes();
        long finalEnd = block.payload().finalDescriptorEnd();
        if (!block.leaderSeen() || (finalEnd > 0 && finalEnd < descriptorBytes)) {
            // With fewer components than announced, the final descriptor may be shorter.
            descriptorBytes = finalEnd;
        }
        boolean hasFinal = descriptorBytes > 0 && block.flowSet().covered(0, 0, descriptorBytes);
        if (!hasFinal) {
            descriptorBytes = block.payload().usePreliminary(descriptorBytes);
        }
        block.descriptorBytes(descriptorBytes);
        block.judged(isWhole(block, hasFinal), descriptorBytes > 0, payloadBytes);
    }

    /** Whether nothing stands against a block that is covered as its kind needs. */
    private static boolean isWhole(OpenBlock block, boolean covered) {
        return block.allPackets() && covered && !block.payload().excess() && !block.contradiction();
    }

    // ---- Multi-part

    private static void judgeParts(OpenBlock block) {
        PartTable parts = block.payload().parts();
        boolean covered = parts.count() > 0;
        long end = 0;
        for (int part = 0; part < parts.count(); part++) {
            long length = partLengthBytes(block, part);
            if (trailerReports(block, part)
                    && GvspTrailer.partLengthBytes(block.trailer(), 0, part) > parts.lengthBytes(part)) {
                block.contradicted();
            }
            covered &= block.flowSet().covered(0, parts.offsetBytes(part), length);
            end = Math.max(end, parts.offsetBytes(part) + length);
        }
        boolean whole = isWhole(block, covered);
        block.judged(
                whole,
                whole || block.payload().storedBytes() > 0,
                parts.count() > 0 ? end : block.payload().storedBytes());
    }

    private static boolean trailerReports(OpenBlock block, int part) {
        return block.trailerSeen()
                && trailerOfItsLeader(block)
                && GvspTrailer.hasPart(block.trailerBytes(), part)
                && GvspTrailer.partDataType(block.trailer(), 0, part)
                        == GvspLeader.partDataType(block.leader(), 0, part);
    }

    /** Bytes of a part: never more than the leader says, less if the trailer says so. */
    private static long partLengthBytes(OpenBlock block, int part) {
        long promised = block.payload().parts().lengthBytes(part);
        if (!trailerReports(block, part)) {
            return promised;
        }
        long sent = GvspTrailer.partLengthBytes(block.trailer(), 0, part);
        if (sent >= promised || (sent == 0 && !block.payload().parts().empty(part))) {
            // Of some devices the trailer tells only the lines.
            sent = promised;
            ImageGeometry whole = partGeometry(block, part);
            if (whole != null) {
                ImageGeometry image = shortened(whole, GvspTrailer.partSizeY(block.trailer(), 0, part));
                long least = GvspLeader.imageSizeBytes(image);
                sent = image.height() < whole.height() && least > 0 ? Math.min(sent, least) : sent;
            }
        }
        return sent;
    }

    private static List<BlockInfo.Part> parts(OpenBlock block) {
        int count = block.payload().parts().count();
        if (count == 0) {
            return List.of();
        }
        long flowBytes = block.flowSet().flowSizeBytes(0);
        List<BlockInfo.Part> parts = new ArrayList<>(count);
        for (int part = 0; part < count; part++) {
            int type = GvspLeader.partDataType(block.leader(), 0, part);
            boolean compressed = type == PART_TYPE_JPEG || type == PART_TYPE_JPEG2000;
            int format = GvspLeader.partFormat(block.leader(), 0, part);
            ImageGeometry image = partGeometry(block, part);
            if (image != null && trailerReports(block, part)) {
                image = shortened(image, GvspTrailer.partSizeY(block.trailer(), 0, part));
            }
            // A leader that announces more than the flow set holds must not lead the user beyond its end.
            long offset = Math.min(block.payload().parts().offsetBytes(part), flowBytes);
            parts.add(new BlockInfo.Part(
                    type,
                    offset,
                    Math.min(partLengthBytes(block, part), flowBytes - offset),
                    compressed && format == 0 ? GvspLeader.partCompressionFormat(block.leader(), 0, part) : format,
                    GvspLeader.partSourceId(block.leader(), 0, part),
                    GvspLeader.partPurposeId(block.leader(), 0, part),
                    GvspLeader.partRegionId(block.leader(), 0, part),
                    compressed ? GvspLeader.partCompressionFlags(block.leader(), 0, part) : 0,
                    Optional.ofNullable(image)));
        }
        return parts;
    }

    /** Geometry from the leader, null for parts that have none. */
    private static ImageGeometry partGeometry(OpenBlock block, int part) {
        int type = GvspLeader.partDataType(block.leader(), 0, part);
        return type >= FIRST_IMAGE_PART_TYPE && type <= LAST_IMAGE_PART_TYPE
                ? GvspLeader.partGeometry(block.leader(), 0, part)
                : null;
    }

    // ---- Everything else: one range of bytes from the start of flow 0

    private static void judgeData(OpenBlock block) {
        long end = endBytes(block);
        long sent = sentBytes(block);
        if (block.leaderSeen() && isTooMuch(block, sent)) {
            block.contradicted();
        }
        boolean whole = end != UNKNOWN
                && isWhole(block, block.flowSet().covered(0, 0, end))
                && chunkFits(block, chunkTold(block), sent)
                && end >= leastBytes(block);
        long payloadBytes = end == UNKNOWN ? block.payload().storedBytes() : end;
        block.judged(
                whole,
                whole || block.payload().storedBytes() > 0,
                whole ? payloadBytes : Math.max(payloadBytes, sensible(block)));
    }

    /** Bytes that the device sent, or {@link #UNKNOWN} as long as the end is missing. */
    private static long sentBytes(OpenBlock block) {
        if (block.allIn()
                || block.contentFormat() == GvspHeader.FORMAT_MULTI_ZONE
                || block.contentFormat() == GvspHeader.FORMAT_H264) {
            return block.allPackets() ? block.payload().storedEnd() : UNKNOWN;
        }
        if (!block.trailerSeen()) {
            return UNKNOWN;
        }
        int packets = block.trailerId() - 1;
        if (block.payload().shortPacketId() != 0) {
            return block.payload().shortPacketId() == packets
                    ? (packets - 1L) * block.payload().packetPayloadBytes()
                            + block.payload().shortPacketBytes()
                    : UNKNOWN;
        }
        return packets == 0 || block.packets().has(packets)
                ? (long) packets * block.payload().packetPayloadBytes()
                : UNKNOWN;
    }

    /** Bytes that belong to the payload, or {@link #UNKNOWN} as long as the end is missing. */
    private static long endBytes(OpenBlock block) {
        long sent = sentBytes(block);
        // What is less than the image within it cannot be meant as the length of all.
        long told = isChunkData(block) ? chunkTold(block) : 0;
        return told > 0 && told < sent && told >= leastBytes(block) ? told : sent;
    }

    private static boolean isChunkData(OpenBlock block) {
        int base = PayloadType.base(block.payloadType());
        return base == PayloadType.CHUNK || base == PayloadType.EXTENDED_CHUNK;
    }

    /** Bytes of chunk data that the trailer announces, 0 if it does not. */
    private static long chunkTold(OpenBlock block) {
        if (!block.trailerSeen() || !block.leaderSeen() || !trailerOfItsLeader(block)) {
            return 0;
        }
        if (isChunkData(block)) {
            return GvspTrailer.chunkPayloadLengthBytes(block.trailer(), 0, block.trailerBytes());
        }
        return PayloadType.hasChunkBit(block.payloadType())
                ? GvspTrailer.chunkDataLengthBytes(block.trailer(), 0, block.trailerBytes(), block.payloadType(), 0)
                : 0;
    }

    /**
     * Whether that much chunk data goes together with what was sent: it follows an image, or the image is a chunk
     * itself and has a tag of 8 bytes behind it.
     */
    private static boolean chunkFits(OpenBlock block, long length, long sent) {
        if (length > sent || length == 0 || isChunkData(block)) {
            return length <= sent;
        }
        ImageGeometry image = geometry(block);
        long before = image == null ? 0 : GvspLeader.imageSizeBytes(image);
        return before <= sent - length || (length == sent && before <= sent - CHUNK_TAG_BYTES);
    }

    private static Optional<ChunkRange> chunk(OpenBlock block) {
        boolean chunkData = isChunkData(block);
        if (!chunkData
                && (!PayloadType.hasChunkBit(block.payloadType())
                        || block.payload().parts().count() > 0)) {
            return Optional.empty();
        }
        long end = endBytes(block);
        if (end == UNKNOWN || end > block.flowSet().flowSizeBytes(0)) {
            // It is read from its end, so without an end there is nothing to read.
            return Optional.empty();
        }
        if (chunkData) {
            return Optional.of(new ChunkRange(0, end, chunkLayoutId(block)));
        }
        boolean told =
                GvspTrailer.lengthBytes(block.payloadType(), 0) + GvspTrailer.CHUNK_LENGTH_BYTES <= block.trailerBytes()
                        && trailerOfItsLeader(block);
        ImageGeometry image = geometry(block);
        long length = told ? chunkTold(block) : image == null ? 0 : end - GvspLeader.imageSizeBytes(image);
        return length > 0 && chunkFits(block, length, end)
                ? Optional.of(new ChunkRange(end - length, length, chunkLayoutId(block)))
                : Optional.empty();
    }

    private static int chunkLayoutId(OpenBlock block) {
        if (!block.trailerSeen() || !trailerOfItsLeader(block)) {
            return 0;
        }
        return PayloadType.base(block.payloadType()) == PayloadType.EXTENDED_CHUNK
                ? GvspTrailer.extendedChunkLayoutId(block.trailer(), 0, block.trailerBytes())
                : PayloadType.hasChunkBit(block.payloadType())
                        ? GvspTrailer.chunkLayoutId(block.trailer(), 0, block.trailerBytes(), block.payloadType(), 0)
                        : 0;
    }

    /** Whether the trailer is laid out as the leader wants it. Some devices leave its payload type empty. */
    private static boolean trailerOfItsLeader(OpenBlock block) {
        int type = GvspTrailer.payloadType(block.trailer(), 0);
        return type == 0 || PayloadType.base(type) == PayloadType.base(block.payloadType());
    }

    /** Geometry of the leader, with fewer lines if the trailer says so; null for payloads without. */
    private static ImageGeometry geometry(OpenBlock block) {
        if (block.image() == null || !block.trailerSeen() || !trailerOfItsLeader(block)) {
            return block.image();
        }
        return shortened(
                block.image(), GvspTrailer.sizeY(block.trailer(), 0, block.trailerBytes(), block.payloadType()));
    }

    /** A trailer with fewer lines than the leader: a line scan camera that was stopped early. */
    private static ImageGeometry shortened(ImageGeometry image, long sizeY) {
        return sizeY == 0 || sizeY >= image.height() ? image : withLines(image, sizeY);
    }

    private static ImageGeometry withLines(ImageGeometry image, long lines) {
        return new ImageGeometry(
                image.pixelFormat(),
                image.width(),
                lines,
                image.offsetX(),
                image.offsetY(),
                image.paddingX(),
                image.paddingY());
    }

    private static long leastBytes(OpenBlock block) {
        if (block.image() != null) {
            return GvspLeader.imageSizeBytes(geometry(block));
        }
        return encodedBytesMakeSense(block) ? block.expectedBytes() : Long.MAX_VALUE;
    }

    /** Encoders tell no size, or one that they cannot know for sure, but none that there is no room for. */
    private static boolean encodedBytesMakeSense(OpenBlock block) {
        if (!block.leaderSeen()) {
            return true;
        }
        long told = switch (PayloadType.base(block.payloadType())) {
            case PayloadType.JPEG, PayloadType.JPEG2000 -> GvspLeader.payloadSizeBytes(block.leader(), 0);
            case PayloadType.H264 -> GvspLeader.h264PayloadSizeBytes(block.leader(), 0);
            default -> 0;
        };
        return told >= 0 && told <= block.flowSet().flowSizeBytes(0);
    }

    private static boolean isTooMuch(OpenBlock block, long sent) {
        long most = mostBytes(block);
        long more = sent - most;
        // A device that fills its last packet up tells so by its payload size, which the flow set has.
        boolean filledUp = sent == block.flowSet().flowSizeBytes(0)
                && more < block.payload().packetPayloadBytes()
                && more <= most / MAX_FILLING;
        return more > 0 && !filledUp;
    }

    /**
     * More than this cannot be meant by what leader and trailer tell: image, what lines and memory of a device are
     * filled up with, and chunk data. {@link Long#MAX_VALUE} where they do not say.
     */
    private static long mostBytes(OpenBlock block) {
        if (isChunkData(block)) {
            return Long.MAX_VALUE;
        }
        long most = block.image() != null
                ? mostOfImage(block)
                : block.expectedBytes() > 0 ? block.expectedBytes() : UNKNOWN;
        if (most == UNKNOWN) {
            return Long.MAX_VALUE;
        }
        long chunks = 0;
        if (PayloadType.hasChunkBit(block.payloadType())) {
            chunks = chunkTold(block);
            if (chunks == 0) {
                return Long.MAX_VALUE;
            }
        }
        long sum = most + chunks;
        return sum < 0 ? Long.MAX_VALUE : Math.max(sum, sum + MEMORY_WORD_BYTES - 1 & -MEMORY_WORD_BYTES);
    }

    private static long mostOfImage(OpenBlock block) {
        ImageGeometry image = block.image();
        int bitsPerPixel = (image.pixelFormat() >>> 16) & 0xFF;
        if (bitsPerPixel == 0 || image.pixelFormat() < 0) {
            // Formats of a manufacturer's own need not tell their bits.
            return UNKNOWN;
        }
        long lines = linesAtMost(block);
        long bytes = GvspLeader.imageSizeBytes(lines == image.height() ? image : withLines(image, lines));
        long filled = bitsPerPixel % 8 == 0 ? bytes : bytes + lines;
        return filled < 0 ? Long.MAX_VALUE : filled;
    }

    /** Lines by the leader, where it is empty by the trailer: a line scan camera does not know them before. */
    private static long linesAtMost(OpenBlock block) {
        return block.image().height() != 0 || !block.trailerSeen() || !trailerOfItsLeader(block)
                ? block.image().height()
                : GvspTrailer.sizeY(block.trailer(), 0, block.trailerBytes(), block.payloadType());
    }

    /** Bytes that the leader promises, unless they are more than the flow set could ever hold. */
    private static long sensible(OpenBlock block) {
        return block.expectedBytes() == Long.MAX_VALUE ? 0 : block.expectedBytes();
    }

    private static Optional<String> fileName(OpenBlock block) {
        return block.leaderSeen() && PayloadType.base(block.payloadType()) == PayloadType.FILE
                ? GvspLeader.fileName(block.leader(), 0, block.leaderBytes())
                : Optional.empty();
    }

    private static Optional<Compression> compression(OpenBlock block) {
        if (!block.leaderSeen()) {
            return Optional.empty();
        }
        return switch (PayloadType.base(block.payloadType())) {
            case PayloadType.JPEG, PayloadType.JPEG2000 ->
                Optional.of(new Compression(
                        GvspLeader.dataFormat(block.leader(), 0),
                        GvspLeader.tickFrequency(block.leader(), 0),
                        Optional.empty()));
            case PayloadType.H264 ->
                Optional.of(new Compression(0, 0, Optional.of(GvspLeader.h264Parameters(block.leader(), 0))));
            default -> Optional.empty();
        };
    }
}
