package io.peregrine.distribution;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a publisher has done. For any number of threads. */
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

    /** A frame was sent whole. */
    void published(long containerBytes) {
        published.increment();
        bytes.add(containerBytes);
    }

    /** Memory that a frame needs where it is received. */
    void noteSize(long flowBytes) {
        largestFlowBytes.accumulateAndGet(flowBytes, Math::max);
    }

    /** The most of them. */
    long largestFlowBytes() {
        return largestFlowBytes.get();
    }

    /** A frame was taken from the queue. */
    void taken() {
        inHand.incrementAndGet();
    }

    /** A frame that was taken has been dealt with. */
    void settled() {
        inHand.decrementAndGet();
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
                lostWithConsumers.sum());
    }
}
