package io.peregrine.samples;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Connection;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoveryInformation;
import java.time.Duration;

/**
 * Streams from a camera that may be unplugged, restarted or assigned another address meanwhile: it is found again and
 * set up as before, and the stream continues.
 */
public final class ReconnectingAcquisition {
    private ReconnectingAcquisition() {}

    /**
     * Runs the sample.
     *
     * @param arguments the number of frames, 1000 when absent
     */
    public static void main(String[] arguments) {
        int frames = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;

        DiscoveryInformation info = DeviceFactory.first();
        info.setParameter("Reconnect", "1").setParameter("ReconnectTimeout", "10min");
        try (Device device = DeviceFactory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            device.connection().onState(event -> print(device, event));
            stream.start();
            while (frames > 0) {
                WaitResult result = stream.waitFor(Duration.ofSeconds(1));
                if (result instanceof WaitResult.Ok ok) {
                    try (Composite composite = ok.composite()) {
                        System.out.println(
                                "frame " + composite.blockId() + (composite.complete() ? "" : " INCOMPLETE"));
                    }
                    frames--;
                } else if (result instanceof WaitResult.Abort abort) {
                    throw new IllegalStateException(
                            "The camera did not come back in time: " + abort.end(),
                            abort.cause().orElse(null));
                } else {
                    System.out.println("no frame yet, " + device.connection().state());
                }
            }
            stream.stop();
        }
    }

    /** Called on a dedicated thread. */
    private static void print(Device device, Connection.Event event) {
        System.out.println(event.state() + " " + device.info().address().getHostAddress()
                + event.cause().map(cause -> ": " + cause.getMessage()).orElse(""));
        event.problems().forEach(problem -> System.out.println("not restored: " + problem));
    }
}
