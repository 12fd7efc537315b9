package io.peregrine.recording;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ChunkRange;
import io.peregrine.stream.BlockInfo.Compression;
import io.peregrine.stream.BlockInfo.H264Parameters;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.IncompleteCause;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a recording knows of a frame beside its container: all that replay needs to hand on the same block again.
 *
 * @param block what the transport said
 * @param segments pieces of the container and their places in flow 0
 */
record FrameMetadata(BlockInfo block, List<Segment> segments) {
    private static final int SEGMENT_BYTES = 25;
    private static final int SMALLEST_PART_BYTES = 41;

    FrameMetadata {
        segments = List.copyOf(segments);
    }

    /** Bytes of flow 0 that the segments need. */
    long flowBytes() {
        long end = 0;
        for (Segment segment : segments) {
            end = Math.max(end, Math.addExact(segment.flowOffset(), segment.lengthBytes()));
        }
        return end;
    }

    byte[] toBytes() {
        Writer to = new Writer();
        to.int64(block.blockId());
        to.int32(block.payloadType());
        to.int64(block.timestampTicks());
        to.int64(block.payloadBytes());
        to.int32(block.descriptorBytes());
        to.text(block.incomplete().map(Enum::name).orElse(""));
        to.int64(block.missingPackets());
        to.image(block.image());
        to.int32(block.parts().size());
        for (BlockInfo.Part part : block.parts()) {
            to.int32(part.dataType());
            to.int64(part.offsetBytes());
            to.int64(part.lengthBytes());
            to.int32(part.format());
            to.int32(part.sourceId());
            to.int32(part.purposeId());
            to.int32(part.regionId());
            to.int32(part.flags());
            to.image(part.image());
        }
        to.flag(block.chunk().isPresent());
        block.chunk().ifPresent(chunk -> {
            to.int64(chunk.offsetBytes());
            to.int64(chunk.lengthBytes());
            to.int32(chunk.layoutId());
        });
        to.flag(block.compression().isPresent());
        block.compression().ifPresent(compression -> to.compression(compression));
        to.int32(segments.size());
        for (Segment segment : segments) {
            to.int64(segment.containerOffset());
            to.int64(segment.flowOffset());
            to.int64(segment.lengthBytes());
            to.flag(segment.received());
        }
        block.fileName().ifPresent(to::text);
        return to.bytes.toByteArray();
    }

    /**
     * Reads {@link #toBytes()}.
     *
     * @param bytes from position to limit
     * @param containerBytes size of the container, which segments must not leave
     * @param flowBytes size of flow 0, which they must not leave either
     * @throws RecordingException if it contradicts itself or ends early
     */
    static FrameMetadata parse(ByteBuffer bytes, long containerBytes, long flowBytes) {
        Reader from = new Reader(bytes.slice().order(ByteOrder.LITTLE_ENDIAN));
        try {
            BlockInfo block = block(from);
            int count = from.count(SEGMENT_BYTES);
            List<Segment> segments = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                Segment segment = new Segment(from.int64(), from.int64(), from.int64(), from.flag());
                if (!fits(segment.containerOffset(), segment.lengthBytes(), containerBytes)
                        || !fits(segment.flowOffset(), segment.lengthBytes(), flowBytes)) {
                    throw new RecordingException(segment + " lies outside of its frame");
                }
                segments.add(segment);
            }
            // Older recordings end here.
            return new FrameMetadata(from.ended() ? block : named(block, from.text()), segments);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new RecordingException("The description of a frame cannot be read", e);
        }
    }

    private static boolean fits(long offset, long length, long size) {
        return offset >= 0 && length >= 0 && offset <= size && length <= size - offset;
    }

    private static BlockInfo named(BlockInfo block, String fileName) {
        return new BlockInfo(
                block.blockId(),
                block.payloadType(),
                block.timestampTicks(),
                block.payloadBytes(),
                block.image(),
                block.descriptorBytes(),
                block.incomplete(),
                block.missingPackets(),
                block.parts(),
                block.chunk(),
                block.compression(),
                Optional.of(fileName));
    }

    private static BlockInfo block(Reader from) {
        long blockId = from.int64();
        int payloadType = from.int32();
        long timestamp = from.int64();
        long payloadBytes = from.int64();
        int descriptorBytes = from.int32();
        String cause = from.text();
        long missingPackets = from.int64();
        Optional<ImageGeometry> image = from.image();
        int count = from.count(SMALLEST_PART_BYTES);
        List<BlockInfo.Part> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            parts.add(new BlockInfo.Part(
                    from.int32(),
                    from.int64(),
                    from.int64(),
                    from.int32(),
                    from.int32(),
                    from.int32(),
                    from.int32(),
                    from.int32(),
                    from.image()));
        }
        Optional<ChunkRange> chunk =
                from.flag() ? Optional.of(new ChunkRange(from.int64(), from.int64(), from.int32())) : Optional.empty();
        Optional<Compression> compression = from.flag() ? Optional.of(from.compression()) : Optional.empty();
        return new BlockInfo(
                blockId,
                payloadType,
                timestamp,
                payloadBytes,
                image,
                descriptorBytes,
                cause.isEmpty() ? Optional.empty() : Optional.of(IncompleteCause.valueOf(cause)),
                missingPackets,
                parts,
                chunk,
                compression);
    }

    private static final class Writer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);

        void int64(long value) {
            int32((int) value);
            int32((int) (value >>> 32));
        }

        void int32(int value) {
            for (int shift = 0; shift < 32; shift += 8) {
                bytes.write(value >>> shift);
            }
        }

        void flag(boolean value) {
            bytes.write(value ? 1 : 0);
        }

        void text(String value) {
            byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
            int32(encoded.length);
            bytes.write(encoded, 0, encoded.length);
        }

        void image(Optional<ImageGeometry> image) {
            flag(image.isPresent());
            image.ifPresent(geometry -> {
                int32(geometry.pixelFormat());
                int64(geometry.width());
                int64(geometry.height());
                int64(geometry.offsetX());
                int64(geometry.offsetY());
                int32(geometry.paddingX());
                int32(geometry.paddingY());
            });
        }

        void compression(Compression compression) {
            int32(compression.dataFormat());
            int64(compression.timestampTickFrequency());
            flag(compression.h264().isPresent());
            compression.h264().ifPresent(h264 -> {
                int32(h264.packetizationMode());
                int32(h264.profileIdc());
                int32(h264.constraintSets());
                int32(h264.levelIdc());
                int32(h264.interleavingDepth());
                int64(h264.maxDonDiff());
                int64(h264.deinterleavingBufferBytes());
                int64(h264.initialBufferTime());
            });
        }
    }

    private static final class Reader {
        private final ByteBuffer bytes;

        Reader(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        boolean ended() {
            return !bytes.hasRemaining();
        }

        long int64() {
            return bytes.getLong();
        }

        int int32() {
            return bytes.getInt();
        }

        boolean flag() {
            return bytes.get() != 0;
        }

        /** A number of things that each take at least that many bytes. */
        int count(int smallestBytes) {
            int count = bytes.getInt();
            if (count < 0 || count > bytes.remaining() / smallestBytes) {
                throw new RecordingException(
                        Integer.toUnsignedLong(count) + " parts do not fit the description of a frame");
            }
            return count;
        }

        String text() {
            byte[] encoded = new byte[count(1)];
            bytes.get(encoded);
            return new String(encoded, StandardCharsets.UTF_8);
        }

        Optional<ImageGeometry> image() {
            return flag()
                    ? Optional.of(new ImageGeometry(int32(), int64(), int64(), int64(), int64(), int32(), int32()))
                    : Optional.empty();
        }

        Compression compression() {
            int dataFormat = int32();
            long frequency = int64();
            Optional<H264Parameters> h264 = flag()
                    ? Optional.of(
                            new H264Parameters(int32(), int32(), int32(), int32(), int32(), int64(), int64(), int64()))
                    : Optional.empty();
            return new Compression(dataFormat, frequency, h264);
        }
    }
}
