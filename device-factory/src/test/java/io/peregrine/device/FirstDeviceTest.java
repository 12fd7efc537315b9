package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.discovery.internal.DiscoveredDevice;
import io.peregrine.gvcp.MacAddress;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The device that programs with only one want, and what is said when there is none. */
@Timeout(60)
class FirstDeviceTest {
    private static final Duration WINDOW = Duration.ofMillis(200);
    private static final String ABSENT = "127.55.9.22:13956";

    private static PeregrineSettings asking(String... addresses) {
        return PeregrineSettings.load()
                .with(PeregrineSettings.DISCOVERY_ADDRESSES, String.join(",", addresses))
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false");
    }

    private static String absence(PeregrineSettings settings) {
        Devices factory = DeviceFactory.create(settings);
        DeviceNotFoundException thrown =
                assertThrows(DeviceNotFoundException.class, () -> factory.first(DiscoverFlags.FIND_ALL, WINDOW));
        assertFalse(thrown.getMessage().contains("\n"), thrown::getMessage);
        return thrown.getMessage();
    }

    @Test
    void isOpenedWithParametersOfTheUser() {
        Scenario scenario = Scenario.builder()
                .bindAddress("127.55.9.21")
                .port(0)
                .serial("FIRST")
                .build();
        try (VirtualCamera camera = VirtualCamera.start(scenario)) {
            Devices factory = DeviceFactory.create(
                    asking(ABSENT, "127.55.9.21:" + camera.address().getPort()));
            DiscoveryInformation info = factory.first(DiscoverFlags.FIND_ALL, WINDOW);
            info.setParameter("AccessMode", "ReadOnly");
            try (Device device = factory.open(info)) {
                assertEquals("FIRST", device.info().serialNumber());
                assertTrue(camera.controller().isEmpty());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void isNotFoundByAnEmptyName(String name) {
        Devices factory = DeviceFactory.create(asking(ABSENT));
        String message =
                assertThrows(DeviceException.class, () -> factory.find(name)).getMessage();
        assertTrue(message.contains("is empty"), message);
        assertFalse(Found.nowhere().isNamed(""));
    }

    @Test
    void saysWhichAddressesWereAskedForHowLongAndWhatToCheck() {
        assertEquals(
                "No camera answered within 200 ms when asked directly at " + ABSENT
                        + " (broadcast is off): check power and cable, and that no firewall drops UDP from the"
                        + " camera, or run ./peregrine doctor",
                absence(asking(ABSENT)));
    }

    @Test
    void saysOnWhichInterfacesWasBroadcast() {
        // Loopback alone, and a port that nobody has.
        String text = absence(PeregrineSettings.load()
                .with(PeregrineSettings.DISCOVERY_INTERFACES, "lo")
                .with(PeregrineSettings.DISCOVERY_PORT, "13957"));
        assertTrue(
                text.startsWith(
                        "No camera answered within 200 ms when asked by broadcast to port 13957 on lo (127.0.0.1): "),
                text);
        assertTrue(text.contains("that one of these interfaces is in the camera's subnet"), text);
        assertTrue(text.contains("firewall"), text);
        assertTrue(text.contains("./peregrine doctor"), text);
    }

    @Test
    void saysThatWhatAnsweredIsOutOfReach() throws UnknownHostException {
        DiscoveredDevice foreign = new DiscoveredDevice(
                InetAddress.getByName("169.254.3.4"),
                3956,
                MacAddress.parse("02:00:00:00:00:01"),
                InetAddress.getByName("255.255.0.0"),
                InetAddress.getByName("0.0.0.0"),
                "Maker",
                "Model",
                "1",
                "",
                "SERIAL",
                "",
                2,
                2,
                "eth0",
                InetAddress.getByName("192.168.1.5"),
                true);
        assertEquals(
                "The only camera in sight cannot be reached: 02:00:00:00:00:01 answered on eth0 from 169.254.3.4,"
                        + " which is outside the subnet of 192.168.1.5; give it an address of that subnet"
                        + " (DeviceFactory.makeReachable, or ./peregrine ip)",
                Search.outOfReach(List.of(foreign)).getMessage());
        assertTrue(Search.outOfReach(List.of(foreign, foreign, foreign))
                .getMessage()
                .startsWith("The 3 cameras in sight cannot be reached: 02:00:00:00:00:01 answered "));
    }

    @Test
    void saysThatNothingWasAsked() {
        assertEquals(
                "No camera could be asked: turn broadcast on (peregrine.discovery.broadcast), or give addresses"
                        + " (peregrine.discovery.addresses)",
                absence(asking()));
    }

    @Test
    void aNameThatNobodyHasIsLookedForInTheSamePlaces() {
        Devices factory = DeviceFactory.create(asking(ABSENT));
        DeviceNotFoundException thrown = assertThrows(DeviceNotFoundException.class, () -> factory.find("GHOST"));
        assertTrue(thrown.getMessage().contains("'GHOST' answered within"), thrown::getMessage);
        assertTrue(thrown.getMessage().contains("directly at " + ABSENT), thrown::getMessage);
    }
}
