package io.peregrine.distribution;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a publisher has done. Thread-safe. */
final class PublisherCounters {
    private final LongAdder published = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final AtomicLong largestFlowBytes = new AtomicLong();
    private final AtomicInteger inHand = new AtomicInteger();

    /** Frames that came while no consumer was connected. */
    final LongAdder droppedNoSubscriber = new LongAdder();
    /** Frames that found the queue full. */
    final LongAdder droppedBackPressure = new LongAdder();
    /** Frames of which nothing is known. */
    final LongAdder droppedUnusable = new LongAdder();
    /** Frames that came, or waited, when publishing failed or ended. */
    final LongAdder droppedAfterFailure = new LongAdder();
    /** Frames that were cut off. */
    final LongAdder abandoned = new LongAdder();
    /** Frames that were sent whole to the only consumer that gets them, which left before it had used them. */
    final LongAdder lostWithConsumers = new LongAdder();

    /** What consumers ask of the camera. */
    final FeatureCounters features = new FeatureCounters();

    /** A frame in hand was sent whole. */
    void published(long containerBytes) {
        inHand.decrementAndGet();
        bytes.add(containerBytes);
        published.increment();
    }

    /**
     * A frame in hand was not sent whole.
     *
     * @param cause one of these counters
     */
    void ended(LongAdder cause) {
        // Whoever sees it counted finds its place in the queue free.
        inHand.decrementAndGet();
        cause.increment();
    }

    /** Memory that a frame needs where it is received. */
    void noteSize(long flowBytes) {
        largestFlowBytes.accumulateAndGet(flowBytes, Math::max);
    }

    /** The most of them. */
    long largestFlowBytes() {
        return largestFlowBytes.get();
    }

    /** A frame was taken from the queue: it is in hand until it is counted as {@link #published} or {@link #ended}. */
    void taken() {
        inHand.incrementAndGet();
    }

    /** Frames that are being sent. */
    int inHand() {
        return inHand.get();
    }

    FramePublisher.Statistics statistics() {
        return new FramePublisher.Statistics(
                published.sum(),
                bytes.sum(),
                droppedNoSubscriber.sum(),
                droppedBackPressure.sum(),
                droppedUnusable.sum(),
                droppedAfterFailure.sum(),
                abandoned.sum(),
                lostWithConsumers.sum(),
                features.executed.sum(),
                features.forged.sum(),
                features.replayed.sum(),
                features.tooMany.sum(),
                features.malformed.sum());
    }
}
