package io.peregrine.device;

import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;

/** Virtual cameras as discovery finds them. */
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
}
