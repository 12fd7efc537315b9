package io.peregrine.distribution;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The result of a request, as the body of a message: status, whether settings are locked (1 byte each), how often
 * anything was changed at the publisher before and after (8 bytes each), then the bytes that were read, or why the
 * request failed.
 */
final class FeatureAnswer {
    static final int MAX_DATA_BYTES = 1024;
    private static final int FIXED_BYTES = 18;

    /** How a request ended, as a user of the camera itself learns it. */
    enum Status {
        /** Done. */
        DONE,
        /** The camera refused it, or there is no such register. */
        REFUSED,
        /** Another application controls the camera. */
        DENIED,
        /** The camera did not answer. */
        TIMEOUT,
        /** The publisher has lost the camera, or closed it. */
        LOST;

        private static final Status[] ALL = values();
    }

    private final Status status;
    private final boolean locked;
    private final long before;
    private final long after;
    private final byte[] data;

    /**
     * Makes one.
     *
     * @param locked whether the camera streams, so that some of its features are locked
     * @param before changes before the request
     * @param after changes after it
     * @param data what was read, or a text in UTF-8
     */
    FeatureAnswer(Status status, boolean locked, long before, long after, byte[] data) {
        this.status = status;
        this.locked = locked;
        this.before = before;
        this.after = after;
        this.data = data;
    }

    /** With a reason in the place of data. */
    static FeatureAnswer failed(Status status, boolean locked, long before, long after, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        return new FeatureAnswer(
                status,
                locked,
                before,
                after,
                text.length > MAX_DATA_BYTES ? Arrays.copyOf(text, MAX_DATA_BYTES) : text);
    }

    byte[] toBytes() {
        return ByteBuffer.allocate(FIXED_BYTES + data.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) status.ordinal())
                .put((byte) (locked ? 1 : 0))
                .putLong(before)
                .putLong(after)
                .put(data)
                .array();
    }

    /** Empty when it is none. */
    static Optional<FeatureAnswer> parse(ByteBuffer message) {
        ByteBuffer body = message.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (body.remaining() < FIXED_BYTES) {
            return Optional.empty();
        }
        int status = body.get();
        int locked = body.get();
        if (status < 0 || status >= Status.ALL.length) {
            return Optional.empty();
        }
        long before = body.getLong();
        long after = body.getLong();
        byte[] data = new byte[body.remaining()];
        body.get(data);
        return Optional.of(new FeatureAnswer(Status.ALL[status], locked != 0, before, after, data));
    }

    Status status() {
        return status;
    }

    boolean locked() {
        return locked;
    }

    long before() {
        return before;
    }

    long after() {
        return after;
    }

    byte[] data() {
        return data;
    }

    /** Why it failed. */
    String reason() {
        return new String(data, StandardCharsets.UTF_8);
    }
}
