package io.peregrine.device;

import io.peregrine.discovery.internal.DiscoveredDevice;
import io.peregrine.gvcp.Gvcp;
import io.peregrine.gvcp.MacAddress;
import io.peregrine.virtualcamera.VirtualCamera;
import java.net.InetAddress;
import java.time.Duration;

/** Cameras as discovery finds them. */
final class Found {
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private Found() {}

    /** Asks one camera, and nobody else. */
    static DiscoveryInformation of(VirtualCamera camera) {
        return DeviceFactory.create(PeregrineSettings.load()
                        .with(
                                PeregrineSettings.DISCOVERY_ADDRESSES,
                                camera.address().getAddress().getHostAddress() + ":"
                                        + camera.address().getPort())
                        .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"))
                .discover(DiscoverFlags.FIND_ALL, WINDOW)
                .get(0);
    }

    /** A camera that is not there. */
    static DiscoveryInformation nowhere() {
        return at(LocalInterface.ipv4("192.0.2.1"), Gvcp.PORT);
    }

    /** What would be found at an address. */
    static DiscoveryInformation at(InetAddress address, int port) {
        return new DiscoveryInformation(new DiscoveredDevice(
                address,
                port,
                new MacAddress(0x020000000001L),
                address,
                address,
                "Vendor",
                "Model",
                "1.0",
                "",
                "serial",
                "",
                2,
                2,
                "none",
                address,
                false));
    }
}
