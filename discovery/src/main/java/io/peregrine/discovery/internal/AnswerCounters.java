package io.peregrine.discovery.internal;

import java.util.concurrent.atomic.LongAdder;

/** Dropped answers, by cause. */
final class AnswerCounters {
    /** Datagrams that were no well-formed answer. */
    final LongAdder malformed = new LongAdder();
    /** Answers to other requests. */
    final LongAdder stale = new LongAdder();
    /** Datagrams for which there was no room. */
    final LongAdder lost = new LongAdder();
}
