package io.peregrine.device;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.OptionalLong;

/** A file of a device, read from its start to its end, one access buffer at a time. */
final class FileInput extends InputStream {
    private final FileAccess file;
    private final OptionalLong sizeBytes;
    private final byte[] chunk;
    private long offset;
    private int position;
    private int limit;
    private boolean ended;

    FileInput(FileAccess file, OptionalLong sizeBytes) {
        this.file = file;
        this.sizeBytes = sizeBytes;
        this.chunk = new byte[file.chunkBytes()];
    }

    @Override
    public int read() throws IOException {
        return fill() ? chunk[position++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, target.length);
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, limit - position);
        System.arraycopy(chunk, position, target, from, count);
        position += count;
        return count;
    }

    @Override
    public int available() {
        return limit - position;
    }

    private boolean fill() throws IOException {
        if (position < limit) {
            return true;
        }
        if (ended || (sizeBytes.isPresent() && offset >= sizeBytes.getAsLong())) {
            return false;
        }
        int wanted = (int) Math.min(chunk.length, sizeBytes.orElse(Long.MAX_VALUE) - offset);
        int count;
        try {
            count = file.read(offset, chunk, wanted);
        } catch (RuntimeException e) {
            throw new IOException(e.getMessage(), e);
        }
        if (count == 0) {
            if (sizeBytes.isPresent()) {
                throw new IOException("The device gave no more than " + offset + " of " + sizeBytes.getAsLong()
                        + " bytes of the file");
            }
            ended = true;
            return false;
        }
        offset += count;
        position = 0;
        limit = count;
        return true;
    }

    @Override
    public void close() throws IOException {
        ended = true;
        limit = 0;
        position = 0;
        try {
            file.close();
        } catch (RuntimeException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
