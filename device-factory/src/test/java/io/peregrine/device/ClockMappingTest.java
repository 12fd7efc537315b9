package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.ClockMapping.Estimate;
import io.peregrine.device.ClockMapping.Sample;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Clocks that exist only as numbers. */
class ClockMappingTest {
    private static final long SECOND = 1_000_000_000;
    private static final long START = 5_000 * SECOND;

    private final ClockMapping mapping = new ClockMapping();

    /** A camera whose clock runs slower than the host's by a rate, and was 0 at START of the host. */
    private static long cameraAt(long hostNanos, double slower) {
        return Math.round((hostNanos - START) / (1 + slower));
    }

    /** A round trip in which the camera looked at its clock some time after the question. */
    private static Sample roundTrip(long sent, long after, long length, double slower) {
        return new Sample(cameraAt(sent + after, slower), sent, sent + length);
    }

    private void assertHolds(long hostNanos, double slower) {
        Estimate estimate = mapping.hostTime(cameraAt(hostNanos, slower)).orElseThrow();
        assertTrue(
                Math.abs(estimate.nanos() - hostNanos) <= estimate.errorNanos(),
                () -> hostNanos + " is not within " + estimate);
    }

    @Test
    void nothingIsKnownBeforeTheFirstRoundTrip() {
        assertTrue(mapping.hostTime(7).isEmpty());
    }

    @Test
    void oneRoundTripIsKnownToHalfItsLength() {
        mapping.add(new Sample(1000, START, START + 60_000));
        assertEquals(
                new Estimate(START + 30_000, 30_001), mapping.hostTime(1000).orElseThrow());
    }

    @Test
    void theErrorGrowsWithTheDistance() {
        mapping.add(new Sample(0, START, START));
        // 200 parts per million of ten seconds.
        assertEquals(2_000_001, mapping.hostTime(10 * SECOND).orElseThrow().errorNanos());
        assertEquals(2_000_001, mapping.hostTime(-10 * SECOND).orElseThrow().errorNanos());
    }

    @Test
    void aSlowRoundTripDoesNotSpoilAFastOne() {
        mapping.add(roundTrip(START, 10_000, 20_000, 0));
        mapping.add(roundTrip(START + 1_000_000, 5_000_000, 80_000_000, 0));
        assertTrue(mapping.hostTime(0).orElseThrow().errorNanos() <= 12_000);
    }

    @Test
    void twoRoundTripsMayKnowMoreThanEither() {
        // The camera looked at the end of the first and at the start of the second.
        mapping.add(roundTrip(START, 100_000, 100_000, 0));
        mapping.add(roundTrip(START + 1_000_000, 0, 100_000, 0));
        assertTrue(mapping.hostTime(1_000_000).orElseThrow().errorNanos() < 1_000);
    }

    @Test
    void theDriftShowsInRoundTripsFarApart() {
        double slower = 73e-6;
        for (int i = 0; i <= 10; i++) {
            mapping.add(roundTrip(START + i * (10 * SECOND), 20_000, 40_000, slower));
        }
        assertEquals(73, mapping.driftPartsPerMillion(), mapping.driftErrorPartsPerMillion());
        assertTrue(mapping.driftErrorPartsPerMillion() < 3, () -> "" + mapping.driftErrorPartsPerMillion());
    }

    @Test
    void theTruthIsAlwaysWithinTheError() {
        Random random = new Random(20261);
        for (int run = 0; run < 200; run++) {
            mapping.clear();
            double slower = (random.nextDouble() - 0.5) * 300e-6;
            long host = START;
            for (int i = 0; i < 100; i++) {
                host += 1 + (long) (random.nextDouble() * 3 * SECOND);
                long length = 1 + (long) (random.nextDouble() * random.nextDouble() * 5_000_000);
                long after = (long) (random.nextDouble() * length);
                assertTrue(mapping.add(roundTrip(host, after, length, slower)));
                assertHolds(host + (long) ((random.nextDouble() - 0.5) * 100 * SECOND), slower);
            }
        }
    }

    @Test
    void aDriftThatWandersALittleStaysWithinTheError() {
        double slower = 50e-6;
        long host = START;
        double camera = 0;
        for (int i = 0; i < 200; i++) {
            camera += SECOND / (1 + slower + 1e-6 * Math.sin(i / 20.0));
            host += SECOND;
            assertTrue(mapping.add(new Sample(Math.round(camera), host - 30_000, host + 30_000)));
            Estimate estimate = mapping.hostTime(Math.round(camera)).orElseThrow();
            assertTrue(Math.abs(estimate.nanos() - host) <= estimate.errorNanos());
        }
    }

    @Test
    void aClockThatWasResetIsKnownAnew() {
        mapping.add(roundTrip(START + 100 * SECOND, 10, 20, 0));
        assertFalse(mapping.add(new Sample(3, START + 101 * SECOND, START + 101 * SECOND + 20)));
        assertEquals(
                START + 101 * SECOND + 10, mapping.hostTime(3).orElseThrow().nanos());
    }

    @Test
    void aClockThatWasSetForwardIsKnownAnew() {
        mapping.add(new Sample(SECOND, START, START + 20));
        assertFalse(mapping.add(new Sample(1_700_000_000L * SECOND, START + SECOND, START + SECOND + 20)));
        assertEquals(
                START + SECOND + 10,
                mapping.hostTime(1_700_000_000L * SECOND).orElseThrow().nanos());
    }

    @Test
    void oldRoundTripsAreForgotten() {
        mapping.add(new Sample(0, START, START));
        for (int i = 1; i <= ClockMapping.MAX_SAMPLES; i++) {
            mapping.add(new Sample(i * SECOND, START + i * SECOND - SECOND / 2, START + i * SECOND + SECOND / 2));
        }
        assertTrue(mapping.hostTime(0).orElseThrow().errorNanos() > SECOND / 4);
    }
}
