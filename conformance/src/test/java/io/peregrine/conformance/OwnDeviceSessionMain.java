package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceEvent;
import io.peregrine.device.DeviceFactory;
import io.peregrine.samples.LightingController;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A session with the sample {@link LightingController} in another process for a capture: features, events and frames.
 * Prints what came as {@code name=value}.
 */
final class OwnDeviceSessionMain {
    static final int FRAMES = 10;
    static final int BRIGHT = 127;

    private OwnDeviceSessionMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Device device = DeviceFactory.open(arguments[0])) {
            device.nodes().enumeration("LightControllerSelector").set("Right");
            device.nodes().floating("LightBrightness").set(50);
            device.nodes().bool("LightEnable").set(true);
            listen(device);
            stream(device);
        }
    }

    private static void listen(Device device) throws InterruptedException {
        BlockingQueue<DeviceEvent> heard = new LinkedBlockingQueue<>();
        device.events().onEvent(heard::add);
        device.events().enable("LightFlash");
        for (int flash = 1; flash <= 3; flash++) {
            device.nodes().command("LightStrobe").execute();
            DeviceEvent event = heard.poll(20, TimeUnit.SECONDS);
            if (event != null) {
                System.out.println("event=" + event.name().orElse("") + " "
                        + device.nodes().integer("EventLightFlashCount").value());
            }
        }
    }

    private static void stream(Device device) {
        long bad = 0;
        int whole = 0;
        try (CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            System.out.println(
                    "streamPort=" + device.nodes().integer("GevSCPHostPort").value());
            for (int frame = 0; frame < FRAMES; frame++) {
                try (Composite composite =
                        stream.waitFor(Duration.ofSeconds(20)).toOptional().orElseThrow()) {
                    whole += composite.complete() ? 1 : 0;
                    bad += badBytes(composite.image().orElseThrow().data());
                }
            }
            stream.stop();
        }
        System.out.println("whole=" + whole);
        System.out.println("bad=" + bad);
    }

    /** The left lamp is dark. */
    private static long badBytes(ByteBuffer picture) {
        long bad = 64 * 48 == picture.remaining() ? 0 : 1;
        for (int i = 0; i < picture.remaining(); i++) {
            int expected = i % 64 < 32 ? 0 : BRIGHT;
            bad += (picture.get(picture.position() + i) & 0xFF) == expected ? 0 : 1;
        }
        return bad;
    }
}
