package io.peregrine.recording;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A file in the making: appended to, and cut where a record could not be finished. */
interface Output extends AutoCloseable {

    /** Makes files; the seam at which tests let the disk be full or slow. */
    interface Opener {
        /** Makes a file that must not be there yet. */
        Output create(Path path) throws IOException;

        /** Makes a file that must not be there yet, and becomes large. */
        default Output createLarge(Path path) throws IOException {
            return create(path);
        }

        /** Memory for what waits for the disk. */
        default int bufferBytes() {
            return 16 << 20;
        }

        /** Removes a file that could not be finished. */
        default void delete(Path path) throws IOException {
            Files.deleteIfExists(path);
        }
    }

    /** Files of the default file system. */
    Opener FILES = new Opener() {
        @Override
        public Output create(Path path) throws IOException {
            return OfFile.create(path, false);
        }

        @Override
        public Output createLarge(Path path) throws IOException {
            return OfFile.create(path, true);
        }
    };

    /** Appends all remaining bytes, in order, after what was appended before or where the file was cut. */
    void write(ByteBuffer[] bytes) throws IOException;

    /**
     * Writes all remaining bytes.
     *
     * @param bytes as many blocks as it likes; memory that begins at a block
     * @param position first byte in the file, where a block begins
     */
    void write(ByteBuffer bytes, long position) throws IOException;

    /** Size of a block; 1 when every position will do. A power of two. */
    int blockBytes();

    /** Cuts the file. */
    void truncate(long sizeBytes) throws IOException;

    /** Waits until everything is on the disk. */
    void force() throws IOException;

    @Override
    void close() throws IOException;

    /**
     * A file. Blocks pass the page cache by where the file system can do that: their pages need not be found, copied to
     * and written back, the disk works from the first block on, and memory is left to others.
     *
     * @param channel for bytes
     * @param direct for blocks, if that is another
     * @param blockBytes size of a block
     */
    record OfFile(FileChannel channel, Optional<FileChannel> direct, int blockBytes) implements Output {
        private static final int MAX_BLOCK_BYTES = 1 << 16;

        static OfFile create(Path path, boolean large) throws IOException {
            FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (!large) {
                return new OfFile(channel, Optional.empty(), 1);
            }
            try {
                long blockBytes = Files.getFileStore(path).getBlockSize();
                Optional<FileChannel> direct = Long.bitCount(blockBytes) == 1 && blockBytes <= MAX_BLOCK_BYTES
                        ? direct(path, (int) blockBytes)
                        : Optional.empty();
                return new OfFile(channel, direct, direct.isPresent() ? (int) blockBytes : 1);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        }

        /** Some file systems only say at the first block that they cannot do it. */
        private static Optional<FileChannel> direct(Path path, int blockBytes) throws IOException {
            Optional<OpenOption> option = directOption();
            if (option.isEmpty()) {
                return Optional.empty();
            }
            FileChannel direct;
            try {
                direct = FileChannel.open(path, StandardOpenOption.WRITE, option.get());
            } catch (IOException | UnsupportedOperationException e) {
                return Optional.empty();
            }
            try {
                direct.write(DiskWriter.memory(blockBytes, blockBytes), 0);
                return Optional.of(direct);
            } catch (IOException e) {
                direct.close();
                return Optional.empty();
            }
        }

        /** Found by name: the compiler warns of the class, and a run-time image need not have it. */
        private static Optional<OpenOption> directOption() {
            try {
                for (Object option :
                        Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
                    if (option.toString().equals("DIRECT")) {
                        return Optional.of((OpenOption) option);
                    }
                }
            } catch (ClassNotFoundException e) {
                return Optional.empty();
            }
            return Optional.empty();
        }

        @Override
        public void write(ByteBuffer[] bytes) throws IOException {
            int next = 0;
            while (next < bytes.length) {
                channel.write(bytes, next, bytes.length - next);
                while (next < bytes.length && !bytes[next].hasRemaining()) {
                    next++;
                }
            }
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            FileChannel to = direct.orElse(channel);
            long at = position;
            while (bytes.hasRemaining()) {
                at += to.write(bytes, at);
            }
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            channel.truncate(sizeBytes);
            channel.position(sizeBytes);
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            try (channel) {
                if (direct.isPresent()) {
                    direct.get().close();
                }
            }
        }
    }
}
