package io.peregrine.browser.http;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Second confirmations: what is asked for is described first, with a token that carries it out once, for the session
 * that asked and within a limited time. Safe for use by several threads.
 *
 * @param <T> what is confirmed
 */
public final class Confirmations<T> {
    /** How long a token is good. */
    static final Duration LIMIT = Duration.ofMinutes(2);

    private static final int MAX_PENDING = 64;
    private static final int TOKEN_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, Pending<T>> pending = new LinkedHashMap<>();
    private final LongSupplier nanoTime;

    private record Pending<T>(long session, T what, long endNanos) {}

    /** By the clock of the system. */
    public Confirmations() {
        this(System::nanoTime);
    }

    Confirmations(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Gives a token for something that a session asks for. */
    public String ask(Sessions.Session session, T what) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        synchronized (pending) {
            if (pending.size() >= MAX_PENDING) {
                pending.remove(pending.keySet().iterator().next());
            }
            pending.put(token, new Pending<>(session.number(), what, nanoTime.getAsLong() + LIMIT.toNanos()));
        }
        return token;
    }

    /**
     * What a token confirms, once.
     *
     * @throws HttpProblem if it is unknown, of another session, used or too old
     */
    public T take(Sessions.Session session, String token) {
        Pending<T> asked;
        synchronized (pending) {
            asked = pending.get(token);
            if (asked != null && asked.session() == session.number()) {
                pending.remove(token);
            }
        }
        if (asked == null || asked.session() != session.number() || nanoTime.getAsLong() - asked.endNanos() > 0) {
            throw HttpProblem.conflict("this was not asked for, or too long ago: look at it again, then confirm");
        }
        return asked.what();
    }
}
