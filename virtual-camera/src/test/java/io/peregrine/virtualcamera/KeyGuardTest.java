package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class KeyGuardTest {
    /** Below zero, as the clock of a host may be. */
    private final AtomicLong now = new AtomicLong(-5);

    private final KeyGuard guard = new KeyGuard(now::get);

    private static InetAddress address(int number) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, (byte) (number >> 8), (byte) number});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private void wrong(int address, int times) {
        for (int i = 0; i < times; i++) {
            guard.wrong(address(address));
        }
    }

    private void pass(long seconds) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void twoWrongKeysAreForgiven() {
        wrong(1, 2);
        assertTrue(guard.admits(address(1)));
    }

    @Test
    void theThirdWrongKeyClosesTheDoor() {
        wrong(1, 3);
        assertFalse(guard.admits(address(1)));
    }

    @Test
    void theDoorOpensAgainAfterASecond() {
        wrong(1, 3);
        pass(1);
        assertTrue(guard.admits(address(1)));
    }

    @Test
    void eachFurtherWrongKeyDoublesTheTime() {
        wrong(1, 5);
        pass(3);
        assertFalse(guard.admits(address(1)));
        pass(1);
        assertTrue(guard.admits(address(1)));
    }

    @Test
    void noTimeIsLongerThanTenMinutes() {
        wrong(1, 1000);
        pass(600);
        assertTrue(guard.admits(address(1)));
    }

    @Test
    void otherAddressesAreNotHeldUp() {
        wrong(1, 3);
        assertTrue(guard.admits(address(2)));
    }

    @Test
    void inventedAddressesGainNothing() {
        int looked = 0;
        for (int i = 0; i < 10_000; i++) {
            if (guard.admits(address(i))) {
                guard.wrong(address(i));
                looked++;
            }
        }
        // One from each that is remembered, and three from all others.
        assertEquals(67, looked);
    }

    @Test
    void anotherKeyIsAnotherGame() {
        wrong(1, 3);
        guard.forget();
        assertTrue(guard.admits(address(1)));
    }
}
