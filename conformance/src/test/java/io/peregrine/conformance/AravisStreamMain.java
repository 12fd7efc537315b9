package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.ImageItem;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoverFlags;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.stream.StreamStatistics.Counter;
import java.time.Duration;
import java.util.Locale;

/**
 * Streams from Aravis' fake camera and checks every byte; prints what it saw. Arguments: packet size in bytes, frames,
 * width, height, gain, exposure in microseconds.
 */
final class AravisStreamMain {
    private static final Duration FRAME_LIMIT = Duration.ofSeconds(5);

    private AravisStreamMain() {}

    public static void main(String[] arguments) {
        String packetSize = arguments[0];
        int frames = Integer.parseInt(arguments[1]);
        int width = Integer.parseInt(arguments[2]);
        int height = Integer.parseInt(arguments[3]);
        int gain = Integer.parseInt(arguments[4]);
        double exposure = Double.parseDouble(arguments[5]);
        DiscoveryInformation info = DeviceFactory.discover(DiscoverFlags.FIND_ALL, Duration.ofMillis(500))
                .get(0)
                .setParameter("PacketSize", packetSize)
                // The camera does not wait for a program that is still warming up.
                .setParameter("FlowSetCount", "64");
        long badBytes = 0;
        int complete = 0;
        int wraps = 0;
        int jumps = 0;
        long first = 0;
        long previous = 0;
        try (Device device = DeviceFactory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            device.nodes().integer("Width").set(width);
            device.nodes().integer("Height").set(height);
            device.nodes().floating("AcquisitionFrameRate").set(100);
            device.nodes().integer("GainRaw").set(gain);
            device.nodes().floating("ExposureTimeAbs").set(exposure);
            stream.start();
            for (int frame = 0; frame < frames; frame++) {
                WaitResult result = stream.waitFor(FRAME_LIMIT);
                if (!(result instanceof WaitResult.Ok ok)) {
                    throw new AssertionError("Frame " + frame + ": " + result);
                }
                try (Composite composite = ok.composite()) {
                    complete += composite.complete() ? 1 : 0;
                    Item item = composite.items().get(0);
                    if (composite.items().size() != 1
                            || !(item instanceof ImageItem)
                            || item.width() != width
                            || item.height() != height
                            || !item.format().name().equals("Mono8")) {
                        throw new AssertionError("Not one image as set: " + composite);
                    }
                    long id = composite.blockId();
                    badBytes += AravisRamp.countBadBytes(id, width, height, gain, exposure, item.data());
                    if (frame == 0) {
                        first = id;
                    } else if (previous == 65_535 && id == 1) {
                        wraps++;
                    } else if (id != previous + 1) {
                        jumps++;
                    }
                    previous = id;
                }
            }
            stream.stop();
            System.out.println("statistics " + stream.statistics().asMap());
            System.out.println("packets=" + stream.statistics().get(Counter.PACKETS_RECEIVED));
        }
        System.out.printf(
                Locale.ROOT,
                "first=%d complete=%d badBytes=%d wraps=%d jumps=%d%n",
                first,
                complete,
                badBytes,
                wraps,
                jumps);
    }
}
