package io.peregrine.gendc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;

/**
 * View of a whole container: in one linear piece of memory, descriptor first and data after it, or in a piece of memory
 * for each flow. Nothing is copied.
 *
 * <p>What the static methods return stays as it is, and may be read by any number of threads. What a
 * {@link GenDcReader} returns is moved by its next read, and is for one thread at a time.
 */
public final class GenDcContainer {
    /** What {@link #load(Path)} reads at most: 1 GiB. */
    public static final long DEFAULT_MAX_BYTES = 1L << 30;

    private static final int MAX_BUFFER = Integer.MAX_VALUE - 8;
    /** Zeros up to this at the end do no harm, whatever the data. */
    private static final long SMALL_GAP_BYTES = 1 << 20;

    private final GenDcDescriptor descriptor;
    private ByteBuffer linear = GenDcDescriptor.NO_BYTES;
    private List<ByteBuffer> flows = List.of();

    GenDcContainer(GenDcDescriptor descriptor) {
        this.descriptor = descriptor;
    }

    void moveLinear(ByteBuffer bytes) {
        linear = bytes;
        flows = List.of();
    }

    void moveFlows(List<ByteBuffer> memory) {
        linear = GenDcDescriptor.NO_BYTES;
        flows = memory;
    }

    /**
     * Reads a container. Parts whose data is not within the buffer are rejected, all others stay usable.
     *
     * @param linear from position (first byte of the descriptor) to limit; more may follow; the position is not moved
     * @throws GenDcException if the container cannot be used
     */
    public static GenDcContainer parse(ByteBuffer linear) {
        return parse(linear, CheckMode.TOLERANT);
    }

    /**
     * Reads a container.
     *
     * @param linear from position (first byte of the descriptor) to limit; more may follow; the position is not moved
     * @param mode how strict to be with deviations from the standard
     * @throws GenDcException if the container cannot be used
     */
    public static GenDcContainer parse(ByteBuffer linear, CheckMode mode) {
        return new GenDcReader(mode).read(GenDcDescriptor.own(linear));
    }

    /**
     * Reads a container that lies in flows. Parts whose data is not within their flow are rejected.
     *
     * @param flows the flows by id, each from position to limit; flow 0 begins with the descriptor; positions are not
     *     moved
     * @param mode how strict to be with deviations from the standard
     * @throws GenDcException if the container cannot be used
     */
    public static GenDcContainer parseFlows(List<ByteBuffer> flows, CheckMode mode) {
        return new GenDcReader(mode)
                .readFlows(flows.stream().map(GenDcDescriptor::own).toList());
    }

    /**
     * Reads a {@code .gendc} file of no more than {@link #DEFAULT_MAX_BYTES}: one linear container and nothing else
     * (GenDC 1.1, chapter 2).
     *
     * @param file a regular file
     * @throws GenDcException if it holds no container, or one that is too large
     * @throws IOException if it cannot be read
     */
    public static GenDcContainer load(Path file) throws IOException {
        return load(file, DEFAULT_MAX_BYTES, CheckMode.TOLERANT);
    }

    /**
     * Reads a {@code .gendc} file. Files are not trusted: no more is allocated than the file has, and than is allowed.
     * What follows the container is not read; of one that the file ends in the middle of, the parts that are there can
     * be used.
     *
     * @param file a regular file
     * @param maxBytes the most that may be allocated
     * @param mode how strict to be with deviations from the standard
     * @throws GenDcException if it holds no container, or one that is too large
     * @throws IOException if it cannot be read
     */
    public static GenDcContainer load(Path file, long maxBytes, CheckMode mode) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new GenDcException(file + " is no regular file");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer head = ByteBuffer.allocate(GenDcDescriptor.FIXED_SIZE_BYTES);
            read(channel, head);
            long size = Math.min(channel.size(), DescriptorParser.containerSizeBytes(head));
            if (size > Math.min(maxBytes, MAX_BUFFER)) {
                throw new GenDcException("The container in " + file + " has " + size + " bytes; no more than "
                        + Math.min(maxBytes, MAX_BUFFER) + " are read");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
            channel.position(0);
            read(channel, bytes);
            return parse(bytes, mode);
        }
    }

    private static void read(FileChannel channel, ByteBuffer target) throws IOException {
        int count = 0;
        while (target.hasRemaining() && count >= 0) {
            count = channel.read(target);
        }
        target.flip();
    }

    /** The descriptor. */
    public GenDcDescriptor descriptor() {
        return descriptor;
    }

    /** Id of the container, one more with each that the device sends. */
    public long id() {
        return descriptor.id();
    }

    /** The components, in order, invalid ones included. */
    public List<GenDcComponent> components() {
        return descriptor.components();
    }

    /** What was found to be wrong and could be lived with. */
    public List<GenDcProblem> problems() {
        return descriptor.problems();
    }

    /** Bytes from the start of the descriptor to the end of the data section, as the descriptor says. */
    public long containerSizeBytes() {
        return descriptor.containerSizeBytes();
    }

    /** Whether the container is one run of bytes. */
    public boolean linear() {
        return flows.isEmpty();
    }

    /**
     * The data of a part of this container.
     *
     * @param part one of {@link #components()}
     * @return a read-only little-endian view
     * @throws GenDcException if the part was rejected
     */
    public ByteBuffer data(GenDcPart part) {
        if (linear()) {
            return part.sliceLinear(linear);
        }
        if (part.flowId() >= flows.size()) {
            throw new GenDcException("The part is in flow " + part.flowId() + ", there are " + flows.size());
        }
        return part.sliceFlow(flows.get(part.flowId()));
    }

    /**
     * Copies the container to one run of bytes. One that lies in flows is put together: the descriptor, each usable
     * part at its data offset, and 0 between and behind them. A component of which a rejected part would be among these
     * zeros is invalid in the copy, so that they are not taken for its data.
     *
     * @param target written from its position, which moves after what was written
     * @return bytes written: {@link #linearSizeBytes()}
     * @throws GenDcException if it does not fit, or if parts overlap in the copy that do not share their data
     */
    public int writeLinear(ByteBuffer target) {
        long size = linearSizeBytes();
        int start = target.position();
        if (size > target.remaining()) {
            throw new GenDcException("The container has " + size + " bytes, there is room for " + target.remaining());
        }
        if (linear()) {
            int there = (int) Math.min(size, linear.remaining());
            target.put(start, linear, linear.position(), there);
            zeros(target, start + there, (int) size - there);
        } else {
            gather(target, start, (int) size);
        }
        target.position(start + (int) size);
        return (int) size;
    }

    private static void zeros(ByteBuffer target, int start, int count) {
        byte[] zeros = new byte[Math.min(count, 8192)];
        for (int at = 0; at < count; at += zeros.length) {
            target.put(start + at, zeros, 0, Math.min(zeros.length, count - at));
        }
    }

    private void gather(ByteBuffer target, int start, int size) {
        zeros(target, start, size);
        byte[] headers = descriptor.toBytes();
        long written = 0;
        for (int c = 0; c < components().size(); c++) {
            List<GenDcPart> parts = components().get(c).parts();
            for (int p = 0; p < parts.size(); p++) {
                GenDcPart part = parts.get(p);
                if (!part.usable() && GenDcPart.fits(part.dataOffset(), part.dataSize(), size)) {
                    components().get(c).markInvalid(headers);
                } else if (part.usable() && part.dataSize() > 0) {
                    written += part.dataSize();
                    if (written > size) {
                        throw new GenDcException("Parts overlap in the linear container: it cannot be put together");
                    }
                    ByteBuffer data = data(part);
                    target.put(start + (int) part.dataOffset(), data, 0, data.remaining());
                }
            }
        }
        target.put(start, headers);
        // Parts that lie on others, or on the descriptor, are among the problems.
        if (!problems().isEmpty()) {
            checkGathered(target, start);
        }
    }

    /** Parts may share their data, but what one has lost to another is not its data. */
    private void checkGathered(ByteBuffer target, int start) {
        for (int c = 0; c < components().size(); c++) {
            List<GenDcPart> parts = components().get(c).parts();
            for (int p = 0; p < parts.size(); p++) {
                GenDcPart part = parts.get(p);
                if (part.usable() && part.dataSize() > 0) {
                    ByteBuffer data = data(part);
                    ByteBuffer copy = target.slice(start + (int) part.dataOffset(), data.remaining());
                    if (!copy.equals(data)) {
                        throw new GenDcException("Part " + p + " of component " + c
                                + " lies on other data in the linear container: it cannot be put together");
                    }
                }
            }
        }
    }

    /**
     * The container as one run of bytes, a copy.
     *
     * @param maxBytes the most that may be allocated
     * @throws GenDcException if it is larger
     */
    public ByteBuffer toLinear(long maxBytes) {
        long size = linearSizeBytes();
        if (size > Math.min(maxBytes, Integer.MAX_VALUE - 8)) {
            throw new GenDcException(
                    "The container has " + size + " bytes in one run; no more than " + maxBytes + " are allowed");
        }
        ByteBuffer target = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
        writeLinear(target);
        return target.flip();
    }

    /**
     * Writes the container as a {@code .gendc} file: in one run of bytes wherever it lies now. The file appears, or is
     * replaced, when all of it is written; until then a file beside it grows, which is removed when that fails. Those
     * may read it who may read any other new file.
     *
     * @param file the file
     * @throws GenDcException if it cannot be written as one run: see {@link #writeLinear}
     * @throws IOException if it cannot be written
     */
    public void save(Path file) throws IOException {
        ByteBuffer bytes = linearBytes();
        // Files of createTempFile are for their owner only.
        Path part = file.resolveSibling("." + file.getFileName() + UUID.randomUUID() + ".part");
        FileChannel channel = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            try (channel) {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /**
     * Bytes that {@link #writeLinear} writes: as many as the descriptor says. Fewer, to the end of what is there, if a
     * part was rejected, which must not be read as zeros, or if the end would be far more zeros than data.
     */
    public long linearSizeBytes() {
        long end = descriptor.descriptorSizeBytes();
        boolean missing = false;
        for (int c = 0; c < components().size(); c++) {
            List<GenDcPart> parts = components().get(c).parts();
            for (int p = 0; p < parts.size(); p++) {
                GenDcPart part = parts.get(p);
                if (part.usable()) {
                    end = Math.max(end, part.dataOffset() + part.dataSize());
                } else {
                    missing |= !components().get(c).invalid();
                }
            }
        }
        long whole = containerSizeBytes();
        if (linear()) {
            end = Math.max(end, Math.min(whole, linear.remaining()));
        }
        boolean zeros = !missing && whole - end <= end + SMALL_GAP_BYTES;
        return zeros ? Math.max(end, whole) : end;
    }

    /** One run of bytes: a view of a linear container, a copy of one that has to be put together. */
    private ByteBuffer linearBytes() {
        long size = linearSizeBytes();
        return linear() && size <= linear.remaining()
                ? linear.slice(linear.position(), (int) size)
                : toLinear(MAX_BUFFER);
    }

    /** The descriptor with everything in it. */
    @Override
    public String toString() {
        return descriptor.toString();
    }
}
