package io.peregrine.browser.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who may use the server: one-time tokens, and the sessions that they were exchanged for. Kept in memory, so that all
 * end with the server. Safe for use by several threads.
 */
public final class Sessions {
    /** Tokens that were given out and not used; the oldest makes room. */
    static final int MAX_TOKENS = 32;

    /** The oldest session makes room. */
    static final int MAX_SESSIONS = 64;

    private static final int SECRET_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, Role> tokens = new LinkedHashMap<>();
    private final Map<String, Session> sessions = new LinkedHashMap<>();
    private long count;

    /**
     * One browser that has logged in.
     *
     * @param number counts sessions from 1; names it in the page
     * @param role what it may do
     */
    public record Session(long number, Role role) {}

    /** Gives out a token that is good for one login. */
    public synchronized String newToken(Role role) {
        makeRoom(tokens, MAX_TOKENS);
        String token = secret();
        tokens.put(token, role);
        return token;
    }

    /**
     * Exchanges a token for a session.
     *
     * @return the secret of the session; empty if the token is unknown or was used
     */
    public synchronized Optional<String> login(String token) {
        Optional<String> known = find(tokens, token);
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Role role = tokens.remove(known.get());
        makeRoom(sessions, MAX_SESSIONS);
        String secret = secret();
        sessions.put(secret, new Session(++count, role));
        return Optional.of(secret);
    }

    /** The session of a secret. */
    public synchronized Optional<Session> session(String secret) {
        return find(sessions, secret).map(sessions::get);
    }

    /** Compares with every secret in constant time. */
    private static Optional<String> find(Map<String, ?> secrets, String given) {
        byte[] wanted = given.getBytes(StandardCharsets.UTF_8);
        String found = null;
        for (String secret : secrets.keySet()) {
            if (MessageDigest.isEqual(secret.getBytes(StandardCharsets.UTF_8), wanted)) {
                found = secret;
            }
        }
        return Optional.ofNullable(found);
    }

    private static void makeRoom(Map<String, ?> secrets, int most) {
        while (secrets.size() >= most) {
            secrets.remove(secrets.keySet().iterator().next());
        }
    }

    private String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
