package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.distribution.FeatureAnswer.Status;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Who may ask for features, and what is refused and counted. */
class FeatureGateTest {
    private static final int STREAM = 77;
    private static final int FROM = 5;

    private final FeatureCounters counters = new FeatureCounters();
    private final FeatureTalk talk = new FeatureTalk(STREAM);
    private final FeatureGate gate = talk.gate(counters);

    private boolean admitted(int from, byte[] message) {
        return admitted(from, message, true, 0);
    }

    private boolean admitted(int from, byte[] message, boolean whole, long now) {
        return gate.admit(from, new UnsafeBuffer(message), 0, message.length, whole, now)
                .isPresent();
    }

    private FeatureKey session(int from, int nonce) {
        assertTrue(admitted(from, talk.hello(nonce)));
        return talk.key(nonce, gate.session(from).orElseThrow().welcome());
    }

    private static String counted(FeatureCounters counters) {
        return "forged " + counters.forged + ", replayed " + counters.replayed + ", too many " + counters.tooMany
                + ", malformed " + counters.malformed;
    }

    private void assertCounted(String expected) {
        assertEquals(expected, counted(counters));
    }

    @Test
    void aRequestOfASessionIsAdmitted() {
        FeatureKey key = session(FROM, 1);
        assertTrue(admitted(FROM, talk.request(1).asPart(key)));
        assertTrue(admitted(FROM, talk.request(2).asPart(key)));
        assertCounted("forged 0, replayed 0, too many 0, malformed 0");
    }

    @Test
    void eachChangedBitOfARequestIsRefused() {
        FeatureKey key = session(FROM, 1);
        byte[] good = talk.request(1).asPart(key);
        int refused = 0;
        for (int bit = 0; bit < good.length * 8; bit++) {
            byte[] changed = good.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            refused += admitted(FROM, changed, true, TimeUnit.SECONDS.toNanos(bit)) ? 0 : 1;
        }
        assertEquals(good.length * 8, refused);
    }

    @Test
    void aRequestWithAnotherKeyIsRefused() {
        session(FROM, 1);
        assertEquals(false, admitted(FROM, talk.request(1).asPart(FeatureKey.of("another key"))));
        assertCounted("forged 1, replayed 0, too many 0, malformed 0");
    }

    @Test
    void aHelloWithAnotherKeyIsRefused() {
        assertEquals(false, admitted(FROM, talk.hello(1, FeatureKey.of("another key"))));
        assertCounted("forged 1, replayed 0, too many 0, malformed 0");
    }

    @Test
    void aRepeatedRequestIsRefused() {
        FeatureKey key = session(FROM, 1);
        byte[] request = talk.request(1).asPart(key);
        admitted(FROM, request);
        assertEquals(false, admitted(FROM, request));
        assertCounted("forged 0, replayed 1, too many 0, malformed 0");
    }

    @Test
    void aRequestThatComesBehindALaterOneIsRefused() {
        FeatureKey key = session(FROM, 1);
        admitted(FROM, talk.request(2).asPart(key));
        assertEquals(false, admitted(FROM, talk.request(1).asPart(key)));
        assertCounted("forged 0, replayed 1, too many 0, malformed 0");
    }

    @Test
    void aRepeatedHelloIsRefused() {
        session(FROM, 1);
        assertEquals(false, admitted(FROM + 1, talk.hello(1)));
        assertCounted("forged 0, replayed 1, too many 0, malformed 0");
    }

    @Test
    void aHelloForAnotherRunOfThePublisherIsRefused() {
        FeatureGate next = talk.gate(counters, 2);
        byte[] hello = talk.hello(1);
        assertEquals(Optional.empty(), next.admit(FROM, new UnsafeBuffer(hello), 0, hello.length, true, 0));
        assertCounted("forged 1, replayed 0, too many 0, malformed 0");
    }

    @Test
    void aRequestOfAnotherSessionIsRefused() {
        FeatureKey key = session(FROM, 1);
        session(FROM + 1, 2);
        assertEquals(false, admitted(FROM + 1, talk.request(1).asPart(key)));
        assertCounted("forged 1, replayed 0, too many 0, malformed 0");
    }

    @Test
    void aRequestOfASessionBeforeIsRefused() {
        FeatureKey key = session(FROM, 1);
        session(FROM, 2);
        assertEquals(false, admitted(FROM, talk.request(1).asPart(key)));
        assertCounted("forged 1, replayed 0, too many 0, malformed 0");
    }

    @Test
    void aRequestWithoutASessionIsRefused() {
        assertEquals(false, admitted(FROM, talk.request(1).asPart(FeatureKey.of("any"))));
        assertCounted("forged 1, replayed 0, too many 0, malformed 0");
    }

    @Test
    void whatThePublisherSaidIsRefusedWhenItComesBack() {
        session(FROM, 1);
        FeatureGate.Session session = gate.session(FROM).orElseThrow();
        byte[] answer = gate.answer(
                session, talk.request(1), new FeatureAnswer(Status.DONE, false, 0, 0, new byte[] {1, 2, 3}));
        assertEquals(false, admitted(FROM, answer) || admitted(FROM, session.welcome()));
        assertCounted("forged 2, replayed 0, too many 0, malformed 0");
    }

    @Test
    void aTruncatedMessageIsRefusedAtAnyLength() {
        FeatureKey key = session(FROM, 1);
        byte[] good = talk.request(1).asPart(key);
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertEquals(false, admitted(FROM, cut, true, TimeUnit.SECONDS.toNanos(length)), "length " + length);
        }
        assertCounted("forged 0, replayed 0, too many 0, malformed " + good.length);
    }

    @Test
    void aMessageInSeveralPacketsIsRefused() {
        assertEquals(false, admitted(FROM, talk.hello(1), false, 0));
        assertCounted("forged 0, replayed 0, too many 0, malformed 1");
    }

    @Test
    void aMessageLongerThanAPacketIsRefused() {
        byte[] longest = FeatureMessage.of(
                        FeatureMessage.Type.WRITE, STREAM, 1, 1, new byte[FeatureMessage.MAX_BODY_BYTES + 1])
                .asPart(FeatureKey.of("any"));
        assertEquals(false, admitted(FROM, longest));
        assertCounted("forged 0, replayed 0, too many 0, malformed 1");
    }

    @Test
    void messagesForAnotherPublisherOfThisHostAreIgnored() {
        FeatureTalk other = new FeatureTalk(STREAM + 1);
        assertEquals(false, admitted(FROM, other.hello(1)));
        assertCounted("forged 0, replayed 0, too many 0, malformed 0");
    }

    @Test
    void aFloodOfStrangersIsNotEvenChecked() {
        byte[] hello = talk.hello(1, FeatureKey.of("another key"));
        for (int i = 0; i < 1000; i++) {
            admitted(i, hello);
        }
        int checked = FeatureGate.STRANGERS_AT_ONCE;
        assertCounted("forged " + checked + ", replayed 0, too many " + (1000 - checked) + ", malformed 0");
    }

    @Test
    void aFloodOfOneStrangerLeavesRoomForOthers() {
        byte[] hello = talk.hello(1, FeatureKey.of("another key"));
        for (int i = 0; i < 1000; i++) {
            admitted(FROM + 1, hello);
        }
        assertTrue(admitted(FROM, talk.hello(2)));
    }

    @Test
    void aFloodOfStrangersLeavesSessionsAlone() {
        FeatureKey key = session(FROM, 1);
        for (int i = 0; i < 1000; i++) {
            admitted(1000 + i, talk.hello(2, FeatureKey.of("another key")));
        }
        assertTrue(admitted(FROM, talk.request(1).asPart(key)));
    }

    @Test
    void thereAreOnlySoManySessions() {
        for (int i = 0; i < FeatureGate.MAX_SESSIONS; i++) {
            session(i, i + 1);
        }
        assertEquals(false, admitted(FeatureGate.MAX_SESSIONS, talk.hello(100)));
        assertCounted("forged 0, replayed 0, too many 1, malformed 0");
    }

    @Test
    void aSessionThatEndsMakesRoom() {
        for (int i = 0; i < FeatureGate.MAX_SESSIONS; i++) {
            session(i, i + 1);
        }
        gate.leave(0);
        assertTrue(admitted(FeatureGate.MAX_SESSIONS, talk.hello(100)));
    }
}
