package io.peregrine.samples;

import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoveryInformation;
import java.util.List;

/** Lists the cameras that answer. */
public final class ListCameras {
    private ListCameras() {}

    /** Runs the sample; it takes no arguments. */
    public static void main(String[] arguments) {
        List<DiscoveryInformation> found = DeviceFactory.discover();
        if (found.isEmpty()) {
            System.out.println("No camera answered: ./peregrine doctor says why");
        }
        for (DiscoveryInformation info : found) {
            System.out.println(info.vendor() + " " + info.model() + ", serial number " + info.serialNumber() + ", at "
                    + info.address().getHostAddress() + " on " + info.interfaceName());
        }
    }
}
