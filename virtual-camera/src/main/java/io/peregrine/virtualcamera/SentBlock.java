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
        int payloadType, int payloadBytes, List<SentPart> parts, Optional<ByteBuffer> chunk, int chunkLayoutId) {
    /** Makes the parts immutable. */
    public SentBlock {
        parts = List.copyOf(parts);
    }
}
