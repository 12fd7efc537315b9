package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.AddressSettings.Method;
import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AddressSettingsTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private VirtualCamera camera;
    private Devices factory;

    @BeforeEach
    void start() {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.51.0.1")
                .port(0)
                .serial("PG-51")
                .build());
        factory = DeviceFactory.create(PeregrineSettings.load()
                .with(
                        PeregrineSettings.DISCOVERY_ADDRESSES,
                        "127.51.0.1:" + camera.address().getPort())
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private DiscoveryInformation found() {
        return factory.find("PG-51");
    }

    @Test
    void aForcedCameraIsFoundAtItsNewAddress() {
        DiscoveryInformation moved = factory.forceAddress(found(), AddressConfiguration.parse("127.51.0.9/8"), LONG);
        assertEquals("127.51.0.9", moved.address().getHostAddress());
        assertEquals("PG-51", moved.serialNumber());
    }

    @Test
    void parametersMoveAlong() {
        DiscoveryInformation info = found().setParameter("AccessMode", "ReadOnly");
        DiscoveryInformation moved = factory.forceAddress(info, AddressConfiguration.parse("127.51.0.9/8"), LONG);
        assertEquals("ReadOnly", moved.parameters().get("AccessMode"));
    }

    @Test
    void aMovedCameraCanBeOpened() {
        DiscoveryInformation moved = factory.forceAddress(found(), AddressConfiguration.parse("127.51.0.9/8"), LONG);
        try (Device device = factory.open(moved)) {
            assertEquals(
                    "127.51.0.9/8", device.network().addressSettings().current().toString());
        }
    }

    @Test
    void aControlledCameraIsNotMoved() {
        DiscoveryInformation info = found();
        try (Device device = factory.open(info)) {
            DeviceException refusal = assertThrows(
                    DeviceException.class,
                    () -> factory.forceAddress(
                            info, AddressConfiguration.parse("127.51.0.9/8"), Duration.ofMillis(100)));
            assertTrue(refusal.getMessage().contains("127.51.0.9"), refusal.getMessage());
            assertTrue(device.connection().connected());
        }
    }

    @Test
    void aReachableCameraStaysWhereItIs() {
        DiscoveryInformation info = found();
        assertEquals(info.accessToken(), factory.makeReachable(info).accessToken());
    }

    @Test
    void aPersistentAddressIsUsedAfterTheNextStart() throws Exception {
        try (Device device = factory.open(found())) {
            device.network().addressSettings().persistent(AddressConfiguration.parse("127.51.0.7/8,127.0.0.1"));
            assertEquals(
                    "127.51.0.7/8,127.0.0.1",
                    device.network().addressSettings().persistent().toString());
            device.nodes().command("DeviceReset").execute();
        }
        String there = "127.51.0.7:" + camera.address().getPort();
        try (Device device = factory.open(factory.await(there, LONG))) {
            assertEquals(
                    "127.51.0.7/8,127.0.0.1",
                    device.network().addressSettings().current().toString());
        }
    }

    @Test
    void waysToAnAddressAreSwitchedOnAndOff() {
        try (Device device = factory.open(found())) {
            AddressSettings settings = device.network().addressSettings();
            assertEquals(Set.of(Method.PERSISTENT, Method.LINK_LOCAL), settings.enabled());
            settings.enable(Set.of(Method.DHCP));
            assertEquals(Set.of(Method.DHCP, Method.LINK_LOCAL), settings.enabled());
            settings.enable(Set.of());
            assertEquals(Set.of(Method.LINK_LOCAL), settings.enabled());
        }
    }

    @Test
    void aWayThatTheCameraDoesNotKnowIsRefused() {
        try (ScriptedDevice camera = new ScriptedDevice("127.51.3.1", 0x00020002).with(0x0010, 0x5);
                Device device = DeviceFactory.open(camera.name())) {
            AddressSettings settings = device.network().addressSettings();
            DeviceException refusal = assertThrows(DeviceException.class, () -> settings.enable(Set.of(Method.DHCP)));
            assertTrue(refusal.getMessage().contains("DHCP"), refusal.getMessage());
        }
    }

    @Test
    void aNamedCameraIsFoundByItsName() {
        try (Device device = factory.open(found())) {
            device.network().addressSettings().userName("über");
            assertEquals("über", device.network().addressSettings().userName());
        }
        assertEquals("PG-51", factory.find("über").serialNumber());
    }

    @Test
    void aNameThatIsTooLongIsRefused() {
        try (Device device = factory.open(found())) {
            AddressSettings settings = device.network().addressSettings();
            assertThrows(DeviceException.class, () -> settings.userName("sixteen letters."));
        }
    }
}
