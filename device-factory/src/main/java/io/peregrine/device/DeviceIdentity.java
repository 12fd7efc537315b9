package io.peregrine.device;

import io.peregrine.discovery.internal.DiscoveredDevice;
import java.util.List;
import java.util.Optional;

/** Knows a device again among those that answer. */
final class DeviceIdentity {
    private DeviceIdentity() {}

    /**
     * Finds a device by its MAC address, or by manufacturer, model and serial number if exactly one has these.
     *
     * @throws DeviceException if it has other firmware now, whose features may not be those that are known
     */
    static Optional<DiscoveredDevice> same(DiscoveredDevice lost, List<DiscoveredDevice> answers) {
        Optional<DiscoveredDevice> found = answers.stream()
                .filter(device -> device.mac().equals(lost.mac()))
                .findFirst();
        if (found.isEmpty() && !lost.serial().isEmpty()) {
            List<DiscoveredDevice> named = answers.stream()
                    .filter(device -> sameModel(lost, device) && device.serial().equals(lost.serial()))
                    .toList();
            // One device answers once on each interface that leads to it.
            found = named.stream().map(DiscoveredDevice::mac).distinct().count() == 1
                    ? Optional.of(named.get(0))
                    : Optional.empty();
        }
        found.filter(device ->
                        !sameModel(lost, device) || !device.deviceVersion().equals(lost.deviceVersion()))
                .ifPresent(device -> {
                    throw new DeviceException("At " + device.address().getHostAddress() + " there is now "
                            + device.manufacturer() + " " + device.model() + " with the version "
                            + device.deviceVersion() + ", where it was " + lost.deviceVersion()
                            + ": open it again");
                });
        return found;
    }

    private static boolean sameModel(DiscoveredDevice one, DiscoveredDevice other) {
        return one.manufacturer().equals(other.manufacturer()) && one.model().equals(other.model());
    }
}
