package io.peregrine.recording;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file to be read at any position. */
interface Input extends AutoCloseable {

    long sizeBytes() throws IOException;

    /** Reads like {@link FileChannel#read(ByteBuffer, long)}. */
    int read(ByteBuffer to, long position) throws IOException;

    /** Fills the buffer; false when the file ends before. */
    default boolean fill(ByteBuffer to, long position) throws IOException {
        long at = position;
        while (to.hasRemaining()) {
            int count = read(to, at);
            if (count < 0) {
                return false;
            }
            at += count;
        }
        return true;
    }

    @Override
    void close() throws IOException;

    /** A file. */
    static Input of(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        return new Input() {
            @Override
            public long sizeBytes() throws IOException {
                return channel.size();
            }

            @Override
            public int read(ByteBuffer to, long position) throws IOException {
                return channel.read(to, position);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    /** Bytes in memory. */
    static Input of(byte[] bytes) {
        return new Input() {
            @Override
            public long sizeBytes() {
                return bytes.length;
            }

            @Override
            public int read(ByteBuffer to, long position) {
                if (position >= bytes.length) {
                    return -1;
                }
                int count = (int) Math.min(to.remaining(), bytes.length - position);
                to.put(bytes, (int) position, count);
                return count;
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }
}
