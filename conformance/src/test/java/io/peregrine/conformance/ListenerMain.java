package io.peregrine.conformance;

import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.stream.StreamStatistics.Counter;
import java.time.Duration;

/**
 * Receives a camera's stream, without control unless a parameter says otherwise, and prints how, and how many frames
 * were whole.
 */
final class ListenerMain {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private ListenerMain() {}

    /** Arguments: address of the camera, number of whole frames to take, then parameters as NAME=VALUE. */
    public static void main(String[] arguments) {
        PeregrineSettings settings = PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_BROADCAST, "false");
        Devices factory = DeviceFactory.create(settings);
        DiscoveryInformation info = factory.await(arguments[0], LIMIT).setParameter("AccessMode", "ReadOnly");
        for (int i = 2; i < arguments.length; i++) {
            String[] parameter = arguments[i].split("=", 2);
            info.setParameter(parameter[0], parameter[1]);
        }
        int wanted = Integer.parseInt(arguments[1]);
        try (Device device = factory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            System.out.println("joined");
            System.out.println("received by "
                    + device.nodeMap(Device.TL_DATASTREAM)
                            .string("StreamReceiver")
                            .value());
            WholeFrames first = WholeFrames.take(stream, wanted / 2, LIMIT);
            long copied = stream.statistics().get(Counter.BYTES_COPIED);
            WholeFrames second = WholeFrames.take(stream, wanted - wanted / 2, LIMIT);
            System.out.println(
                    "second half: " + (stream.statistics().get(Counter.BYTES_COPIED) - copied) + " bytes copied");
            System.out.println(first.incomplete() + second.incomplete() + " incomplete");
            System.out.println(wanted + " whole, " + (first.badBytes() + second.badBytes()) + " bad bytes, foreign "
                    + (stream.statistics().get(Counter.PACKETS_FOREIGN_SOURCE) > 0 ? "counted" : "none"));
        }
    }
}
