package io.peregrine.recording;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file in the making: only appended to, and cut where a record could not be finished. */
interface Output extends AutoCloseable {

    /** Makes files; the seam at which tests let the disk be full or slow. */
    interface Opener {
        /** Makes a file that must not be there yet. */
        Output create(Path path) throws IOException;

        /** Removes a file that could not be finished. */
        default void delete(Path path) throws IOException {
            Files.deleteIfExists(path);
        }
    }

    /** Files of the default file system. */
    Opener FILES = path -> new OfFile(FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));

    /** Appends all remaining bytes, in order. */
    void write(ByteBuffer[] bytes) throws IOException;

    /** Cuts the file. */
    void truncate(long sizeBytes) throws IOException;

    /** Waits until everything is on the disk. */
    void force() throws IOException;

    @Override
    void close() throws IOException;

    /** A file. */
    record OfFile(FileChannel channel) implements Output {
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
            channel.close();
        }
    }
}
