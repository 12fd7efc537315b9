package io.peregrine.rocev2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ServingRoleTest {
    private static final long NOW = 1_000_000_000L;

    private final ServingRole role = new ServingRole();
    private final ServingRole.Waiter first = () -> {};
    private final ServingRole.Waiter second = () -> {};

    /** The first one waits, and the port's thread has handed over. */
    private void handOverToFirst() {
        role.arrive(first);
        role.handOver();
    }

    /** The first one served, left at NOW, and no other waits. */
    private void firstIsAway() {
        handOverToFirst();
        role.leave(first, NOW);
    }

    @Test
    void thePortsThreadServesWhileNoOneWaits() {
        assertNull(role.handOver());
        assertEquals(0, role.restNanos(NOW));
    }

    @Test
    void whoArrivesWhileThePortsThreadServesMustWakeIt() {
        assertTrue(role.arrive(first));
        assertFalse(role.serves(first));
    }

    @Test
    void thePortsThreadHandsOverToTheOneThatWaits() {
        role.arrive(first);

        assertSame(first, role.handOver());
        assertTrue(role.serves(first));
    }

    @Test
    void thePortsThreadRestsWhileAnotherServes() {
        handOverToFirst();

        assertEquals(ServingRole.WATCH_NANOS, role.restNanos(NOW));
    }

    @Test
    void oneServesAtATime() {
        handOverToFirst();

        assertFalse(role.arrive(second));
        assertFalse(role.serves(second));
    }

    @Test
    void whoLeavesIsFollowedByTheOneThatWaitsLongest() {
        handOverToFirst();
        role.arrive(second);

        assertSame(second, role.leave(first, NOW));
        assertTrue(role.serves(second));
    }

    @Test
    void whoLeavesWithoutServingChangesNothing() {
        handOverToFirst();
        role.arrive(second);

        assertNull(role.leave(second, NOW));
        assertTrue(role.serves(first));
    }

    @Test
    void whoComesBackSoonServesAgainWithoutThePortsThread() {
        firstIsAway();
        role.restNanos(NOW + ServingRole.MAX_ABSENCE_NANOS - 1);

        assertFalse(role.arrive(first));
        assertTrue(role.serves(first));
    }

    @Test
    void thePortsThreadRestsUntilTheAbsenceIsTooLong() {
        firstIsAway();

        assertEquals(ServingRole.MAX_ABSENCE_NANOS - 10, role.restNanos(NOW + 10));
    }

    @Test
    void thePortsThreadServesWhenTheOneThatLeftDoesNotComeBack() {
        firstIsAway();

        assertEquals(0, role.restNanos(NOW + ServingRole.MAX_ABSENCE_NANOS));
        assertTrue(role.arrive(first));
    }

    @Test
    void whatCannotWaitBringsThePortsThreadBack() {
        firstIsAway();

        assertTrue(role.recall());
        assertEquals(0, role.restNanos(NOW));
    }

    @Test
    void noOneIsRecalledWhileAnotherServes() {
        handOverToFirst();

        assertFalse(role.recall());
        assertTrue(role.serves(first));
    }

    @Test
    void noOneIsRecalledWhileThePortsThreadServes() {
        assertFalse(role.recall());
    }
}
