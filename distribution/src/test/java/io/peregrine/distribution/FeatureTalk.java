package io.peregrine.distribution;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** What a consumer that has the key says to the publisher of a stream. */
final class FeatureTalk {
    private static final FeatureKey KEY = FeatureKey.of("00112233445566778899aabbccddeeff");
    private static final int LANE = 9;
    private static final int PORT = 40_000;

    private final int stream;

    FeatureTalk(int stream) {
        this.stream = stream;
    }

    private static byte[] nonce(int number) {
        byte[] nonce = new byte[FeatureMessage.NONCE_BYTES];
        Arrays.fill(nonce, (byte) number);
        return nonce;
    }

    FeatureGate gate(FeatureCounters counters) {
        return gate(counters, 1);
    }

    /** Of the run with a nonce. */
    FeatureGate gate(FeatureCounters counters, int run) {
        return new FeatureGate(KEY, nonce(run), stream, counters, 0);
    }

    byte[] hello(int nonce) {
        return hello(nonce, KEY);
    }

    byte[] hello(int nonce, FeatureKey key) {
        byte[] body = ByteBuffer.allocate(FeatureMessage.NONCE_BYTES + 2)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(nonce(nonce))
                .putShort((short) PORT)
                .array();
        return FeatureMessage.of(FeatureMessage.Type.HELLO, stream, LANE, 0, body)
                .asHello(key, nonce(1));
    }

    /** Key of the session that a welcome begins. */
    FeatureKey key(int nonce, byte[] welcome) {
        FeatureMessage message = FeatureMessage.parse(new UnsafeBuffer(welcome), 0, welcome.length)
                .filter(one -> one.isWelcome(KEY, nonce(1), nonce(nonce)))
                .orElseThrow();
        byte[] publisher = new byte[FeatureMessage.NONCE_BYTES];
        message.body().get(publisher);
        return FeatureMessage.session(KEY, nonce(1), nonce(nonce), publisher);
    }

    FeatureMessage request(long counter) {
        return FeatureMessage.of(
                FeatureMessage.Type.READ, stream, LANE, counter, new byte[] {0, 1, 0, 0, 0, 0, 0, 0, 4, 0});
    }
}
