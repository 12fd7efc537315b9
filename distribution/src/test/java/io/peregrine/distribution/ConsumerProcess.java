package io.peregrine.distribution;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;

/** Receives a stream, in a process that tests kill. */
final class ConsumerProcess {
    private ConsumerProcess() {}

    /** Receives the stream of that name, by the system properties. */
    public static void main(String[] arguments) {
        try (Device device = DeviceFactory.open("aeron:" + arguments[0]);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (Composite received : stream) {
                received.close();
                System.out.println("frame");
            }
        }
    }
}
