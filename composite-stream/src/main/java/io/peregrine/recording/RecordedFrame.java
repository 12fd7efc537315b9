package io.peregrine.recording;

import io.peregrine.composite.Composite;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.engine.FlowSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import java.util.zip.CRC32C;

/** A frame of a {@link Recording}: what is known of it, and its content, which is read when it is asked for. */
public final class RecordedFrame {

    /** Where a frame is read from. */
    interface Source {
        /** {@link FrameMetadata#toBytes()}. */
        ByteBuffer metadata() throws IOException;

        /** Bytes of the container that are really there. */
        long containerBytesThere() throws IOException;

        /** Fills a buffer with the container. */
        void container(ByteBuffer to) throws IOException;

        /** Whether there is a checksum. */
        boolean checked();
    }

    private final int index;
    private final RecordHeader header;
    private final Source source;

    RecordedFrame(int index, RecordHeader header, Source source) {
        this.index = index;
        this.header = header;
        this.source = source;
    }

    /** Position in the recording, from 0. */
    public int index() {
        return index;
    }

    /** {@link Composite#id()} of what was recorded. */
    public long id() {
        return header.id();
    }

    /** {@link Composite#timestamp()} of what was recorded; of other containers, that of the first component. */
    public long timestamp() {
        return header.timestamp();
    }

    /** When the recorder got it, in nanoseconds since the recording was begun; of other containers, by timestamps. */
    public long hostNanos() {
        return header.hostNanos();
    }

    /** Bytes of the container; 0 when nothing of the frame could be understood. */
    public long containerBytes() {
        return header.containerBytes();
    }

    long flowBytes() {
        return header.flowBytes();
    }

    /**
     * Reads the container.
     *
     * @return a linear GenDC container, read-only; empty when nothing of the frame could be understood
     * @throws RecordingException if it cannot be read, or contradicts its checksum
     */
    public ByteBuffer container() {
        try {
            ByteBuffer metadata = source.metadata();
            return container(metadata, ByteBuffer::allocate).asReadOnlyBuffer();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /**
     * Reads the container as a composite. Its items are those of the container: chunk data as GigE Vision has it is a
     * buffer there. Replay gives the composite as it was received.
     *
     * @throws RecordingException if it cannot be read, contradicts its checksum, or nothing of the frame could be
     *     understood when it was recorded
     */
    public Composite composite() {
        if (header.containerBytes() == 0) {
            throw new RecordingException(this + " has no content: nothing of it could be understood when it came");
        }
        return Composite.of(container());
    }

    /**
     * Puts the frame into a flow set as it was received.
     *
     * @param set being filled
     * @param scratch gives a buffer of a size, for containers that do not lie in memory as they did
     * @throws RecordingException if it cannot be read, or contradicts its checksum
     */
    BlockInfo readInto(FlowSet set, IntFunction<ByteBuffer> scratch) {
        try {
            ByteBuffer encoded = source.metadata();
            FrameMetadata metadata = FrameMetadata.parse(encoded, header.containerBytes(), header.flowBytes());
            if (header.flowBytes() > set.flowSizeBytes(0)) {
                throw new RecordingException(this + " does not fit its flow set");
            }
            boolean inPlace = header.containerBytes() <= set.flowSizeBytes(0);
            for (Segment segment : metadata.segments()) {
                inPlace &= segment.containerOffset() == segment.flowOffset();
            }
            ByteBuffer flow = set.flow(0);
            ByteBuffer container = container(encoded, inPlace ? size -> flow.slice(0, size) : scratch);
            for (Segment segment : metadata.segments()) {
                int length = (int) segment.lengthBytes();
                if (!inPlace) {
                    flow.put((int) segment.flowOffset(), container, (int) segment.containerOffset(), length);
                }
                if (segment.received()) {
                    set.markReceived(0, segment.flowOffset(), length);
                }
            }
            return metadata.block();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private ByteBuffer container(ByteBuffer metadata, IntFunction<ByteBuffer> memory) throws IOException {
        long there = source.containerBytesThere();
        if (there != header.containerBytes()) {
            throw new IOException("its container has " + there + " bytes instead of " + header.containerBytes());
        }
        ByteBuffer container =
                memory.apply((int) there).clear().limit((int) there).slice();
        source.container(container);
        container.flip();
        if (source.checked()) {
            CRC32C crc = new CRC32C();
            crc.update(metadata.duplicate());
            crc.update(container.duplicate());
            if ((int) crc.getValue() != header.bodyCrc()) {
                throw new RecordingException(this + " contradicts its checksum: the file was damaged");
            }
        }
        return container;
    }

    private RecordingException unreadable(IOException e) {
        return new RecordingException(this + " cannot be read: " + e.getMessage(), e);
    }

    @Override
    public String toString() {
        return "RecordedFrame[" + index + ", id " + Long.toUnsignedString(header.id()) + ", " + header.containerBytes()
                + " bytes]";
    }
}
