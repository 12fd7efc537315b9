package io.peregrine.recording;

import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcException;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.PayloadType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Files of one GenDC container each, of any origin. */
final class ContainerFiles {
    private static final int SIGNATURE_GENDC = 'G' | 'N' << 8 | 'D' << 16 | 'C' << 24;

    private ContainerFiles() {}

    /** Whether bytes begin as a container does. */
    static boolean isContainer(ByteBuffer bytes) {
        return bytes.limit() >= 4 && bytes.getInt(0) == SIGNATURE_GENDC;
    }

    /** The files of a directory, in the order of their names. */
    static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".gendc"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        }
    }

    /**
     * The frames of some files, one each.
     *
     * @param files the files, in the order of the frames
     * @param problems takes the files that cannot be used, and why
     */
    static List<RecordedFrame> frames(List<Path> files, List<String> problems) throws IOException {
        List<RecordedFrame> frames = new ArrayList<>();
        long first = -1;
        long last = 0;
        for (Path file : files) {
            long size = Files.size(file);
            if (size > LinearContainer.MAX_BYTES) {
                problems.add(file + " is larger than the 2 GiB that a container can have");
                continue;
            }
            GenDcDescriptor descriptor;
            try {
                descriptor = descriptor(file, size);
            } catch (GenDcException e) {
                problems.add(file + " cannot be used: " + e.getMessage());
                continue;
            }
            if (descriptor.components().isEmpty()) {
                problems.add(file + " cannot be used: its container has no component");
                continue;
            }
            long timestamp = descriptor.components().get(0).timestamp();
            first = first < 0 ? timestamp : first;
            last = Math.max(last, timestamp - first);
            RecordHeader header = new RecordHeader(
                    RecordHeader.FRAME, frames.size(), size, 0, 0, descriptor.id(), timestamp, last, size);
            frames.add(new RecordedFrame(frames.size(), header, new OfContainer(file, header)));
        }
        return frames;
    }

    private static GenDcDescriptor descriptor(Path file, long size) throws IOException {
        try (Input input = Input.of(file)) {
            ByteBuffer start = RecordHeader.buffer((int) Math.min(size, 56));
            input.fill(start, 0);
            long needed = start.flip().limit() < 56 ? 0 : Integer.toUnsignedLong(start.getInt(48));
            ByteBuffer bytes = RecordHeader.buffer((int) Math.min(size, Math.max(56, needed)));
            input.fill(bytes, 0);
            return GenDcDescriptor.parse(bytes.flip());
        }
    }

    /** A file of any origin. */
    private record OfContainer(Path file, RecordHeader header) implements RecordedFrame.Source {
        @Override
        public ByteBuffer metadata() {
            BlockInfo block = new BlockInfo(
                    header.id(),
                    PayloadType.GENDC,
                    header.timestamp(),
                    header.containerBytes(),
                    Optional.empty(),
                    0,
                    Optional.empty(),
                    0);
            List<Segment> all = List.of(new Segment(0, 0, header.containerBytes(), true));
            return ByteBuffer.wrap(new FrameMetadata(block, all).toBytes());
        }

        @Override
        public long containerBytesThere() throws IOException {
            return Files.size(file);
        }

        @Override
        public void container(ByteBuffer to) throws IOException {
            readAll(file, to);
        }

        @Override
        public boolean checked() {
            return false;
        }
    }

    /** Reads as much of a file as there is room for. */
    static void readAll(Path file, ByteBuffer to) throws IOException {
        try (Input container = Input.of(file)) {
            if (!container.fill(to, 0)) {
                throw new IOException(file + " has become shorter");
            }
        }
    }
}
