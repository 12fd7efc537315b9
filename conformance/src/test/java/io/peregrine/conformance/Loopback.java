package io.peregrine.conformance;

import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DeviceRegisters;
import io.peregrine.device.DiscoverFlags;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.virtualcamera.VirtualCamera;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Opens virtual cameras on loopback addresses and ports of their own. */
final class Loopback {
    private static final Duration WINDOW = Duration.ofMillis(500);

    private Loopback() {}

    /** Address and port of a camera in the form that a name for opening has. */
    static String name(VirtualCamera camera) {
        return name(camera.address());
    }

    /** Address and port in the form that a name for opening has. */
    static String name(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Opens a camera; parameters come in pairs of name and value. */
    static Device open(VirtualCamera camera, String... parameters) {
        return open(name(camera), parameters);
    }

    /** Opens a camera; parameters come in pairs of name and value. */
    static Device open(String name, String... parameters) {
        DiscoveryInformation info = find(name);
        for (int i = 0; i < parameters.length; i += 2) {
            info.setParameter(parameters[i], parameters[i + 1]);
        }
        return DeviceFactory.open(info);
    }

    /** Opens the registers of a camera. */
    static DeviceRegisters openRegisters(VirtualCamera camera) {
        return DeviceFactory.create(PeregrineSettings.load()).openRegisters(find(name(camera)));
    }

    private static DiscoveryInformation find(String name) {
        PeregrineSettings settings = PeregrineSettings.load()
                .with(PeregrineSettings.DISCOVERY_ADDRESSES, name)
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false");
        List<DiscoveryInformation> found = DeviceFactory.create(settings).discover(DiscoverFlags.FIND_ALL, WINDOW);
        if (found.size() != 1) {
            throw new AssertionError(name + " answered " + found.size() + " times: " + found);
        }
        return found.get(0);
    }
}
