package io.peregrine.distribution;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/** Whatever strangers send for features: nothing is thrown, nothing is admitted, and all of it is counted. */
class FeatureGateFuzzTest {
    private static final int STREAM = 77;
    private static final int FROM = 5;
    /** Place of the session of the stream in a message. */
    private static final int SESSION_AT = 8;

    private final FeatureTalk talk = new FeatureTalk(STREAM);

    /** Messages of any content, each of another stranger: each has its length in front. */
    @FuzzTest(maxDuration = "60s")
    void admitsNothingThatHasNoCode(byte[] input) {
        FeatureCounters counters = new FeatureCounters();
        FeatureGate gate = talk.gate(counters);
        byte[] hello = talk.hello(1);
        UnsafeBuffer bytes = new UnsafeBuffer(input);
        int at = 0;
        for (int from = FROM; at < input.length; from++) {
            int length = Math.min(input[at] & 0xFF, input.length - at - 1);
            byte[] message = Arrays.copyOfRange(input, at + 1, at + 1 + length);
            if (gate.admit(from, bytes, at + 1, length, true, 0).isPresent() && !Arrays.equals(message, hello)) {
                throw new AssertionError("A message was admitted");
            }
            at += 1 + length;
        }
    }

    /**
     * Requests of a session, three bytes for each: what happens to it, where, and how. Admitted is what was not
     * changed, once, and all else is counted.
     */
    @FuzzTest(maxDuration = "60s")
    void admitsEachRequestOnceAndNoChangedOne(byte[] edits) {
        FeatureCounters counters = new FeatureCounters();
        FeatureGate gate = talk.gate(counters);
        byte[] hello = talk.hello(1);
        gate.admit(FROM, new UnsafeBuffer(hello), 0, hello.length, true, 0);
        FeatureKey key = talk.key(1, gate.session(FROM).orElseThrow().welcome());
        byte[] last = hello;
        for (int i = 0; i + 2 < edits.length; i += 3) {
            byte[] good = talk.request(i + 1).asPart(key);
            int place = (edits[i + 1] & 0xFF) % good.length;
            byte[] message = good.clone();
            int from = FROM;
            switch (edits[i] & 3) {
                case 0 -> message[place] ^= edits[i + 2];
                case 1 -> message = Arrays.copyOf(good, place);
                case 2 -> message = last;
                default -> from = FROM + 1;
            }
            boolean expected = from == FROM && Arrays.equals(message, good);
            boolean ignored = message.length == good.length && session(message) != session(good);
            long before = refused(counters);
            boolean admitted = gate.admit(
                            from, new UnsafeBuffer(message), 0, message.length, true, TimeUnit.SECONDS.toNanos(i + 1))
                    .isPresent();
            if (admitted != expected || refused(counters) - before != (expected || ignored ? 0 : 1)) {
                throw new AssertionError("Request " + i + ": " + admitted + " instead of " + expected + ", counted "
                        + (refused(counters) - before));
            }
            last = admitted ? message : last;
        }
    }

    private static int session(byte[] message) {
        return new UnsafeBuffer(message).getInt(SESSION_AT);
    }

    private static long refused(FeatureCounters counters) {
        return counters.forged.sum() + counters.replayed.sum() + counters.tooMany.sum() + counters.malformed.sum();
    }

    /** Bodies of any content. */
    @FuzzTest(maxDuration = "60s")
    void readsAnyAnswer(byte[] body) {
        Optional<FeatureAnswer> answer = FeatureAnswer.parse(ByteBuffer.wrap(body));
        if (answer.isPresent() && answer.get().data().length > body.length) {
            throw new AssertionError("More than there is");
        }
    }
}
