package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A block as the camera sent it, for tests that compare.
 *
 * @param payloadType payload type of the leader
 * @param payloadBytes bytes of payload
 * @param parts its parts, in order; the image alone where a payload holds an image and chunk data
 * @param chunk chunk data as GigE Vision has it, to be read from its end; empty when there is none outside of parts
 * @param chunkLayoutId layout id of the trailer, 0 when it has none
 */
public record SentBlock(
        int payloadType, int payloadBytes, List<Part> parts, Optional<ByteBuffer> chunk, int chunkLayoutId) {
    /** Makes the parts immutable. */
    public SentBlock {
        parts = List.copyOf(parts);
    }

    /**
     * A part of a block as the camera sent it, for tests that compare.
     *
     * @param typeId SFNC component id
     * @param componentFormat PFNC code of the whole component
     * @param groupId group
     * @param sourceId sensor
     * @param regionId region
     * @param offsetX pixels from the left edge of the sensor
     * @param offsetY lines from its top edge
     * @param invalid whether the component is marked as invalid; there is no data then
     * @param partType GenDC header type that fits the data, whatever the payload
     * @param dataType data type of GVSP multi-part, 0 for other payloads
     * @param format PFNC code
     * @param width pixels in a line, or elements of one-dimensional data; 0 for vendor-specific categories
     * @param height lines, 1 for one-dimensional data; 0 for vendor-specific categories
     * @param paddingX bytes after each line
     * @param paddingY bytes at the end
     * @param layoutId layout id of metadata, 0 for other parts
     * @param data every byte, padding included
     */
    public record Part(
            long typeId,
            int componentFormat,
            int groupId,
            int sourceId,
            int regionId,
            int offsetX,
            int offsetY,
            boolean invalid,
            int partType,
            int dataType,
            int format,
            int width,
            int height,
            int paddingX,
            int paddingY,
            int layoutId,
            ByteBuffer data) {

        /**
         * Counts the bytes that are not as they were sent.
         *
         * @param received what arrived, from its position to its limit, which stay
         * @return bytes that differ, are missing or are too many
         */
        public long countBadBytes(ByteBuffer received) {
            return countBadBytes(data, received);
        }

        static long countBadBytes(ByteBuffer expected, ByteBuffer received) {
            int common = Math.min(expected.remaining(), received.remaining());
            long bad = Math.abs(expected.remaining() - received.remaining());
            for (int i = 0; i < common; i++) {
                if (expected.get(expected.position() + i) != received.get(received.position() + i)) {
                    bad++;
                }
            }
            return bad;
        }
    }
}
