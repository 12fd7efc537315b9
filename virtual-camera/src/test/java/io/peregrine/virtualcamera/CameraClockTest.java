package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.virtualcamera.CameraClock.PortState;
import io.peregrine.virtualcamera.Scenario.Clock.PtpPort;
import org.junit.jupiter.api.Test;

/** The clock in a time that the test makes. */
final class CameraClockTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MASTER_AHEAD = 1_700_000_000L * SECOND;

    /** A host whose two clocks run alike until a test sets one. */
    private static final class FakeHost implements HostTime {
        private long nanos = 77;
        private long ahead = MASTER_AHEAD;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long masterNanosAt(long at) {
            return at + ahead;
        }

        long master() {
            return nanos + ahead;
        }
    }

    private final FakeHost host = new FakeHost();

    private CameraClock clock(double drift, PtpPort port) {
        return new CameraClock(new Scenario.Clock(drift, port), host);
    }

    /** Lets time pass in small steps, as somebody looks at the clock. */
    private void pass(CameraClock clock, long nanos) {
        long end = host.nanos + nanos;
        while (host.nanos < end) {
            host.nanos = Math.min(end, host.nanos + 5_000_000);
            clock.now();
        }
    }

    private static void assertNear(long expected, long actual, long most) {
        assertTrue(Math.abs(actual - expected) <= most, () -> actual + " is " + (actual - expected) + " ns off");
    }

    @Test
    void aFreeClockDriftsAsItsModelSays() {
        CameraClock clock = clock(100, PtpPort.SLAVE);
        host.nanos += SECOND;
        assertEquals(SECOND + 100_000, clock.now());
    }

    @Test
    void aResetStartsFromZero() {
        CameraClock clock = clock(0, PtpPort.SLAVE);
        host.nanos += SECOND;
        clock.reset();
        host.nanos += 5;
        assertEquals(5, clock.now());
    }

    @Test
    void aPortListensBeforeItFollows() {
        CameraClock clock = clock(0, PtpPort.SLAVE);
        clock.ptp(true);
        host.nanos += CameraClock.LISTENING_NANOS - 1;
        assertEquals(PortState.LISTENING, clock.dataSet().state());
    }

    @Test
    void theFirstMessageSetsTheClock() {
        CameraClock clock = clock(100, PtpPort.SLAVE);
        clock.ptp(true);
        host.nanos += CameraClock.LISTENING_NANOS;
        assertEquals(PortState.UNCALIBRATED, clock.dataSet().state());
        assertEquals(host.master(), clock.now());
    }

    @Test
    void theServoSettlesAtItsMaster() {
        CameraClock clock = clock(80, PtpPort.SLAVE);
        clock.ptp(true);
        pass(clock, 3 * SECOND);
        assertEquals(PortState.SLAVE, clock.dataSet().state());
        assertNear(host.master(), clock.now(), 50);
        assertTrue(Math.abs(clock.dataSet().offsetNanos()) < 50);
    }

    @Test
    void aClockThatNobodyAskedForLongFollowsAllTheSame() {
        CameraClock clock = clock(80, PtpPort.SLAVE);
        clock.ptp(true);
        pass(clock, 3 * SECOND);
        host.nanos += 1000 * SECOND;
        assertNear(host.master(), clock.now(), CameraClock.LOCKED_NANOS);
    }

    @Test
    void aMasterThatJumpsIsFollowed() {
        CameraClock clock = clock(0, PtpPort.SLAVE);
        clock.ptp(true);
        pass(clock, SECOND);
        host.ahead += 5 * SECOND;
        pass(clock, 4 * CameraClock.SYNC_INTERVAL_NANOS);
        assertNear(host.master(), clock.now(), CameraClock.LOCKED_NANOS);
    }

    @Test
    void aSingleFarMessageIsNotFollowed() {
        CameraClock clock = clock(0, PtpPort.SLAVE);
        clock.ptp(true);
        pass(clock, SECOND);
        host.ahead += SECOND;
        pass(clock, CameraClock.SYNC_INTERVAL_NANOS);
        host.ahead -= SECOND;
        pass(clock, CameraClock.SYNC_INTERVAL_NANOS);
        assertNear(host.master(), clock.now(), CameraClock.LOCKED_NANOS);
    }

    @Test
    void aClockThatFollowsIsNotReset() {
        CameraClock clock = clock(0, PtpPort.SLAVE);
        clock.ptp(true);
        pass(clock, SECOND);
        clock.reset();
        assertNear(host.master(), clock.now(), CameraClock.LOCKED_NANOS);
    }

    @Test
    void aClockThatStopsFollowingKeepsItsTimeAndDriftsAgain() {
        CameraClock clock = clock(100, PtpPort.SLAVE);
        clock.ptp(true);
        pass(clock, 3 * SECOND);
        clock.ptp(false);
        host.nanos += SECOND;
        assertEquals(PortState.DISABLED, clock.dataSet().state());
        assertNear(host.master() + 100_000, clock.now(), CameraClock.LOCKED_NANOS);
    }

    @Test
    void aMasterKeepsItsOwnTime() {
        CameraClock clock = clock(100, PtpPort.MASTER);
        clock.ptp(true);
        host.nanos += SECOND;
        assertEquals(SECOND + 100_000, clock.now());
        assertEquals(PortState.MASTER, clock.dataSet().state());
    }

    @Test
    void aPortThatHearsNobodyKeepsListening() {
        CameraClock clock = clock(0, PtpPort.LISTENER);
        clock.ptp(true);
        pass(clock, 5 * SECOND);
        assertEquals(PortState.LISTENING, clock.dataSet().state());
    }
}
