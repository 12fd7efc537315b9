package io.peregrine.gvcp;

import java.util.concurrent.atomic.LongAdder;

/** The counters behind {@link GvcpStatistics}. */
final class ControlCounters {
    final LongAdder commands = new LongAdder();
    final LongAdder repetitions = new LongAdder();
    final LongAdder timeouts = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder staleAnswers = new LongAdder();
    final LongAdder malformedAnswers = new LongAdder();
    final LongAdder pendingAnswers = new LongAdder();
    final LongAdder resendRequests = new LongAdder();
    final LongAdder resendFailures = new LongAdder();
    final LongAdder heartbeats = new LongAdder();

    GvcpStatistics statistics() {
        return new GvcpStatistics(
                commands.sum(),
                repetitions.sum(),
                timeouts.sum(),
                failures.sum(),
                staleAnswers.sum(),
                malformedAnswers.sum(),
                pendingAnswers.sum(),
                resendRequests.sum(),
                resendFailures.sum(),
                heartbeats.sum());
    }
}
