package io.peregrine.samples;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;

/**
 * Discover, open, ask for RDMA, iterate composite frames: the same program for every camera, for a recording
 * ({@code file:line.gendc}) and for a stream that another host publishes ({@code aeron:line}).
 */
public final class StreamComposites {
    private StreamComposites() {}

    /**
     * Runs the sample.
     *
     * @param arguments the number of frames, 100 when absent; the device, the first that answers when absent
     */
    public static void main(String[] arguments) {
        int frames = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;

        DiscoveryInformation info = arguments.length > 1
                ? DeviceFactory.create(PeregrineSettings.load()).find(arguments[1])
                : DeviceFactory.first();
        info.setParameter("UseRdma", "1");
        try (Device device = DeviceFactory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            System.out.println(device + " streams by " + device.streamingMode());
            stream.start();
            for (Composite composite : stream) {
                try (composite) {
                    System.out.print("frame " + composite.blockId() + (composite.complete() ? "" : " INCOMPLETE"));
                    for (Item item : composite.items()) {
                        System.out.print(" | " + item.componentType() + " " + item.width() + "x" + item.height() + " "
                                + item.format().name());
                    }
                    System.out.println();
                }
                if (--frames == 0) {
                    break;
                }
            }
            stream.stop();
        }
    }
}
