package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.Bandwidth.Plan;
import io.peregrine.device.Bandwidth.Share;
import io.peregrine.device.Bandwidth.Stream;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BandwidthTest {
    private static final double GIGABIT = 1e9;
    private static final long NANOSECOND_TICKS = 1_000_000_000;

    /** 1 000 000 bytes in packets of 1500 bytes, of which 1464 are payload: 684 packets, leader and trailer. */
    private static Stream megabyte(double framesPerSecond) {
        return new Stream("camera", 1_000_000, framesPerSecond, 1500, false, NANOSECOND_TICKS);
    }

    @Test
    void packetsAndBytesOfAFrameCountAllHeaders() {
        assertEquals(686, megabyte(1).packetsPerFrame());
        // 1 000 000 + 684 x (28 + 8 + 38) + 2 x (64 + 36 + 38)
        assertEquals(1_050_892, megabyte(1).linkBytesPerSecond());
        Stream extended = new Stream("camera", 1_000_000, 10, 9000, true, NANOSECOND_TICKS);
        // 8952 bytes a packet: 112; 1 000 000 + 112 x 86 + 2 x 150
        assertEquals(114, extended.packetsPerFrame());
        assertEquals(10_099_320, extended.linkBytesPerSecond());
    }

    @Test
    void cameraAloneOnItsLinkNeedsNoDelay() {
        Plan plan = Bandwidth.plan(GIGABIT, List.of(megabyte(100)));
        assertEquals(0, plan.shares().get(0).packetDelayTicks());
        assertEquals(List.of(), plan.warnings());
        assertEquals(0.8407, plan.load(), 0.0001);
    }

    @Test
    void severalCamerasSpreadTheirFramesOverTheFrameTime() {
        Plan plan = Bandwidth.plan(GIGABIT, Collections.nCopies(4, megabyte(25)));
        assertEquals(List.of(), plan.warnings());
        // 40 ms x 0.95 / 686 packets = 55 393 ns a packet, of which 1538 bytes take 12 304 ns.
        assertEquals(43_089, plan.shares().get(0).packetDelayTicks());
    }

    @Test
    void delayIsInTicksOfEachCamerasClock() {
        Stream slowClock = new Stream("other", 1_000_000, 25, 1500, false, 125_000_000);
        Plan plan = Bandwidth.plan(GIGABIT, List.of(megabyte(25), slowClock));
        assertEquals(43_089, plan.shares().get(0).packetDelayTicks());
        assertEquals(43_089 / 8, plan.shares().get(1).packetDelayTicks());
    }

    @Test
    void withItsDelayNoCameraSendsForLongerThanItsFrameTime() {
        for (double rate = 1; rate < 57; rate += 3.7) {
            Plan plan = Bandwidth.plan(GIGABIT, Collections.nCopies(2, megabyte(rate)));
            Share share = plan.shares().get(0);
            double frameSeconds = share.stream().packetsPerFrame() * (share.packetDelayTicks() / 1e9 + 1538 / 125e6);
            assertTrue(frameSeconds <= 1 / rate, "at " + rate + " a second: " + frameSeconds);
        }
    }

    @Test
    void fullLinkIsWarnedOf() {
        Plan plan = Bandwidth.plan(GIGABIT, Collections.nCopies(2, megabyte(58)));
        assertEquals(
                List.of("The link is 97.5 % full, which leaves little for resends: lower the frame rates a little"),
                plan.warnings());
    }

    @Test
    void oversubscribedLinkIsWarnedOfWithWhatWouldFit() {
        Plan plan = Bandwidth.plan(GIGABIT, Collections.nCopies(2, megabyte(100)));
        // 2 x 105.1 MB/s on 125 MB/s: 95 % of it is 56 % of the rates.
        assertEquals(
                List.of("The link is oversubscribed: 2 streams need 210.2 MB/s of 125.0 MB/s. Lower all frame rates to"
                        + " 56 %, or spread the cameras over more links"),
                plan.warnings());
        assertEquals(1.6814, plan.load(), 0.0001);
    }

    @Test
    void cameraThatIsTooFastForTheLinkIsNamed() {
        Plan plan = Bandwidth.plan(GIGABIT, List.of(megabyte(200)));
        assertEquals(2, plan.warnings().size());
        assertTrue(
                plan.warnings()
                        .get(0)
                        .startsWith("camera alone needs 168 % of the link: lower its frame rate below 113.0"),
                plan.warnings()::toString);
    }

    @Test
    void impossibleNumbersAreRefused() {
        assertThrows(DeviceException.class, () -> Bandwidth.plan(0, List.of()));
        assertThrows(DeviceException.class, () -> megabyte(0));
        assertThrows(DeviceException.class, () -> megabyte(Double.NaN));
        assertThrows(DeviceException.class, () -> new Stream("x", 0, 1, 1500, false, 1));
        assertThrows(DeviceException.class, () -> new Stream("x", 1, 1, 48, true, 1));
        assertThrows(DeviceException.class, () -> new Stream("x", 1, 1, 1500, false, 0));
    }
}
