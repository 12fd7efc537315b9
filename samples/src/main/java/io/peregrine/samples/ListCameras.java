package io.peregrine.samples;

import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoveryInformation;

/** Lists the cameras that answer. */
public final class ListCameras {
    private ListCameras() {}

    /** Runs the sample; it takes no arguments. */
    public static void main(String[] arguments) {
        for (DiscoveryInformation info : DeviceFactory.discover()) {
            System.out.println(info.vendor() + " " + info.model() + ", serial number " + info.serialNumber() + ", at "
                    + info.address().getHostAddress() + " on " + info.interfaceName());
        }
    }
}
