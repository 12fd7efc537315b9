package io.peregrine.recording;

import io.peregrine.composite.Composite;
import io.peregrine.stream.BlockInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * A composite as bytes that another program can make the same composite of: a linear GenDC container, as in a
 * recording, and a small description of how it was received. Nothing is copied: {@link #pieces()} are views of the
 * composite's memory, to be used before it is closed.
 */
public final class FrameContainer {
    /** Bytes of the description before {@link FrameMetadata}. */
    private static final int SIZES_BYTES = 16;

    private final LinearContainer container;
    private final FrameMetadata metadata;

    private FrameContainer(LinearContainer container, FrameMetadata metadata) {
        this.container = container;
        this.metadata = metadata;
    }

    /**
     * Works out the container of a composite.
     *
     * @param composite what to send; it stays the caller's
     * @return empty when nothing is known about its content, because its leader or descriptor did not arrive
     * @throws IllegalStateException if the composite is closed
     * @throws RecordingException if the container would be larger than 2 GiB
     */
    public static Optional<FrameContainer> of(Composite composite) {
        return LinearContainer.of(composite)
                .map(container ->
                        new FrameContainer(container, new FrameMetadata(composite.block(), container.segments())));
    }

    /** Bytes of the container. */
    public long sizeBytes() {
        return container.sizeBytes();
    }

    /** Bytes of memory that the frame needs where it is received. */
    public long flowBytes() {
        return metadata.flowBytes();
    }

    /** The container's bytes in order, as views of the composite's memory. */
    public List<ByteBuffer> pieces() {
        return container.pieces();
    }

    /** What {@link Placement#parse} reads. */
    public byte[] description() {
        byte[] encoded = metadata.toBytes();
        ByteBuffer bytes = ByteBuffer.allocate(SIZES_BYTES + encoded.length).order(ByteOrder.LITTLE_ENDIAN);
        return bytes.putLong(sizeBytes()).putLong(flowBytes()).put(encoded).array();
    }

    /** Where the bytes of a received container belong in memory, and what they are. Immutable. */
    public static final class Placement {
        private final long containerBytes;
        private final long flowBytes;
        private final BlockInfo block;
        private final Segment[] segments;

        private Placement(long containerBytes, long flowBytes, FrameMetadata metadata) {
            this.containerBytes = containerBytes;
            this.flowBytes = flowBytes;
            block = metadata.block();
            segments = metadata.segments().toArray(Segment[]::new);
        }

        /**
         * Reads {@link FrameContainer#description()}. It may come from anywhere: what contradicts itself is refused.
         *
         * @param description from position to limit
         * @throws RecordingException if it contradicts itself, or a container of it is not possible
         */
        public static Placement parse(ByteBuffer description) {
            ByteBuffer bytes = description.slice().order(ByteOrder.LITTLE_ENDIAN);
            if (bytes.remaining() < SIZES_BYTES) {
                throw new RecordingException("The description of a frame ends after " + bytes.remaining() + " bytes");
            }
            long containerBytes = bytes.getLong();
            long flowBytes = bytes.getLong();
            if (containerBytes < 0
                    || containerBytes > LinearContainer.MAX_BYTES
                    || flowBytes < 0
                    || flowBytes > LinearContainer.MAX_BYTES) {
                throw new RecordingException("A frame of " + containerBytes + " bytes that needs " + flowBytes
                        + " bytes of memory is not possible");
            }
            FrameMetadata metadata = FrameMetadata.parse(bytes, containerBytes, flowBytes);
            long end = 0;
            for (Segment segment : metadata.segments()) {
                if (segment.containerOffset() < end) {
                    throw new RecordingException("The description of a frame places bytes twice");
                }
                end = segment.containerOffset() + segment.lengthBytes();
            }
            return new Placement(containerBytes, flowBytes, metadata);
        }

        /** Bytes of the container. */
        public long containerBytes() {
            return containerBytes;
        }

        /** Bytes of memory that the frame needs; every segment is inside. */
        public long flowBytes() {
            return flowBytes;
        }

        /** The block as the publisher received it. */
        public BlockInfo block() {
            return block;
        }

        /** Number of segments: pieces of the container that belong together in memory, in the container's order. */
        public int segments() {
            return segments.length;
        }

        /** First byte of a segment in the container. */
        public long containerOffset(int segment) {
            return segments[segment].containerOffset();
        }

        /** First byte of a segment in memory. */
        public long flowOffset(int segment) {
            return segments[segment].flowOffset();
        }

        /** Number of bytes of a segment. */
        public long lengthBytes(int segment) {
            return segments[segment].lengthBytes();
        }

        /** Whether all bytes of a segment had arrived at the publisher. */
        public boolean received(int segment) {
            return segments[segment].received();
        }

        @Override
        public String toString() {
            return "Placement[" + containerBytes + " bytes, " + segments.length + " segments, block " + block.blockId()
                    + "]";
        }
    }

    @Override
    public String toString() {
        return "FrameContainer[" + container + "]";
    }
}
