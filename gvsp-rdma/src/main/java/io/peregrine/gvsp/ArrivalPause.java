package io.peregrine.gvsp;

import java.util.concurrent.TimeUnit;

/**
 * Decides how long packets may gather before a receiver looks again. Without threads and without a clock.
 *
 * <p>After what was taken, the next packets of the block are on their way: a thread that sleeps until the first of them
 * arrives is woken for very few. So it sleeps a while first, as adapters moderate their interrupts, but no longer than
 * the packets of the rate recently seen fit into a part of the buffer, and not beyond the end of the block. When
 * nothing came in the meantime and it is not known when the block ends, the stream rests, and the next packet wakes the
 * thread.
 *
 * <p>The end of a block follows from the bytes that are still to come at the rate recently seen, and from the blocks
 * before it ({@link BlockTiming}): of a burst at its end the rate shows nothing.
 *
 * <p>Shortly before that end, the receiver looks after each short sleep, instead of being woken by the next packet. Its
 * own timer wakes it where it slept. A packet wakes it on the processor at which packets arrive, and where a waiting
 * processor is not known as free, as in virtual machines, that one is kept busy with the rest of the packets. So the
 * thread sleeps by its timer wherever it is known that a block goes on, or that the next one follows.
 */
final class ArrivalPause {
    /**
     * Packets are waited for that long before the block may end: a sleep takes longer than it was asked for, and what
     * is to be ready at the end takes its time.
     */
    static final long END_MARGIN_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    /** How long it sleeps between looks. */
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
    /** After that many looks at one block, the next packet wakes it: the block is late. */
    private static final int MOST_LOOKS = 40;

    /** The buffer takes this many times what may gather, since its bytes are not those of packets. */
    private static final int SHARES_OF_BUFFER = 8;
    /** Before the rate is known. */
    private static final int FIRST_SHARE = 16;
    /** While the end of the block is unknown. */
    private static final int BLIND_SHARE = 4;
    /** A shorter sleep takes longer than that anyway. */
    private static final double MIN_NANOS = 100_000;

    private final long mostNanos;
    private final boolean promptEnd;
    private int looks;
    private boolean flowing;
    private long lookedAt;
    private long lastPause;

    /**
     * Creates one for a stream that rests.
     *
     * @param waiting longest pause, none at all if that is zero, and whether pauses reach up to the end of a block
     */
    ArrivalPause(ReceiverWaiting waiting) {
        mostNanos = waiting.pause().toNanos();
        promptEnd = waiting.promptEnd();
    }

    /**
     * Returns how long to pause after the receiver took all that was there.
     *
     * @param bytes how much that was since the last call
     * @param bufferBytes how much is held for this receiver until it looks
     * @param remainingBytes how much of the block is still to come; 0 if unknown
     * @param nanosToEnd see {@link PacketSink#nanosToEnd}; negative without a block
     * @param nowNanos current time
     * @return 0 to wait for the next packet
     */
    long after(long bytes, long bufferBytes, long remainingBytes, long nanosToEnd, long nowNanos) {
        if (mostNanos == 0) {
            return 0;
        }
        if (promptEnd && nanosToEnd >= 0 && nanosToEnd <= END_MARGIN_NANOS) {
            looks++;
        } else {
            looks = 0;
        }
        if (looksAgain()) {
            flowing = true;
            lookedAt = nowNanos;
            return LOOK_NANOS;
        }
        if (bytes <= 0) {
            boolean goesOn = nanosToEnd > END_MARGIN_NANOS && nanosToEnd != PacketSink.END_UNKNOWN;
            flowing = flowing && promptEnd && goesOn;
            return flowing ? Math.min(lastPause, nanosToEnd - END_MARGIN_NANOS) : 0;
        }
        long pause = mostNanos / FIRST_SHARE;
        if (flowing) {
            double nanosPerByte = (double) Math.max(1, nowNanos - lookedAt) / bytes;
            double end = remainingBytes > 0
                    ? Math.max(MIN_NANOS, nanosPerByte * remainingBytes)
                    : (double) mostNanos / BLIND_SHARE;
            pause = (long) Math.min(
                    Math.min((double) mostNanos, end), nanosPerByte * Math.max(1, bufferBytes / SHARES_OF_BUFFER));
        }
        flowing = true;
        lookedAt = nowNanos;
        lastPause = pause;
        if (!promptEnd) {
            return pause;
        }
        long mayEnd = nanosToEnd - END_MARGIN_NANOS;
        return Math.max(0, Math.min(pause, mayEnd));
    }

    /** Whether it looks after a short sleep, since the block may end. */
    private boolean looksAgain() {
        return looks > 0 && looks <= MOST_LOOKS;
    }
}
