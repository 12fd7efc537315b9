package io.peregrine.distribution;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;

/** Whatever strangers send for features: nothing is thrown, nothing is admitted, and all of it is counted. */
class FeatureGateFuzzTest {
    private static final int STREAM = 77;
    private static final int FROM = 5;

    private final FeatureTalk talk = new FeatureTalk(STREAM);

    /** Messages of any content: each has its length in front. */
    @FuzzTest(maxDuration = "60s")
    void admitsNothingThatHasNoCode(byte[] input) {
        FeatureCounters counters = new FeatureCounters();
        FeatureGate gate = talk.gate(counters);
        UnsafeBuffer bytes = new UnsafeBuffer(input);
        int at = 0;
        while (at < input.length) {
            int length = Math.min(input[at] & 0xFF, input.length - at - 1);
            if (gate.admit(FROM, bytes, at + 1, length, true, 0).isPresent()) {
                throw new AssertionError("A message was admitted");
            }
            at += 1 + length;
        }
    }

    /** Good messages, of which each byte can be changed: what is admitted is one that was sent, once. */
    @FuzzTest(maxDuration = "60s")
    void admitsNoChangedMessage(byte[] edits) {
        FeatureCounters counters = new FeatureCounters();
        FeatureGate gate = talk.gate(counters);
        byte[] hello = talk.hello(1);
        gate.admit(FROM, new UnsafeBuffer(hello), 0, hello.length, true, 0);
        FeatureKey key = talk.key(1, gate.session(FROM).orElseThrow().welcome());
        long counter = 0;
        long last = 0;
        for (int i = 0; i + 1 < edits.length; i += 2) {
            byte[] message = talk.request(++counter).asPart(key);
            int place = (edits[i] & 0xFF) % message.length;
            message[place] ^= edits[i + 1];
            Optional<FeatureMessage> admitted = gate.admit(FROM, new UnsafeBuffer(message), 0, message.length, true, 0);
            if (admitted.isPresent() != (edits[i + 1] == 0)) {
                throw new AssertionError("Byte " + place + " changed by " + edits[i + 1] + ": " + admitted.isPresent());
            }
            if (admitted.isPresent() && admitted.get().counter() <= last) {
                throw new AssertionError("A request was repeated");
            }
            last = admitted.map(FeatureMessage::counter).orElse(last);
        }
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
