package io.peregrine.stream;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What the transport knows about one received block.
 *
 * @param blockId block id; 16 bits wide (1 to 65535) or 64 bits wide with extended ids
 * @param payloadType payload type of the leader ({@link io.peregrine.stream.PayloadType}), 0 when the leader is missing
 * @param timestampTicks device time of the leader in ticks of the device's frequency, 0 when the leader is missing
 * @param payloadBytes bytes of payload that belong to the block, as far as known
 * @param image geometry from the leader of an image payload, empty for all others
 * @param descriptorBytes size of the GenDC descriptor from the leader, 0 for other payloads
 * @param incomplete why the block is incomplete; empty when every byte arrived
 * @param missingPackets packets that were expected and did not arrive
 * @param parts parts of a multi-part block in the order of its leader, empty for all others
 * @param chunk where chunk data is, empty when there is none outside of parts
 * @param compression how a compressed payload is coded, empty for all others
 * @param fileName name of a file payload as the device gives it, empty without one and for all others; it may hold
 *     anything, also parts of a path
 */
public record BlockInfo(
        long blockId,
        int payloadType,
        long timestampTicks,
        long payloadBytes,
        Optional<ImageGeometry> image,
        int descriptorBytes,
        Optional<IncompleteCause> incomplete,
        long missingPackets,
        List<Part> parts,
        Optional<ChunkRange> chunk,
        Optional<Compression> compression,
        Optional<String> fileName) {

    /** Checks that nothing is null. */
    public BlockInfo {
        Objects.requireNonNull(image, "image");
        Objects.requireNonNull(incomplete, "incomplete");
        Objects.requireNonNull(chunk, "chunk");
        Objects.requireNonNull(compression, "compression");
        Objects.requireNonNull(fileName, "fileName");
        parts = List.copyOf(parts);
    }

    /** A block without a file name. */
    public BlockInfo(
            long blockId,
            int payloadType,
            long timestampTicks,
            long payloadBytes,
            Optional<ImageGeometry> image,
            int descriptorBytes,
            Optional<IncompleteCause> incomplete,
            long missingPackets,
            List<Part> parts,
            Optional<ChunkRange> chunk,
            Optional<Compression> compression) {
        this(
                blockId,
                payloadType,
                timestampTicks,
                payloadBytes,
                image,
                descriptorBytes,
                incomplete,
                missingPackets,
                parts,
                chunk,
                compression,
                Optional.empty());
    }

    /** A block without parts, chunk data and compression. */
    public BlockInfo(
            long blockId,
            int payloadType,
            long timestampTicks,
            long payloadBytes,
            Optional<ImageGeometry> image,
            int descriptorBytes,
            Optional<IncompleteCause> incomplete,
            long missingPackets) {
        this(
                blockId,
                payloadType,
                timestampTicks,
                payloadBytes,
                image,
                descriptorBytes,
                incomplete,
                missingPackets,
                List.of(),
                Optional.empty(),
                Optional.empty());
    }

    /** Whether every byte of the block arrived. */
    public boolean complete() {
        return incomplete.isEmpty();
    }

    /**
     * Geometry of a plain image payload, as its leader gives it (GigE Vision 2.2, image leader).
     *
     * @param pixelFormat PFNC code
     * @param width pixels in a line, unsigned 32 bit
     * @param height lines, unsigned 32 bit
     * @param offsetX pixels from the left edge of the sensor
     * @param offsetY lines from its top edge
     * @param paddingX bytes after each line
     * @param paddingY bytes at the end
     */
    public record ImageGeometry(
            int pixelFormat, long width, long height, long offsetX, long offsetY, int paddingX, int paddingY) {}

    /**
     * One part of a multi-part block (GigE Vision 2.1, payload type 0x000A; layout as in Wireshark's GVSP dissector).
     *
     * @param dataType what it is: 1 image, 2 to 4 plane of a bi-, tri- or quad-planar image, 5 3D image, 6 to 8 plane
     *     of such a 3D image, 9 confidence, 10 chunk data, 11 JPEG, 12 JPEG 2000, 0x8000 and above known to the device
     *     only
     * @param offsetBytes first byte in flow 0
     * @param lengthBytes bytes of data: those of the trailer when it came, else those of the leader
     * @param format PFNC code; data format of compressed parts
     * @param sourceId sensor
     * @param purposeId number that parts for the same purpose share
     * @param regionId region of the sensor
     * @param flags flags of the type specific fields, 0 where there are none
     * @param image geometry of images, planes and confidence, empty for all others
     */
    public record Part(
            int dataType,
            long offsetBytes,
            long lengthBytes,
            int format,
            int sourceId,
            int purposeId,
            int regionId,
            int flags,
            Optional<ImageGeometry> image) {

        /** Checks that the part has a place. */
        public Part {
            Objects.requireNonNull(image, "image");
            if (offsetBytes < 0 || lengthBytes < 0) {
                throw new IllegalArgumentException("A part of " + lengthBytes + " bytes at " + offsetBytes);
            }
        }
    }

    /**
     * Chunk data as GigE Vision has it: each piece is followed by its id and length in network order, so that it is
     * read from its end. Of the payload types 0x0004 and 0x0005 it is the whole payload; with the bit 0x4000 what
     * follows the image.
     *
     * @param offsetBytes first byte in flow 0
     * @param lengthBytes number of bytes
     * @param layoutId number that changes with the layout of the chunks; 0 when the device does not give it
     */
    public record ChunkRange(long offsetBytes, long lengthBytes, int layoutId) {
        /** Checks that the range has a place. */
        public ChunkRange {
            if (offsetBytes < 0 || lengthBytes < 0) {
                throw new IllegalArgumentException("Chunk data of " + lengthBytes + " bytes at " + offsetBytes);
            }
        }
    }

    /**
     * What the leader of a JPEG, JPEG 2000 or H.264 payload says beside its size.
     *
     * @param dataFormat data format of JPEG and JPEG 2000, 0 for H.264
     * @param timestampTickFrequency ticks a second of the leader's timestamp, 0 for H.264
     * @param h264 parameters of H.264, empty for the others
     */
    public record Compression(int dataFormat, long timestampTickFrequency, Optional<H264Parameters> h264) {
        /** Checks that the optional is there. */
        public Compression {
            Objects.requireNonNull(h264, "h264");
        }
    }

    /**
     * Parameters of an H.264 stream (RFC 6184 names).
     *
     * @param packetizationMode 0 single NAL unit, 1 non-interleaved, 2 interleaved
     * @param profileIdc profile
     * @param constraintSets bit 0 to 3: constraint_set0_flag to constraint_set3_flag
     * @param levelIdc level
     * @param interleavingDepth sprop-interleaving-depth
     * @param maxDonDiff sprop-max-don-diff
     * @param deinterleavingBufferBytes sprop-deint-buf-req
     * @param initialBufferTime sprop-init-buf-time
     */
    public record H264Parameters(
            int packetizationMode,
            int profileIdc,
            int constraintSets,
            int levelIdc,
            int interleavingDepth,
            long maxDonDiff,
            long deinterleavingBufferBytes,
            long initialBufferTime) {}
}
