package io.peregrine.distribution;

import java.util.concurrent.atomic.LongAdder;

/** A consumer as its publisher knows it. Written by the publisher's thread, read by any. */
final class Subscriber {
    private final String address;
    /** Frames that were dropped for all because this one was too slow. */
    final LongAdder heldUp = new LongAdder();
    /** Frames of a shared stream that it got. */
    final LongAdder sent = new LongAdder();
    /** Those that it has used since. */
    final LongAdder used = new LongAdder();
    /** Frames of a shared stream that it got and had not used when it left. */
    final LongAdder lost = new LongAdder();

    private volatile ConsumerReport last;
    private volatile long heardNanos = System.nanoTime();
    private volatile boolean connected = true;

    Subscriber(String address, ConsumerReport first) {
        this.address = address;
        last = first;
    }

    /** Where it is: its IPv4 address, or empty text on this host. */
    String address() {
        return address;
    }

    ConsumerReport last() {
        return last;
    }

    void last(ConsumerReport report) {
        last = report;
        heardNanos = System.nanoTime();
    }

    /** Time since its last report. */
    long silentNanos() {
        return System.nanoTime() - heardNanos;
    }

    boolean connected() {
        return connected;
    }

    void gone() {
        connected = false;
    }

    FramePublisher.Consumer view() {
        ConsumerReport report = last;
        return new FramePublisher.Consumer(
                (address.isEmpty() ? "this host" : address) + ", process " + Integer.toUnsignedString(report.process()),
                connected,
                report.whole(),
                Math.max(0, sent.sum() - used.sum() - lost.sum()),
                heldUp.sum(),
                report.droppedNoFlowSet(),
                report.missed(),
                report.incomplete(),
                lost.sum(),
                report.joins());
    }
}
