package io.peregrine.conformance;

import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceEvent;
import io.peregrine.device.DeviceEvents;
import io.peregrine.device.DeviceFactory;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A session with events for a capture, with standard and with extended heads, of the camera whose address is given.
 * Prints the ids of the blocks.
 */
final class EventSessionMain {
    static final int FRAMES = 10;

    private EventSessionMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        for (boolean extended : new boolean[] {false, true}) {
            try (Device device = DeviceFactory.open(arguments[0])) {
                device.nodes().bool("GevGVSPExtendedIDMode").set(extended);
                run(device);
                System.out.println("dropped=" + device.events().statistics().dropped());
                System.out.println("repeated=" + device.events().statistics().repetitions());
            }
        }
    }

    private static void run(Device device) throws InterruptedException {
        BlockingQueue<DeviceEvent> heard = new LinkedBlockingQueue<>();
        DeviceEvents events = device.events();
        events.onEvent(heard::add);
        System.out.println(
                "messagePort=" + device.nodes().integer("GevMCPHostPort").value());
        events.names().forEach(events::enable);
        device.nodes().command("TestEventGenerate").execute();
        device.nodes().integer("AcquisitionFrameCount").set(FRAMES);
        device.nodes().enumeration("AcquisitionMode").set("MultiFrame");
        try (CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (int frame = 0; frame < FRAMES; frame++) {
                if (stream.waitFor(Duration.ofSeconds(10)) instanceof WaitResult.Ok ok) {
                    ok.composite().close();
                }
            }
            for (int i = 0; i < 1 + 3 * FRAMES; i++) {
                DeviceEvent event = heard.poll(10, TimeUnit.SECONDS);
                System.out.println("event=" + event.name().orElseThrow() + " " + event.blockId());
            }
        }
    }
}
