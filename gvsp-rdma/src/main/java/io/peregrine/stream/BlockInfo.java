package io.peregrine.stream;

import java.util.Objects;
import java.util.Optional;

/**
 * What the transport knows about one received block.
 *
 * @param blockId block id; 16 bits wide (1 to 65535) or 64 bits wide with extended ids
 * @param payloadType payload type of the leader ({@link io.peregrine.gvsp.PayloadType}), 0 when the leader is missing
 * @param timestampTicks device time of the leader in ticks of the device's frequency, 0 when the leader is missing
 * @param payloadBytes bytes of payload that belong to the block, as far as it is known
 * @param image geometry from the leader of an image payload, empty for all others
 * @param descriptorBytes size of the GenDC descriptor from the leader, 0 for other payloads
 * @param incomplete why the block is not whole; empty when every byte arrived
 * @param missingPackets packets that were expected and did not come
 */
public record BlockInfo(
        long blockId,
        int payloadType,
        long timestampTicks,
        long payloadBytes,
        Optional<ImageGeometry> image,
        int descriptorBytes,
        Optional<IncompleteCause> incomplete,
        long missingPackets) {

    /** Checks that no part is null. */
    public BlockInfo {
        Objects.requireNonNull(image, "image");
        Objects.requireNonNull(incomplete, "incomplete");
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
}
