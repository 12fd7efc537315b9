package io.peregrine.gvsp;

/**
 * Decides how long packets may gather before a receiver looks again. Without threads and without a clock.
 *
 * <p>After what was taken, the next packets of the block are on their way: a thread that sleeps until the first of them
 * arrives is woken for very few. So it sleeps a while first, as adapters moderate their interrupts, but no longer than
 * the packets of the rate recently seen fit into a part of the buffer, and not beyond the end of the block. When
 * nothing came in the meantime the stream rests, and the next packet wakes the thread.
 */
final class ArrivalPause {
    /** The buffer takes this many times what may gather, since its bytes are not those of packets. */
    private static final int SHARES_OF_BUFFER = 8;
    /** Before the rate is known. */
    private static final int FIRST_SHARE = 16;
    /** While the end of the block is unknown. */
    private static final int BLIND_SHARE = 4;
    /** A shorter sleep takes longer than that anyway. */
    private static final double MIN_NANOS = 100_000;

    private final long mostNanos;
    private final long mostBytes;
    private boolean flowing;
    private long lookedAt;

    /**
     * Creates one for a stream that rests.
     *
     * @param mostNanos longest pause; 0 for none at all
     * @param bufferBytes what the kernel holds for this receiver
     */
    ArrivalPause(long mostNanos, long bufferBytes) {
        this.mostNanos = mostNanos;
        mostBytes = Math.max(1, bufferBytes / SHARES_OF_BUFFER);
    }

    /**
     * Returns how long to pause after the receiver took all that was there.
     *
     * @param bytes how much that was since the last call
     * @param remainingBytes how much of the block is still to come; 0 if unknown
     * @param nowNanos current time
     * @return 0 to wait for the next packet
     */
    long after(long bytes, long remainingBytes, long nowNanos) {
        if (bytes <= 0 || mostNanos == 0) {
            flowing = false;
            return 0;
        }
        long pause = mostNanos / FIRST_SHARE;
        if (flowing) {
            double nanosPerByte = (double) Math.max(1, nowNanos - lookedAt) / bytes;
            double end = remainingBytes > 0
                    ? Math.max(MIN_NANOS, nanosPerByte * remainingBytes)
                    : (double) mostNanos / BLIND_SHARE;
            pause = (long) Math.min(Math.min((double) mostNanos, end), nanosPerByte * mostBytes);
        }
        flowing = true;
        lookedAt = nowNanos;
        return pause;
    }
}
