package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.List;

/**
 * Streams for ever. Arguments: name of the camera, heartbeat timeout in milliseconds.
 */
final class StreamingClientMain {
    private StreamingClientMain() {}

    /** Starts it as a process of its own, which says "streaming" when it does. */
    static ChildProcess start(VirtualCamera camera, Duration heartbeat) {
        return ChildProcess.start(ChildProcess.java(
                List.of(),
                StreamingClientMain.class.getName(),
                List.of(Loopback.name(camera), Long.toString(heartbeat.toMillis()))));
    }

    public static void main(String[] arguments) {
        try (Device device = DeviceFactory.open(arguments[0]);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            device.nodes().integer("GevHeartbeatTimeout").set(Long.parseLong(arguments[1]));
            stream.start();
            int frames = 0;
            for (Composite composite : stream) {
                try (composite) {
                    if (++frames == 20) {
                        System.out.println("streaming");
                    }
                }
            }
        }
    }
}
