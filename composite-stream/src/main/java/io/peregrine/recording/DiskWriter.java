package io.peregrine.recording;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends to a file on a separate thread: what is appended is copied to a ring of memory, and the thread writes what it
 * finds there, in pieces that are the larger the slower the disk is. It also forces the file from time to time.
 *
 * <p>Where the file takes whole blocks only, the last one is filled with zeros, and written again when there is more:
 * until it is cut, the file may be longer than what was appended.
 */
final class DiskWriter {
    /** Most that is written at once. */
    private static final int PIECE_BYTES = 2 << 20;
    /** What is copied before the thread hears of it. */
    private static final int SLICE_BYTES = 256 << 10;

    private final Output file;
    private final long stepBytes;
    private final int blockBytes;
    private final ByteBuffer ring;
    private final ByteBuffer lastBlock;
    private final Thread thread;

    // Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long appendedBytes;
    private long writtenBytes;
    private long forcedBytes;
    private boolean ending;
    private @Nullable Throwable failure;

    /**
     * Prepares a thread.
     *
     * @param file what to append to; empty
     * @param bufferBytes size of the ring
     * @param stepBytes how much is written until it is forced
     * @param name of the thread
     */
    DiskWriter(Output file, int bufferBytes, long stepBytes, String name) {
        this.file = file;
        this.stepBytes = stepBytes;
        blockBytes = file.blockBytes();
        // One block more than the one that may have to be written again.
        ring = memory(Math.max(bufferBytes, 2 * blockBytes) / blockBytes * blockBytes, blockBytes);
        lastBlock = memory(blockBytes, blockBytes);
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Memory that begins at a block. */
    static ByteBuffer memory(int sizeBytes, int blockBytes) {
        return ByteBuffer.allocateDirect(sizeBytes + blockBytes - 1)
                .alignedSlice(blockBytes)
                .slice(0, sizeBytes);
    }

    void start() {
        thread.start();
    }

    // ---- Appending thread

    /**
     * Appends all remaining bytes. Waits while there is no room.
     *
     * @throws IOException if writing failed, now or before; an interrupt makes it fail
     */
    void append(ByteBuffer... bytes) throws IOException {
        for (ByteBuffer piece : bytes) {
            while (piece.hasRemaining()) {
                append(piece);
            }
        }
    }

    private void append(ByteBuffer piece) throws IOException {
        long at = roomAt();
        int place = (int) (at % ring.capacity());
        // Without the lock: no one else touches bytes that are not appended yet.
        int count = Math.min(Math.min(piece.remaining(), SLICE_BYTES), ring.capacity() - place);
        count = Math.min(count, room(at));
        ring.put(place, piece, piece.position(), count);
        piece.position(piece.position() + count);
        lock.lock();
        try {
            appendedBytes += count;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for room; returns where it begins. */
    private long roomAt() throws IOException {
        lock.lock();
        try {
            awaitWhile(() -> room(appendedBytes) == 0);
            return appendedBytes;
        } finally {
            lock.unlock();
        }
    }

    private int room(long end) {
        lock.lock();
        try {
            return (int) (ring.capacity() - (end - blockOf(writtenBytes)));
        } finally {
            lock.unlock();
        }
    }

    private long blockOf(long at) {
        return at & -(long) blockBytes;
    }

    /**
     * Waits until everything is written.
     *
     * @throws IOException if that failed
     */
    void drain() throws IOException {
        lock.lock();
        try {
            awaitWhile(() -> writtenBytes < appendedBytes);
        } finally {
            lock.unlock();
        }
    }

    private void awaitWhile(BooleanSupplier condition) throws IOException {
        try {
            while (failure == null && condition.getAsBoolean()) {
                changed.await();
            }
        } catch (InterruptedException e) {
            // An interrupted file channel closes itself, so that writing fails.
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("Waiting for the disk was interrupted").initCause(e);
        }
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
    }

    /** How much was appended. */
    long appendedBytes() {
        lock.lock();
        try {
            return appendedBytes;
        } finally {
            lock.unlock();
        }
    }

    /** How much of that the file system has. */
    long writtenBytes() {
        lock.lock();
        try {
            return writtenBytes;
        } finally {
            lock.unlock();
        }
    }

    /** How much of that is on the disk. */
    long forcedBytes() {
        lock.lock();
        try {
            return forcedBytes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes what is left, ends the thread and waits for it. Idempotent.
     *
     * @return why not everything was written; empty when it was
     */
    Optional<Throwable> end() {
        lock.lock();
        try {
            ending = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
                thread.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        lock.lock();
        try {
            return Optional.ofNullable(failure);
        } finally {
            lock.unlock();
        }
    }

    // ---- Writing thread

    private void run() {
        try {
            long until = next();
            while (until >= 0) {
                write(until);
                if (writtenBytes() - forcedBytes() >= stepBytes) {
                    force();
                }
                until = next();
            }
        } catch (IOException | RuntimeException | Error e) {
            // Also an error: else whoever appends would wait without end.
            lock.lock();
            try {
                failure = e;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** End of what is to be written; negative when nothing is left. */
    private long next() {
        lock.lock();
        try {
            while (!ending && writtenBytes == appendedBytes) {
                changed.awaitUninterruptibly();
            }
            return writtenBytes == appendedBytes ? -1 : appendedBytes;
        } finally {
            lock.unlock();
        }
    }

    private void write(long until) throws IOException {
        long from = blockOf(writtenBytes());
        int place = (int) (from % ring.capacity());
        long whole = Math.min(blockOf(until) - from, Math.min(PIECE_BYTES, ring.capacity() - place));
        ByteBuffer bytes;
        if (whole > 0) {
            bytes = ring.slice(place, (int) whole);
        } else {
            int used = (int) (until - from);
            bytes = lastBlock.clear().put(0, ring, place, used);
            for (int i = used; i < blockBytes; i++) {
                bytes.put(i, (byte) 0);
            }
        }
        try {
            file.write(bytes, from);
        } finally {
            // Even when the disk is full, what it took before may be whole records.
            written(Math.min(until, from + bytes.position()));
        }
    }

    private void written(long size) {
        lock.lock();
        try {
            writtenBytes = Math.max(writtenBytes, size);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void force() throws IOException {
        long size = writtenBytes();
        file.force();
        lock.lock();
        try {
            forcedBytes = size;
        } finally {
            lock.unlock();
        }
    }
}
