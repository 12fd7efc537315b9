package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.DeviceClock.PtpState.Port;
import io.peregrine.gvcp.GvcpSettings;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clock of a camera without a feature for it, whose time stands still. */
@Timeout(60)
class DeviceClockRegistersTest {
    private static final int VERSION_2_2 = 0x00020002;
    /** Serial number, and IEEE 1588. */
    private static final int PTP_CAPABILITY = 0x40080000;

    private final ScriptedDevice camera = new ScriptedDevice("127.51.4.1", VERSION_2_2);
    private Device device;

    @AfterEach
    void stop() {
        device.close();
        camera.close();
    }

    private DeviceClock clock() {
        device = DeviceFactory.create(PeregrineSettings.load()).open(camera.name());
        return device.clock();
    }

    @Test
    void ticksAreThoseOfTheRegisters() {
        camera.with(0x0940, 125_000_000).with(0x0948, 0x1).with(0x094C, 0x80000000);
        DeviceClock clock = clock();
        assertEquals(0x1_8000_0000L, clock.latch());
        assertEquals(Duration.ofNanos(0x1_8000_0000L * 8), clock.rate().toDuration(clock.latch()));
        assertTrue(camera.writes().contains("0944=2"), () -> camera.writes().toString());
    }

    @Test
    void aClockThatStandsStillIsMappedAnewEachTime() {
        camera.with(0x0940, 1_000_000);
        DeviceClock clock = clock();
        clock.update();
        clock.update();
        assertTrue(clock.toInstant(0).error().compareTo(Duration.ofSeconds(10)) < 0);
    }

    @Test
    void aCameraThatCameBackIsAskedAgain() {
        camera.with(0x0940, 1_000_000);
        clock();
        try (ScriptedDevice other = new ScriptedDevice("127.51.4.2", VERSION_2_2).with(0x0940, 2_000_000);
                ControlChannel before = open(camera);
                ControlChannel after = open(other)) {
            AtomicReference<ControlChannel> current = new AtomicReference<>(before);
            DeviceClock clock = new DeviceClock(current::get, device.nodes(), false, HostClock.SYSTEM);
            assertEquals(new TickRate(1_000_000), clock.rate());
            current.set(after);
            assertEquals(new TickRate(2_000_000), clock.rate());
        }
    }

    private static ControlChannel open(ScriptedDevice device) {
        String[] name = device.name().split(":", 2);
        return ControlChannel.open(new InetSocketAddress(name[0], Integer.parseInt(name[1])), GvcpSettings.defaults());
    }

    @Test
    void aCameraWithoutAClockSaysSo() {
        DeviceClock clock = clock();
        assertThrows(DeviceException.class, clock::rate);
    }

    @Test
    void aCameraThatDoesNotKnowPtpSaysSo() {
        DeviceClock clock = clock();
        assertFalse(clock.ptpPossible());
        assertThrows(DeviceException.class, clock::ptpState);
    }

    @Test
    void ptpIsSwitchedByTheConfigurationOfACameraWithoutAFeatureForIt() {
        camera.with(0x0934, PTP_CAPABILITY).with(0x0954, 0x2);
        clock().ptp(true);
        assertTrue(camera.writes().contains("0954=80002"), () -> camera.writes().toString());
    }

    @Test
    void theStateIsThatOfTheRegister() {
        camera.with(0x0934, PTP_CAPABILITY).with(0x0954, 0x00080000).with(0x096C, 0xFFFFFFF8);
        assertEquals(new DeviceClock.PtpState(true, Port.UNCALIBRATED, OptionalLong.empty()), clock().ptpState());
    }

    @Test
    void aStateThatNobodyKnowsIsUnknown() {
        camera.with(0x0934, PTP_CAPABILITY).with(0x096C, 0xF);
        assertEquals(Port.UNKNOWN, clock().ptpState().port());
    }
}
