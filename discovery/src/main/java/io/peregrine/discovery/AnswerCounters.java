package io.peregrine.discovery;

import java.util.concurrent.atomic.LongAdder;

/** Answers that came to nothing, by cause. */
final class AnswerCounters {
    /** Datagrams that were no well-formed answer. */
    final LongAdder malformed = new LongAdder();
    /** Answers to something that was not asked. */
    final LongAdder stale = new LongAdder();
    /** Datagrams that found no room. */
    final LongAdder lost = new LongAdder();
}
