package io.peregrine.gendc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Containers in files: a {@code .gendc} file is one linear container and nothing else (GenDC 1.1, chapter 2). Files are
 * not trusted: no more is allocated than the file has, and than was allowed.
 */
public final class GenDcFile {
    /** What {@link #load(Path)} reads at most: 1 GiB. */
    public static final long DEFAULT_MAX_BYTES = 1L << 30;

    private static final int MAX_BUFFER = Integer.MAX_VALUE - 8;

    private GenDcFile() {}

    /**
     * Reads a container of no more than {@link #DEFAULT_MAX_BYTES}.
     *
     * @param file a regular file
     * @throws GenDcException if it holds no container, or one that is too large
     * @throws IOException if it cannot be read
     */
    public static GenDcContainer load(Path file) throws IOException {
        return load(file, DEFAULT_MAX_BYTES, CheckMode.TOLERANT);
    }

    /**
     * Reads a container. What follows it in the file is not read; of one that the file ends in the middle of, the parts
     * that are there can be used.
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
            return GenDcContainer.parse(bytes, mode);
        }
    }

    private static void read(FileChannel channel, ByteBuffer target) throws IOException {
        int count = 0;
        while (target.hasRemaining() && count >= 0) {
            count = channel.read(target);
        }
        target.flip();
    }

    /**
     * Writes a container, in one run of bytes wherever it lies now. The file appears, or is replaced, when all of it is
     * written; until then a file beside it grows, which is removed when that fails.
     *
     * @param file the file
     * @param container what to write
     * @throws GenDcException if it cannot be written as one run: see {@link GenDcContainer#writeLinear}
     * @throws IOException if it cannot be written
     */
    public static void save(Path file, GenDcContainer container) throws IOException {
        ByteBuffer bytes = container.linearBytes();
        Path folder = file.toAbsolutePath().getParent();
        Path part = Files.createTempFile(folder, "." + file.getFileName(), ".part");
        try {
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
