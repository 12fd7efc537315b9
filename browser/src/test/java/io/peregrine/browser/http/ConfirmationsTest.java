package io.peregrine.browser.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** A second confirmation is good once, in time, and for who asked. */
class ConfirmationsTest {
    private static final Sessions.Session ME = new Sessions.Session(1, Role.CONTROL);
    private static final Sessions.Session OTHER = new Sessions.Session(2, Role.CONTROL);

    private long now;
    private final Confirmations<String> confirmations = new Confirmations<>(() -> now);

    private void refused(Sessions.Session session, String token) {
        assertEquals(
                409,
                assertThrows(HttpProblem.class, () -> confirmations.take(session, token))
                        .status());
    }

    @Test
    void whatWasAskedForIsConfirmed() {
        assertEquals("move", confirmations.take(ME, confirmations.ask(ME, "move")));
    }

    @Test
    void aTokenIsGoodOnce() {
        String token = confirmations.ask(ME, "move");
        confirmations.take(ME, token);
        refused(ME, token);
    }

    @Test
    void anotherSessionConfirmsNothing() {
        refused(OTHER, confirmations.ask(ME, "move"));
    }

    @Test
    void anotherSessionUsesUpNothing() {
        String token = confirmations.ask(ME, "move");
        refused(OTHER, token);
        assertEquals("move", confirmations.take(ME, token));
    }

    @Test
    void aTokenAgesOut() {
        String token = confirmations.ask(ME, "move");
        now += Confirmations.LIMIT.toNanos() + 1;
        refused(ME, token);
    }

    @Test
    void aMadeUpTokenIsRefused() {
        refused(ME, "move");
    }

    @Test
    void theOldestIsForgottenWhenThereAreTooMany() {
        String first = confirmations.ask(ME, "first");
        for (int i = 0; i < 64; i++) {
            confirmations.ask(ME, "more");
        }
        refused(ME, first);
    }
}
