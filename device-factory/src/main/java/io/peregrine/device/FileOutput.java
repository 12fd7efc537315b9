package io.peregrine.device;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A file of a device, written from its start, one access buffer at a time. */
final class FileOutput extends OutputStream {
    private final FileAccess file;
    private final byte[] chunk;
    private long offset;
    private int pending;
    private boolean closed;
    private boolean broken;

    FileOutput(FileAccess file) {
        this.file = file;
        this.chunk = new byte[file.chunkBytes()];
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, source.length);
        if (closed) {
            throw new IOException("The file is closed");
        }
        int done = 0;
        while (done < length) {
            int count = Math.min(length - done, chunk.length - pending);
            System.arraycopy(source, from + done, chunk, pending, count);
            pending += count;
            done += count;
            if (pending == chunk.length) {
                flush();
            }
        }
    }

    /** Gives the device what is waiting. */
    @Override
    public void flush() throws IOException {
        int sent = 0;
        while (sent < pending) {
            int count;
            try {
                count = file.write(offset, chunk, sent, pending - sent);
            } catch (RuntimeException e) {
                throw failed(e.getMessage(), e);
            }
            if (count == 0) {
                throw failed("The device took no more than " + offset + " bytes: the file is full, or protected", null);
            }
            sent += count;
            offset += count;
        }
        pending = 0;
    }

    private IOException failed(String message, @Nullable RuntimeException cause) {
        broken = true;
        pending = 0;
        return new IOException(message, cause);
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        @Nullable IOException failure = null;
        if (!broken) {
            try {
                flush();
            } catch (IOException e) {
                failure = e;
            }
        }
        try {
            file.close();
        } catch (RuntimeException e) {
            // After a failure to write, this one is only what follows from it.
            if (!broken) {
                failure = new IOException(e.getMessage(), e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
