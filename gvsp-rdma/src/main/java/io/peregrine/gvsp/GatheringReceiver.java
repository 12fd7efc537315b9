package io.peregrine.gvsp;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A receiver that takes all that waits at once, and lets packets gather in between ({@link ArrivalPause}). Where to
 * take packets from, and how to wait for them, is up to its subclasses.
 */
abstract class GatheringReceiver implements PacketReceiver {
    private static final int LOOKS_BETWEEN_YIELDS = 64;
    /** Nearer to the end of a block than that, there is no time for anything else. */
    private static final long END_IS_NEAR_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /** Further from it than that, there is time for work that is over before it. */
    private static final long END_IS_FAR_NANOS = TimeUnit.MILLISECONDS.toNanos(6);

    /** Held during reception, so that nothing is closed below it. */
    private final ReentrantLock inUse = new ReentrantLock();

    private ArrivalPause arrivals;
    private boolean spin;
    private int bufferBytes;
    private long pauseNanos;
    private long drainedBytes;
    private boolean emptied;

    private volatile int longestRunPackets = 1;
    private volatile boolean woken;
    private volatile boolean closed;

    /** One that is woken for every packet. */
    GatheringReceiver() {
        arrivals = new ArrivalPause(ReceiverWaiting.DEFAULT.withPause(Duration.ZERO));
    }

    /** Waits for packets in another way than by being woken for each. */
    final void waitAs(ReceiverWaiting how) {
        arrivals = new ArrivalPause(how);
        bufferBytes = receiveBufferBytes();
        spin = how.spin();
    }

    // ---- What differs

    /**
     * Hands over what is there, {@linkplain #took notes} it, and whether {@linkplain #emptied(boolean) anything is
     * left}.
     *
     * @return number of packets
     */
    abstract int drain(PacketSink into);

    /** Whether packets may be there, as far as that can be found out without a call of the system. */
    abstract boolean mayHavePackets();

    /** Waits until packets are there, {@link #wake} is called, or the time has passed. */
    abstract void await(long nanos);

    /** Waits until {@link #wake} is called, or the time has passed. */
    abstract void pause(long nanos);

    /** Ends waiting. Any thread. */
    abstract void wake();

    /** Closes what packets come from; no thread receives. Idempotent. */
    abstract void closeSource();

    /** Bytes of packets that may arrive before any is lost. */
    long roomBytes() {
        return bufferBytes;
    }

    // ---- What is common

    @Override
    public final int receive(PacketSink into, long deadlineNanos) {
        inUse.lock();
        try {
            if (closed) {
                return 0;
            }
            long now = System.nanoTime();
            boolean paused = pauseNanos > 0 && deadlineNanos - now > 0;
            if (paused) {
                pause(Math.min(deadlineNanos - now, pauseNanos));
                if (closed) {
                    return 0;
                }
                emptied = false;
            }
            // The last look found nothing more: another one before waiting would rarely find anything.
            int count = emptied && deadlineNanos - now > 0 ? 0 : drain(into);
            boolean stillGathers = count == 0 && paused && pausesOn(into);
            if (!stillGathers) {
                count = count == 0 ? await(into, deadlineNanos) : count;
                pausesOn(into);
            }
            drainedBytes = emptied ? 0 : drainedBytes;
            woken = false;
            return count;
        } finally {
            inUse.unlock();
        }
    }

    /** Decides what is next: a pause, or, if none, waiting. */
    private boolean pausesOn(PacketSink into) {
        pauseNanos = 0;
        if (emptied) {
            long now = System.nanoTime();
            long nanosToEnd = into.nanosToEnd(now);
            pauseNanos = arrivals.after(drainedBytes, roomBytes(), into.remainingBytes(), nanosToEnd, now);
            useTimeLeft(into, nanosToEnd, now);
        }
        return pauseNanos > 0;
    }

    private static void useTimeLeft(PacketSink into, long nanosToEnd, long now) {
        if (nanosToEnd >= END_IS_NEAR_NANOS && nanosToEnd <= ArrivalPause.END_MARGIN_NANOS) {
            into.beforeEnd(now);
        } else if (nanosToEnd >= END_IS_FAR_NANOS && nanosToEnd != PacketSink.END_UNKNOWN) {
            into.farFromEnd(now);
        }
    }

    // Others of the same processor get their turn, the thread that waits for frames among them.
    @SuppressWarnings("ThreadPriorityCheck")
    private int await(PacketSink into, long deadlineNanos) {
        long now = System.nanoTime();
        if (deadlineNanos - now <= 0) {
            return 0;
        }
        if (!spin || into.nanosToEnd(now) < 0) {
            await(deadlineNanos - now);
            return closed ? 0 : drain(into);
        }
        int count = 0;
        int looks = 0;
        while (count == 0 && !woken && !closed && deadlineNanos - System.nanoTime() > 0) {
            count = mayHavePackets() ? drain(into) : 0;
            if (count == 0) {
                looks++;
                if (looks % LOOKS_BETWEEN_YIELDS == 0) {
                    now = System.nanoTime();
                    useTimeLeft(into, into.nanosToEnd(now), now);
                    Thread.yield();
                }
                Thread.onSpinWait();
            }
        }
        return count;
    }

    /** Does something that must not meet the closing; nothing once it is closed. */
    final void whileOpen(Runnable task) {
        inUse.lock();
        try {
            if (!closed) {
                task.run();
            }
        } finally {
            inUse.unlock();
        }
    }

    /** Notes what was taken. */
    final void took(int lengthBytes, int packets) {
        drainedBytes += lengthBytes;
        if (packets > longestRunPackets) {
            longestRunPackets = packets;
        }
    }

    /** Bytes that were taken since nothing was left for the last time. */
    final long drainedBytes() {
        return drainedBytes;
    }

    /** Notes whether nothing is left. */
    final void emptied(boolean value) {
        emptied = value;
    }

    @Override
    public final boolean emptied() {
        return emptied;
    }

    @Override
    public final int longestRunPackets() {
        return longestRunPackets;
    }

    @Override
    public final void wakeUp() {
        woken = true;
        wake();
    }

    @Override
    public final void close() {
        closed = true;
        wake();
        inUse.lock();
        try {
            closeSource();
        } finally {
            inUse.unlock();
        }
    }
}
