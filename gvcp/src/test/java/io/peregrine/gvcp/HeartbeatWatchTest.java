package io.peregrine.gvcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeartbeatWatchTest {
    private static final InetSocketAddress SELF = new InetSocketAddress("192.168.1.2", 50000);
    private static final int SELF_IP = 0xC0A80102;
    private static final int OTHER_IP = 0xC0A80103;
    private final GvcpException silence = new GvcpTimeoutException("silence");

    private static HeartbeatWatch watch(int granted, Optional<InetSocketAddress> self, long timeoutMillis) {
        return new HeartbeatWatch("camera", granted, self, Duration.ofMillis(timeoutMillis));
    }

    private static String message(Optional<ConnectionLostException> loss) {
        return loss.orElseThrow().getMessage();
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void beatsThreeTimesPerTimeout() {
        assertEquals(millis(100), watch(2, Optional.empty(), 300).periodNanos());
    }

    @Test
    void neverBeatsMoreOftenThanEveryTenMilliseconds() {
        assertEquals(millis(10), watch(2, Optional.empty(), 3).periodNanos());
    }

    @Test
    void beatsEachSecondWhateverLongTimeoutTheDeviceHas() {
        assertEquals(millis(1000), watch(2, Optional.empty(), 3_600_000).periodNanos());
    }

    @Test
    void aTimeoutOfZeroIsTheDefault() {
        assertEquals(Duration.ofSeconds(3), HeartbeatWatch.timeoutOf(0));
        assertEquals(Duration.ofMillis(0xFFFFFFFFL), HeartbeatWatch.timeoutOf(-1));
    }

    @Test
    void asksForTheControllerWhereTheDeviceReportsIt() {
        assertArrayEquals(new int[] {0x0A00}, watch(2, Optional.empty(), 300).registers());
        assertArrayEquals(
                new int[] {0x0A00, 0x0A04, 0x0A14},
                watch(2, Optional.of(SELF), 300).registers());
    }

    @Test
    void controlIsKeptWhileItsBitIsSet() {
        assertEquals(Optional.empty(), watch(2, Optional.empty(), 300).onValues(new int[] {2}));
        assertEquals(Optional.empty(), watch(2, Optional.of(SELF), 300).onValues(new int[] {2, 50000, SELF_IP}));
    }

    @Test
    void controlIsLostWhenItsBitIsClear() {
        assertEquals(
                "control of camera was lost: its privilege register reads 0x00000001",
                message(watch(2, Optional.empty(), 300).onValues(new int[] {1})));
    }

    @Test
    void controlIsLostToAnotherApplication() {
        assertEquals(
                "control of camera was lost: 192.168.1.3:50000 holds it",
                message(watch(2, Optional.of(SELF), 300).onValues(new int[] {2, 50000, OTHER_IP})));
    }

    @Test
    void controlIsLostWhenNoApplicationHoldsIt() {
        assertEquals(
                "control of camera was lost: no application holds it",
                message(watch(2, Optional.of(SELF), 300).onValues(new int[] {2, 0, 0})));
    }

    @Test
    void aMonitorLosesNoControl() {
        assertEquals(Optional.empty(), watch(0, Optional.empty(), 300).onValues(new int[] {1}));
    }

    @Test
    void aDeniedReadIsALossOfControl() {
        GvcpException denied = new AccessDeniedException("READREG_CMD", "CCP", "camera");
        assertTrue(message(watch(2, Optional.empty(), 300).onFailure(denied, 0)).contains("exclusively"));
    }

    @Test
    void silenceIsALossOnlyAfterTheTimeout() {
        HeartbeatWatch watch = watch(2, Optional.empty(), 300);
        assertEquals(Optional.empty(), watch.onFailure(silence, millis(300) - 1));
        assertEquals("camera was lost: no answer for 300 ms", message(watch.onFailure(silence, millis(300))));
    }

    @Test
    void silenceIsALossAfterThreeSecondsWhateverLongTimeoutTheDeviceHas() {
        HeartbeatWatch watch = watch(2, Optional.empty(), 60_000);
        assertEquals("camera was lost: no answer for 3000 ms", message(watch.onFailure(silence, millis(3000))));
    }
}
