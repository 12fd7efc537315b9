package io.peregrine.conformance;

import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoverFlags;
import io.peregrine.device.DiscoveryInformation;
import java.time.Duration;

/** Prints the cameras that a search with the settings of the process finds. */
final class FindCamerasMain {
    private FindCamerasMain() {}

    public static void main(String[] arguments) {
        for (DiscoveryInformation info : DeviceFactory.discover(DiscoverFlags.FIND_ALL, Duration.ofMillis(500))) {
            System.out.println("found " + info.vendor() + " " + info.model() + " " + info.serialNumber() + " at "
                    + info.address().getHostAddress() + " through " + info.interfaceName());
        }
    }
}
