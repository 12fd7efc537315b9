package io.peregrine.distribution;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which messages of consumers are requests of those who have the key. Work and memory for all others are
 * bounded. For one thread.
 */
final class FeatureGate {
    static final int MAX_SESSIONS = 16;
    /** Messages of those without a session, all together: about a hundredth of a processor's time. */
    static final int STRANGERS_A_SECOND = 1000;

    static final int STRANGERS_AT_ONCE = 200;
    /** Messages of one of them, so that a flood of one leaves room for others. */
    static final int STRANGER_A_SECOND = 5;

    static final int STRANGER_AT_ONCE = 10;

    private static final int REMEMBERED_STRANGERS = 1024;
    private static final int REMEMBERED_HELLOS = 1024;
    private static final int REQUESTS_A_SECOND = 5000;
    private static final int REQUESTS_AT_ONCE = 500;

    private final FeatureKey shared;
    private final byte[] announced;
    private final int stream;
    private final FeatureCounters counters;
    private final SecureRandom random = new SecureRandom();
    private final Pace strangers;
    /** By the session under which each sends, the one that was silent longest first. */
    private final Map<Integer, Pace> strangerPaces = new LinkedHashMap<>(16, 0.75f, true);

    /** By the session under which each sends. */
    private final Map<Integer, Session> sessions = new HashMap<>();

    private final Deque<String> hellos = new ArrayDeque<>();

    /**
     * Knows no one yet.
     *
     * @param announced nonce that announcements have
     * @param stream session of the stream: what is about another is not for this publisher
     */
    FeatureGate(FeatureKey shared, byte[] announced, int stream, FeatureCounters counters, long now) {
        this.shared = shared;
        this.announced = announced.clone();
        this.stream = stream;
        this.counters = counters;
        strangers = new Pace(STRANGERS_A_SECOND, STRANGERS_AT_ONCE, now);
    }

    /** A consumer that has shown that it has the key. */
    static final class Session {
        private final FeatureKey key;
        private final byte[] welcome;
        private final int lane;
        private final int port;
        private final Pace pace;
        private long last;

        private Session(FeatureKey key, byte[] welcome, int lane, int port, long now) {
            this.key = key;
            this.welcome = welcome;
            this.lane = lane;
            this.port = port;
            pace = new Pace(REQUESTS_A_SECOND, REQUESTS_AT_ONCE, now);
        }

        byte[] welcome() {
            return welcome;
        }

        int lane() {
            return lane;
        }

        /** UDP port where it expects answers. */
        int port() {
            return port;
        }

        Pace pace() {
            return pace;
        }
    }

    /**
     * Decides about a message.
     *
     * @param from session under which it was sent
     * @param whole whether it came in one packet
     * @return a request, or a hello for which there is a session now; empty for what was refused and counted, and for
     *     what is not for this publisher
     */
    Optional<FeatureMessage> admit(int from, DirectBuffer buffer, int offset, int length, boolean whole, long now) {
        Optional<FeatureMessage> read = whole ? FeatureMessage.parse(buffer, offset, length) : Optional.empty();
        if (read.isPresent() && read.get().session() != stream) {
            return Optional.empty();
        }
        Session session = sessions.get(from);
        if (session == null || read.filter(FeatureGate::request).isEmpty()) {
            if (!heard(from, now)) {
                counters.tooMany.increment();
                return Optional.empty();
            }
        }
        if (read.isEmpty()) {
            counters.malformed.increment();
            return Optional.empty();
        }
        FeatureMessage message = read.get();
        boolean admitted = switch (message.type()) {
            case HELLO -> hello(from, message, now);
            case READ, WRITE, STATE -> part(session, message);
            case WELCOME, ANSWER -> {
                // A publisher said that, and none is here.
                counters.forged.increment();
                yield false;
            }
        };
        return admitted ? read : Optional.empty();
    }

    /** Whether a message of a stranger is looked at. */
    private boolean heard(int from, long now) {
        Pace own = strangerPaces.computeIfAbsent(from, id -> new Pace(STRANGER_A_SECOND, STRANGER_AT_ONCE, now));
        if (strangerPaces.size() > REMEMBERED_STRANGERS) {
            strangerPaces.remove(strangerPaces.keySet().iterator().next());
        }
        if (!own.ready(now) || !strangers.ready(now)) {
            return false;
        }
        own.spend();
        strangers.spend();
        return true;
    }

    private static boolean request(FeatureMessage message) {
        return switch (message.type()) {
            case READ, WRITE, STATE -> true;
            case HELLO, WELCOME, ANSWER -> false;
        };
    }

    private boolean hello(int from, FeatureMessage message, long now) {
        if (!message.isHello(shared, announced)) {
            counters.forged.increment();
            return false;
        }
        ByteBuffer body = message.body();
        if (body.remaining() != FeatureMessage.NONCE_BYTES + Short.BYTES) {
            counters.malformed.increment();
            return false;
        }
        byte[] consumer = new byte[FeatureMessage.NONCE_BYTES];
        int port = body.get(consumer).getShort() & 0xFFFF;
        String name = HexFormat.of().formatHex(consumer);
        if (hellos.contains(name)) {
            counters.replayed.increment();
            return false;
        }
        if (sessions.size() >= MAX_SESSIONS && !sessions.containsKey(from)) {
            counters.tooMany.increment();
            return false;
        }
        hellos.add(name);
        if (hellos.size() > REMEMBERED_HELLOS) {
            // Repeated now, it takes a session, and can say nothing in it.
            hellos.remove();
        }
        byte[] publisher = new byte[FeatureMessage.NONCE_BYTES];
        random.nextBytes(publisher);
        byte[] welcome = FeatureMessage.of(FeatureMessage.Type.WELCOME, stream, message.lane(), 0, publisher)
                .asWelcome(shared, announced, consumer);
        FeatureKey key = FeatureMessage.session(shared, announced, consumer, publisher);
        sessions.put(from, new Session(key, welcome, message.lane(), port, now));
        return true;
    }

    private boolean part(@Nullable Session session, FeatureMessage message) {
        if (session == null || !message.isPart(session.key)) {
            counters.forged.increment();
            return false;
        }
        if (message.counter() <= session.last) {
            counters.replayed.increment();
            return false;
        }
        session.last = message.counter();
        return true;
    }

    /** The session of one who sends; empty for a stranger. */
    Optional<Session> session(int from) {
        return Optional.ofNullable(sessions.get(from));
    }

    /** An answer to a request that was admitted. */
    byte[] answer(Session session, FeatureMessage request, FeatureAnswer answer) {
        return FeatureMessage.of(FeatureMessage.Type.ANSWER, stream, session.lane, request.counter(), answer.toBytes())
                .asPart(session.key);
    }

    /** It is gone. */
    void leave(int from) {
        sessions.remove(from);
    }
}
