package io.peregrine.distribution;

import io.aeron.ExclusivePublication;
import io.peregrine.distribution.FrameWriter.Outcome;
import io.peregrine.recording.FrameContainer;
import org.jspecify.annotations.Nullable;

/** The way of frames to one consumer of a shared stream. For the publisher's thread. */
final class WorkerLane {
    private final ExclusivePublication log;
    private final FrameWriter writer;
    private final Subscriber worker;
    private final int session;
    private final PublisherCounters counters;

    private @Nullable WaitingFrame current;
    private long currentBytes;
    /** Frames that were begun: their numbers on this lane, so that a gap in them is a loss. */
    private long begun;

    private long done;
    /** When it got one, by the number of the frame. */
    private long lastTaken;

    WorkerLane(
            ExclusivePublication log, int datagramBytes, Subscriber worker, int session, PublisherCounters counters) {
        this.log = log;
        this.worker = worker;
        this.session = session;
        this.counters = counters;
        writer = new FrameWriter(log, datagramBytes);
    }

    int session() {
        return session;
    }

    long registrationId() {
        return log.registrationId();
    }

    boolean connected() {
        return log.isConnected();
    }

    /** Whether a frame is being written. */
    boolean busy() {
        return current != null;
    }

    /** Frames that it got and has not used. */
    long held() {
        return begun - done;
    }

    /** Whether it has memory for another frame, and nothing else is on its way there. */
    boolean ready() {
        return current == null && held() < worker.last().capacity() && log.isConnected();
    }

    /** Whether a frame goes here rather than there: it holds fewer, or waits for a longer time. */
    boolean before(WorkerLane other) {
        return held() < other.held() || (held() == other.held() && lastTaken < other.lastTaken);
    }

    /** Hears what the worker has done. One that claims more than it got is not believed. */
    void update() {
        long reported = worker.last().done();
        if (worker.last().lane() == session && reported > done && reported <= begun) {
            worker.used.add(reported - done);
            done = reported;
        }
    }

    /** Takes a frame, to be written turn by turn. */
    void take(WaitingFrame frame, FrameContainer container, long number) {
        lastTaken = number;
        current = frame;
        currentBytes = container.sizeBytes();
        begun++;
        worker.sent.increment();
        writer.begin(container, begun);
    }

    /**
     * Writes what there is room for.
     *
     * @return whether the rest of a frame waits for room
     */
    boolean turn() {
        WaitingFrame frame = current;
        if (frame == null) {
            return false;
        }
        Outcome outcome = writer.write();
        if (outcome == Outcome.WRITTEN) {
            current = null;
            frame.close();
            counters.published(currentBytes);
        }
        return outcome == Outcome.FULL;
    }

    /** Says that nothing more comes; returns whether that is in the log, or no one listens. */
    boolean writeEnd() {
        return writer.writeEnd() != Outcome.FULL;
    }

    /** Ends it, orderly. */
    void close() {
        WaitingFrame frame = current;
        if (frame != null) {
            current = null;
            frame.close();
            counters.ended(counters.abandoned);
        }
        log.close();
    }

    /** Ends it: the worker is gone, and with it what it held. */
    void lose() {
        worker.lost.add(held());
        counters.lostWithConsumers.add(held() - (current == null ? 0 : 1));
        close();
    }
}
