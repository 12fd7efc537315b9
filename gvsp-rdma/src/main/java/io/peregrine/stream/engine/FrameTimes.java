package io.peregrine.stream.engine;

import io.peregrine.stream.BlockInfo;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * When the block in a flow set passed the stations on its way to the user, in the time of {@link System#nanoTime()}.
 * Noted of every block, which takes a few reads of the clock, and reported to Flight Recorder if it asks.
 */
public final class FrameTimes {
    /** A time that was not noted. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    /** Null of a block that is not reported. */
    private @Nullable String stream;

    private long firstPacketAt;
    private long lastPacketAt;
    private long lastPacketEpochNanos;
    private long readyAt;
    private long takenAt;

    FrameTimes() {
        clear();
    }

    /** A block begins. */
    void clear() {
        stream = null;
        firstPacketAt = UNKNOWN;
        lastPacketAt = UNKNOWN;
        lastPacketEpochNanos = UNKNOWN;
        readyAt = UNKNOWN;
        takenAt = UNKNOWN;
    }

    // ---- Receiver only

    /** The receiver took its packets. */
    public void packets(long firstNanos, long lastNanos) {
        firstPacketAt = firstNanos;
        lastPacketAt = lastNanos;
    }

    /** When the receiver took its last packet; {@link #UNKNOWN} if that was not noted. */
    public long lastPacketAt() {
        return lastPacketAt;
    }

    /**
     * All of it came.
     *
     * @param from name of the stream; null if it did not come over the network, so that it is not reported
     * @param kernelEpochNanos when the system had its last packet, since 1970; {@link #UNKNOWN} if it does not say
     */
    public void received(@Nullable String from, long kernelEpochNanos) {
        stream = from;
        lastPacketEpochNanos = kernelEpochNanos;
    }

    /** It waits for the user. */
    void ready(long nanos) {
        readyAt = nanos;
    }

    // ---- User only

    /** The user's thread has it. */
    void taken(long nanos) {
        takenAt = nanos;
    }

    /** The user's composite of it is made: reports all times to Flight Recorder, if a recording wants them. */
    public void mapped(BlockInfo block) {
        if (wanted() && stream != null) {
            FrameTimesEvent.commit(this, block, System.nanoTime());
        }
    }

    /**
     * Whether a recording wants the times of frames. Before one was made in this process, no class of an event is
     * loaded, which costs tens of milliseconds.
     */
    public static boolean wanted() {
        return FlightRecorder.isInitialized() && FrameTimesEvent.on();
    }

    // ---- What the event says

    @Nullable
    String stream() {
        return stream;
    }

    long firstPacketAt() {
        return firstPacketAt;
    }

    long lastPacketEpochNanos() {
        return lastPacketEpochNanos;
    }

    long readyAt() {
        return readyAt;
    }

    long takenAt() {
        return takenAt;
    }
}
