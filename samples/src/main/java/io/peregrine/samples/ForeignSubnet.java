package io.peregrine.samples;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoverFlags;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import java.time.Duration;

/** Finds a camera whose address fits no interface of this host, assigns it one that does, opens it and streams. */
public final class ForeignSubnet {
    private ForeignSubnet() {}

    /**
     * Runs the sample.
     *
     * @param arguments the number of frames, 10 when absent
     */
    public static void main(String[] arguments) {
        int frames = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;

        Devices factory = DeviceFactory.create(PeregrineSettings.load());
        DiscoveryInformation found = factory.first(DiscoverFlags.INCLUDE_INACCESSIBLE, Duration.ofMillis(500));
        System.out.println("found " + found.serialNumber() + " at "
                + found.address().getHostAddress() + (found.foreignSubnet() ? ", on a foreign subnet" : ""));

        DiscoveryInformation info = factory.makeReachable(found);
        System.out.println("reachable at " + info.address().getHostAddress());

        try (Device device = factory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (Composite composite : stream) {
                try (composite) {
                    System.out.println("frame " + composite.blockId() + (composite.complete() ? "" : " INCOMPLETE"));
                }
                if (--frames == 0) {
                    break;
                }
            }
            stream.stop();
        }
    }
}
