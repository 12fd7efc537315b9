package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.stream.StreamStatistics.Counter;
import java.time.Duration;

/** Receives a camera's stream, without control unless told otherwise, and tells how and of the whole frames. */
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
        long badBytes = 0;
        long incomplete = 0;
        try (Device device = factory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            System.out.println("joined");
            System.out.println("received by "
                    + device.nodeMap(Device.TL_DATASTREAM)
                            .string("StreamReceiver")
                            .value());
            for (int whole = 0; whole < wanted; ) {
                if (!(stream.waitFor(LIMIT) instanceof WaitResult.Ok ok)) {
                    throw new AssertionError("Only " + whole + " whole frames came: " + stream.diagnosis());
                }
                try (Composite composite = ok.composite()) {
                    if (composite.complete()) {
                        whole++;
                        badBytes += PatternCheck.badBytes(composite);
                    } else if (whole > 0) {
                        incomplete++;
                    }
                }
            }
            System.out.println(incomplete + " incomplete");
            System.out.println(wanted + " whole, " + badBytes + " bad bytes, foreign "
                    + (stream.statistics().get(Counter.PACKETS_FOREIGN_SOURCE) > 0 ? "counted" : "none"));
        }
    }
}
