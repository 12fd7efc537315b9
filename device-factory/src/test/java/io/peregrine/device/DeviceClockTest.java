package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.DeviceClock.PtpState.Port;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeviceClockTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private VirtualCamera camera;
    private Device device;

    private DeviceClock open(Scenario.Clock model, String access) {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.51.2.1")
                .port(0)
                .clock(model)
                .build());
        Devices factory = DeviceFactory.create(PeregrineSettings.load());
        device = factory.open(
                factory.find("127.51.2.1:" + camera.address().getPort()).setParameter("AccessMode", access));
        return device.clock();
    }

    @AfterEach
    void stop() {
        device.close();
        camera.close();
    }

    @Test
    void theRateIsTheOneOfTheRegisters() {
        assertEquals(
                new TickRate(1_000_000_000),
                open(Scenario.Clock.EXACT, "Control").rate());
    }

    @Test
    void synchronisationMayBeWaitedForForEver() {
        DeviceClock clock = open(Scenario.Clock.EXACT, "Control");
        Thread.currentThread().interrupt();
        try {
            assertFalse(
                    clock.awaitSynchronised(ChronoUnit.FOREVER.getDuration()).synchronised());
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void operationsInAGroupMayUseTheClockBesideAnotherThread() throws InterruptedException {
        DeviceClock clock = open(Scenario.Clock.EXACT, "Control");
        Grouped.besideAnotherThread(device.nodes(), LONG, clock::ptpState, clock::latch);
    }

    @Test
    void aResetClockStartsAgain() {
        DeviceClock clock = open(Scenario.Clock.EXACT, "Control");
        long before = clock.latch();
        long start = System.nanoTime();
        clock.reset();
        long after = clock.latch();
        assertTrue(after <= System.nanoTime() - start, () -> before + ", then " + after);
    }

    @Test
    void aLatchedTimeIsAnInstantBetweenQuestionAndAnswer() {
        DeviceClock clock = open(Scenario.Clock.EXACT, "Control");
        clock.update();
        Instant before = Instant.now();
        long ticks = clock.latch();
        Instant after = Instant.now();
        DeviceClock.BoundedInstant instant = clock.toInstant(ticks);
        assertFalse(instant.latest().isBefore(before), () -> instant + " is before " + before);
        assertFalse(instant.earliest().isAfter(after), () -> instant + " is after " + after);
    }

    @Test
    void aTimeAfterAResetIsMappedAnew() {
        DeviceClock clock = open(Scenario.Clock.EXACT, "Control");
        clock.update();
        clock.reset();
        Instant before = Instant.now();
        DeviceClock.BoundedInstant instant = clock.toInstant(clock.latch());
        assertFalse(instant.latest().isBefore(before));
    }

    @Test
    void aTimeFarAwayIsKnownBadlyAndSaysSo() {
        DeviceClock clock = open(Scenario.Clock.EXACT, "Control");
        Duration year = Duration.ofDays(365);
        DeviceClock.BoundedInstant instant = clock.toInstant(clock.latch() + year.toNanos());
        // 200 parts per million, both ways.
        assertTrue(instant.error().compareTo(year.dividedBy(5001)) > 0, instant::toString);
    }

    @Test
    void aClockThatIsSynchronisedIsTheHostsOwn() {
        DeviceClock clock = open(new Scenario.Clock(60, Scenario.Clock.PtpPort.SLAVE), "Control");
        clock.ptp(true);
        DeviceClock.PtpState state = clock.awaitSynchronised(LONG);
        assertEquals(Port.SLAVE, state.port());
        assertTrue(state.synchronised());
        assertTrue(state.offsetNanos().isPresent());
        long ticks = clock.latch();
        DeviceClock.BoundedInstant instant = clock.toInstant(ticks);
        Instant byItself = Instant.ofEpochSecond(ticks / 1_000_000_000, ticks % 1_000_000_000);
        Duration most = instant.error().plusMillis(5);
        assertTrue(
                Duration.between(byItself, instant.instant()).abs().compareTo(most) < 0,
                () -> byItself + " instead of " + instant);
    }

    @Test
    void aMasterIsSynchronisedToo() {
        DeviceClock clock = open(new Scenario.Clock(0, Scenario.Clock.PtpPort.MASTER), "Control");
        clock.ptp(true);
        assertEquals(Port.MASTER, clock.awaitSynchronised(LONG).port());
    }

    @Test
    void waitingForAClockThatHearsNobodyEnds() {
        DeviceClock clock = open(new Scenario.Clock(0, Scenario.Clock.PtpPort.LISTENER), "Control");
        clock.ptp(true);
        DeviceClock.PtpState state = clock.awaitSynchronised(Duration.ofMillis(50));
        assertEquals(Port.LISTENING, state.port());
        assertFalse(state.synchronised());
    }

    @Test
    void aMonitorSeesTheStateButNotTheOffset() {
        DeviceClock clock = open(Scenario.Clock.EXACT, "ReadOnly");
        assertEquals(new DeviceClock.PtpState(false, Port.DISABLED, OptionalLong.empty()), clock.ptpState());
    }

    @Test
    void aMonitorCannotLatch() {
        DeviceClock clock = open(Scenario.Clock.EXACT, "ReadOnly");
        assertThrows(DeviceException.class, clock::latch);
    }
}
