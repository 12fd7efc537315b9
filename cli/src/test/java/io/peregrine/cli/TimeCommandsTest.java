package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands about actions and time, against a virtual camera that nobody controls but which acts all the same. */
@Timeout(60)
class TimeCommandsTest {
    private static final String LISTENER = "127.40.90.2:4956";

    private VirtualCamera camera;
    private String address;

    @BeforeEach
    void start() {
        camera = VirtualCamera.start(
                Scenario.builder().bindAddress("127.40.90.1").serial("TIME-1").build());
        address = "127.40.90.1:3956";
        try (Device device = DeviceFactory.open(address)) {
            device.control().actionSettings().deviceKey(0xDE71CE);
            device.control().actionSettings().group(0, 7, 0x10);
            device.control().actionSettings().unconditional(true);
        }
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private Cli action(String... more) {
        String[] keys = {"action", "--device-key", "0xDE71CE", "--group-key", "7"};
        String[] all = new String[keys.length + more.length];
        System.arraycopy(keys, 0, all, 0, keys.length);
        System.arraycopy(more, 0, all, keys.length, more.length);
        return Cli.run(all);
    }

    @Test
    void anActionIsAnswered() {
        Cli result = action(address);
        assertEquals(0, result.exitCode(), result.err());
        assertEquals("127.40.90.1:3956  SUCCESS, success", result.out().strip());
    }

    @Test
    void anActionThatNobodyIsMeantByFails() {
        Cli result = action(address, "--group-mask", "0x20", "--window", "0.1");
        assertEquals(1, result.exitCode());
        assertTrue(result.err().contains("no camera answered"), result.err());
    }

    @Test
    void anActionAtATimeNeedsASynchronisedClock() {
        Cli result = action(address, "--at", "99", "--json");
        assertEquals(1, result.exitCode(), result.err());
        assertEquals("NO_REF_TIME", result.json().get(0).get("status").asText());
    }

    @Test
    void anActionInAWhileIsAcceptedByASynchronisedClock() {
        assertEquals(0, Cli.run("ptp", address, "--enable", "--wait", "30").exitCode());
        Cli result = action(address, "--in", "5", "--json");
        assertEquals(0, result.exitCode(), result.err());
        assertFalse(result.json().get(0).get("late").asBoolean());
    }

    @Test
    void anActionToNobodyIsAMistake() {
        assertEquals(2, action().exitCode());
    }

    @Test
    void aKeyThatIsNoNumberIsAMistake() {
        assertEquals(2, Cli.run("action", address, "--device-key", "me").exitCode());
    }

    @Test
    void ptpTellsTheTimeOfAClockThatIsOnItsOwn() {
        Instant before = Instant.now();
        JsonNode result = Cli.run("ptp", address, "--json").json();
        assertEquals("DISABLED", result.get("port").asText());
        assertEquals("1000000000", result.get("ticksPerSecond").asText());
        Instant latest = Instant.parse(result.get("hostTime").asText())
                .plus(Duration.ofNanos(result.get("hostTimeErrorMicros").asLong() * 1000));
        assertTrue(latest.isAfter(before), result::toString);
    }

    @Test
    void ptpSwitchesOnAndOff() {
        JsonNode on =
                Cli.run("ptp", address, "--enable", "--wait", "30", "--json").json();
        assertEquals("SLAVE", on.get("port").asText());
        assertTrue(on.has("offsetNanos"), on::toString);
        Cli off = Cli.run("ptp", address, "--disable");
        assertTrue(off.out().contains("DISABLED"), off.out());
    }

    @Test
    void ptpThatFindsNoMasterIsAFailureForThoseWhoWait() {
        try (VirtualCamera listener = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.40.90.2")
                .port(4956)
                .clock(new Scenario.Clock(0, Scenario.Clock.PtpPort.LISTENER))
                .build())) {
            Cli result = Cli.run("ptp", LISTENER, "--enable", "--wait", "0.2");
            assertEquals(1, result.exitCode(), listener::toString);
            assertTrue(result.out().contains("LISTENING"), result.out());
        }
    }

    @Test
    void ptpShowsTheStateBesideAnotherApplication() {
        try (Device device = DeviceFactory.open(address)) {
            device.clock().ptp(true);
            Cli result = Cli.run("ptp", address, "--read-only", "--json");
            assertEquals(0, result.exitCode(), result.err());
            assertTrue(result.json().get("enabled").asBoolean());
        }
    }
}
