package io.peregrine.distribution;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * What a consumer that reads and writes features says to the publisher, and what that answers; little-endian, in one
 * packet.
 *
 * <pre>
 *  0  PGFT          4 bytes
 *  4  version, 1    1 byte
 *  5  type          1 byte
 *  6  length        2 bytes  of the body
 *  8  session       4 bytes  of the stream, as announced
 * 12  lane          4 bytes  session under which the consumer expects answers
 * 16  counter       8 bytes  of the request; larger with each one
 * 24  body
 *     code         32 bytes  HMAC-SHA256 of all before it
 * </pre>
 *
 * <p>A hello has a nonce of the consumer in its body, and the welcome one of the publisher. Both have codes by the key
 * that is shared, over the nonce that the publisher announces, too. All three nonces and the key make the key of what
 * follows.
 */
final class FeatureMessage {
    /** Aeron stream of what consumers say. */
    static final int REQUESTS_STREAM_ID = 0x504A;
    /** Aeron stream of what the publisher answers. */
    static final int ANSWERS_STREAM_ID = 0x504B;

    static final int NONCE_BYTES = 16;
    static final int HEADER_BYTES = 24;
    static final int MAX_BODY_BYTES = 1100;
    /** Packets of these streams. */
    static final int MTU_BYTES = 1280;

    private static final int MAGIC = 'P' | 'G' << 8 | 'F' << 16 | 'T' << 24;
    private static final int VERSION = 1;
    private static final byte[] HELLO = label("peregrine features 1 hello");
    private static final byte[] WELCOME = label("peregrine features 1 welcome");
    private static final byte[] SESSION = label("peregrine features 1 session");

    /** What it is about. Those of consumers are no answers, so that none of them can be sent back to one. */
    enum Type {
        /** A consumer wants a session: its nonce, and the UDP port for answers (2 bytes). */
        HELLO,
        /** It has one: the publisher's nonce. */
        WELCOME,
        /** What is at several places: for each, address (8 bytes) and length (2 bytes). */
        READ,
        /** Bytes for one place: address (8 bytes) and bytes. */
        WRITE,
        /** How the publisher is. */
        STATE,
        /** The result of a request: see {@link FeatureAnswer}. */
        ANSWER;

        private static final Type[] ALL = values();

        private byte code() {
            return (byte) (ordinal() + 1);
        }
    }

    private final Type type;
    private final int session;
    private final int lane;
    private final long counter;
    /** Without the code. */
    private final byte[] bytes;

    private final byte[] code;

    private FeatureMessage(Type type, int session, int lane, long counter, byte[] bytes, byte[] code) {
        this.type = type;
        this.session = session;
        this.lane = lane;
        this.counter = counter;
        this.bytes = bytes;
        this.code = code;
    }

    private static byte[] label(String text) {
        // The end is marked, so that no label is the beginning of another one with data.
        return (text + "\0").getBytes(StandardCharsets.US_ASCII);
    }

    /** One that is not coded yet. */
    static FeatureMessage of(Type type, int session, int lane, long counter, byte[] body) {
        byte[] bytes = ByteBuffer.allocate(HEADER_BYTES + body.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .put((byte) VERSION)
                .put(type.code())
                .putShort((short) body.length)
                .putInt(session)
                .putInt(lane)
                .putLong(counter)
                .put(body)
                .array();
        return new FeatureMessage(type, session, lane, counter, bytes, new byte[0]);
    }

    /** Reads one, whatever is there; empty when it is none. Its code is not checked. */
    static Optional<FeatureMessage> parse(DirectBuffer from, int at, int length) {
        int body = length - HEADER_BYTES - FeatureKey.CODE_BYTES;
        if (body < 0
                || body > MAX_BODY_BYTES
                || from.getInt(at, ByteOrder.LITTLE_ENDIAN) != MAGIC
                || from.getByte(at + 4) != VERSION
                || (from.getShort(at + 6, ByteOrder.LITTLE_ENDIAN) & 0xFFFF) != body) {
            return Optional.empty();
        }
        int type = from.getByte(at + 5) - 1;
        long counter = from.getLong(at + 16, ByteOrder.LITTLE_ENDIAN);
        if (type < 0 || type >= Type.ALL.length || counter < 0) {
            return Optional.empty();
        }
        byte[] bytes = new byte[HEADER_BYTES + body];
        byte[] code = new byte[FeatureKey.CODE_BYTES];
        from.getBytes(at, bytes);
        from.getBytes(at + bytes.length, code);
        return Optional.of(new FeatureMessage(
                Type.ALL[type],
                from.getInt(at + 8, ByteOrder.LITTLE_ENDIAN),
                from.getInt(at + 12, ByteOrder.LITTLE_ENDIAN),
                counter,
                bytes,
                code));
    }

    /** As a hello, under the nonce that is announced. */
    byte[] asHello(FeatureKey shared, byte[] announced) {
        return coded(shared.code(HELLO, announced, bytes));
    }

    boolean isHello(FeatureKey shared, byte[] announced) {
        return type == Type.HELLO && has(shared.code(HELLO, announced, bytes));
    }

    /** As the answer to the hello with a nonce. */
    byte[] asWelcome(FeatureKey shared, byte[] announced, byte[] consumer) {
        return coded(shared.code(WELCOME, announced, consumer, bytes));
    }

    boolean isWelcome(FeatureKey shared, byte[] announced, byte[] consumer) {
        return type == Type.WELCOME && has(shared.code(WELCOME, announced, consumer, bytes));
    }

    /** The key of what follows. */
    static FeatureKey session(FeatureKey shared, byte[] announced, byte[] consumer, byte[] publisher) {
        return shared.derive(SESSION, announced, consumer, publisher);
    }

    /** As part of a session. */
    byte[] asPart(FeatureKey key) {
        return coded(key.code(bytes));
    }

    boolean isPart(FeatureKey key) {
        return has(key.code(bytes));
    }

    private byte[] coded(byte[] by) {
        byte[] whole = Arrays.copyOf(bytes, bytes.length + by.length);
        System.arraycopy(by, 0, whole, bytes.length, by.length);
        return whole;
    }

    private boolean has(byte[] expected) {
        return MessageDigest.isEqual(expected, code);
    }

    Type type() {
        return type;
    }

    int session() {
        return session;
    }

    int lane() {
        return lane;
    }

    long counter() {
        return counter;
    }

    /** Little-endian. */
    ByteBuffer body() {
        return ByteBuffer.wrap(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
    }
}
