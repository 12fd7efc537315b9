package io.peregrine.distribution;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** The results of requests for features. Thread-safe. */
final class FeatureCounters {
    /** Requests that were executed, whatever the camera said to them. */
    final LongAdder executed = new LongAdder();
    /** Messages without the code that the key gives, or of no session. */
    final LongAdder forged = new LongAdder();
    /** Messages that had come before. */
    final LongAdder replayed = new LongAdder();
    /** Messages of more programs, or more often, than is possible. */
    final LongAdder tooMany = new LongAdder();
    /** Messages that are none. */
    final LongAdder malformed = new LongAdder();

    void diagnosis(List<String> found) {
        if (forged.sum() > 0) {
            found.add(forged.sum() + " requests for features were refused because their code is wrong: a program has"
                    + " another key (FeaturesKeyFile), or another host forges requests");
        }
        if (replayed.sum() > 0) {
            found.add(replayed.sum() + " requests for features were refused because they had come before: another host"
                    + " repeats what it has seen in the network");
        }
        if (tooMany.sum() > 0) {
            found.add(tooMany.sum() + " requests for features were refused because they were too many: more than "
                    + FeatureGate.MAX_SESSIONS + " programs, or one that floods this host");
        }
        if (malformed.sum() > 0) {
            found.add(malformed.sum() + " requests for features were malformed: another program sends to this"
                    + " publisher, or has another version");
        }
    }
}
