package io.peregrine.distribution;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Where consumers can speak to a publisher.
 *
 * @param reachable whether they can at all
 * @param shared whether each frame goes to only one of them, which has to ask for its part there
 * @param port UDP port at the publisher; 0 for shared memory
 * @param features where requests for the camera's features go, if it forwards them
 */
record Contact(boolean reachable, boolean shared, int port, Optional<Features> features) {
    /** None: a publisher of an earlier version. */
    static final Contact NONE = new Contact(false, false, 0);

    private static final int REACHABLE = 1;
    private static final int SHARED = 2;
    private static final int FEATURES = 4;
    private static final int BYTES = 3;
    private static final int FEATURES_BYTES = 18;

    Contact(boolean reachable, boolean shared, int port) {
        this(reachable, shared, port, Optional.empty());
    }

    /**
     * Where requests for features go.
     *
     * @param port UDP port at the publisher; 0 for shared memory
     * @param nonceHigh first half of what makes requests good for this publisher alone
     * @param nonceLow second half
     */
    record Features(int port, long nonceHigh, long nonceLow) {
        byte[] nonce() {
            return ByteBuffer.allocate(FeatureMessage.NONCE_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(nonceHigh)
                    .putLong(nonceLow)
                    .array();
        }
    }

    Contact withFeatures(Optional<Features> value) {
        return new Contact(reachable, shared, port, value);
    }

    /** As in announcements: empty when there is none. */
    byte[] toBytes() {
        if (!reachable) {
            return new byte[0];
        }
        ByteBuffer to = ByteBuffer.allocate(BYTES + (features.isPresent() ? FEATURES_BYTES : 0))
                .order(ByteOrder.LITTLE_ENDIAN);
        to.put((byte) (REACHABLE | (shared ? SHARED : 0) | (features.isPresent() ? FEATURES : 0)));
        to.putShort((short) port);
        features.ifPresent(one -> to.putShort((short) one.port()).put(one.nonce()));
        return to.array();
    }

    /** Reads what is left of an announcement. */
    static Contact read(ByteBuffer from) {
        if (from.remaining() < BYTES) {
            return NONE;
        }
        int flags = from.get();
        int port = Short.toUnsignedInt(from.getShort());
        Optional<Features> features = (flags & FEATURES) != 0 && from.remaining() >= FEATURES_BYTES
                ? Optional.of(new Features(Short.toUnsignedInt(from.getShort()), from.getLong(), from.getLong()))
                : Optional.empty();
        return new Contact((flags & REACHABLE) != 0, (flags & SHARED) != 0, port, features);
    }
}
