package io.peregrine.pvaccess;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * What a client sends, checked before the library reads it: messages are small and in one piece, and no more are taken
 * while many answers wait to be sent. Otherwise a client that sends large lengths, or asks and never reads, would take
 * memory without end.
 */
final class RequestFilter extends FilterInputStream {
    /** Requests carry names and types, no data. */
    static final int MAX_MESSAGE_BYTES = 64 << 10;

    private static final int MAX_WAITING_ANSWERS = 64;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int HEADER_BYTES = 8;
    private static final int MAGIC = 0xCA;
    private static final int CONTROL_FLAG = 0x01;
    private static final int SEGMENT_FLAGS = 0x30;
    private static final int BIG_ENDIAN_FLAG = 0x80;
    private static final int FLAGS_AT = 2;
    private static final int SIZE_AT = 4;

    private final AtomicReference<Optional<Queue<?>>> answers;
    private final BooleanSupplier closed;

    // By the one thread that reads.
    private final int[] header = new int[HEADER_BYTES];
    private int headerBytes;
    private int payloadBytes;

    /**
     * A filter.
     *
     * @param answers what waits to be sent to the client, as soon as that is known
     * @param closed whether the connection was closed here
     */
    RequestFilter(InputStream in, AtomicReference<Optional<Queue<?>>> answers, BooleanSupplier closed) {
        super(in);
        this.answers = answers;
        this.closed = closed;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        awaitRoom();
        int read = super.read(target, offset, length);
        for (int i = offset; i < offset + read; ) {
            i += payloadBytes > 0 ? skip(offset + read - i) : take(target[i]);
        }
        return read;
    }

    private int skip(int available) {
        int skipped = Math.min(available, payloadBytes);
        payloadBytes -= skipped;
        return skipped;
    }

    private int take(byte value) throws IOException {
        header[headerBytes++] = Byte.toUnsignedInt(value);
        if (headerBytes == 1 && header[0] != MAGIC) {
            throw new IOException("The client does not speak pvAccess");
        }
        if (headerBytes == HEADER_BYTES) {
            headerBytes = 0;
            payloadBytes = payloadBytes();
        }
        return 1;
    }

    private int payloadBytes() throws IOException {
        int flags = header[FLAGS_AT];
        if ((flags & CONTROL_FLAG) != 0) {
            return 0;
        }
        if ((flags & SEGMENT_FLAGS) != 0) {
            throw new IOException("The client sends a request in segments");
        }
        boolean big = (flags & BIG_ENDIAN_FLAG) != 0;
        int size = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            size = (size << Byte.SIZE) | header[SIZE_AT + (big ? i : Integer.BYTES - 1 - i)];
        }
        if (size < 0 || size > MAX_MESSAGE_BYTES) {
            throw new IOException("The client announces a request of " + Integer.toUnsignedString(size) + " bytes");
        }
        return size;
    }

    private void awaitRoom() throws IOException {
        long begin = System.nanoTime();
        while (waitingAnswers() > MAX_WAITING_ANSWERS) {
            if (closed.getAsBoolean() || System.nanoTime() - begin > PATIENCE_NANOS) {
                throw new IOException("The client asks and does not read");
            }
            LockSupport.parkNanos(PARK_NANOS);
        }
    }

    private int waitingAnswers() {
        Optional<Queue<?>> waiting = answers.get();
        return waiting.isPresent() ? waiting.get().size() : 0;
    }
}
