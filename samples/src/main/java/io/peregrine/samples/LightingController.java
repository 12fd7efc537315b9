package io.peregrine.samples;

import static io.peregrine.virtualcamera.DeviceFeature.bool;
import static io.peregrine.virtualcamera.DeviceFeature.command;
import static io.peregrine.virtualcamera.DeviceFeature.enumeration;
import static io.peregrine.virtualcamera.DeviceFeature.floating;

import io.peregrine.virtualcamera.VirtualDevice;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A custom GigE Vision device, without a line of XML: a lighting controller with two lamps, which reports each flash by
 * an event and shows the light in frames.
 */
public final class LightingController {
    private LightingController() {}

    /**
     * Runs the sample until it is interrupted.
     *
     * @param arguments address of the device, 127.0.0.1 when absent, and port, 3956 when absent
     */
    public static void main(String[] arguments) throws InterruptedException {
        double[] percent = new double[2];
        boolean[] lit = new boolean[2];
        BlockingQueue<String> flashes = new LinkedBlockingQueue<>();
        try (VirtualDevice controller = VirtualDevice.builder("Peregrine", "LightingController")
                .bindAddress(arguments.length > 0 ? arguments[0] : "127.0.0.1")
                .port(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3956)
                .serial("LIGHT-1")
                .category(
                        "LightControl",
                        enumeration("LightControllerSelector", "Left", "Right"),
                        bool("LightEnable")
                                .selectedBy("LightControllerSelector")
                                .set((lamp, on) -> lit[lamp] = on),
                        floating("LightBrightness")
                                .range(0, 100)
                                .unit("%")
                                .selectedBy("LightControllerSelector")
                                .set((lamp, value) -> percent[lamp] = value),
                        floating("LightPower")
                                .unit("W")
                                .toolTip("Power that both lamps draw.")
                                .get(() -> 0.2 * ((lit[0] ? percent[0] : 0) + (lit[1] ? percent[1] : 0))),
                        command("LightStrobe", () -> flashes.add("flash " + percent[0] + " " + percent[1])))
                .event("LightFlash", "Count")
                .frames(64, 48, "Mono8", 10, (blockId, frame) -> {
                    while (frame.hasRemaining()) {
                        int lamp = frame.position() % 64 / 32;
                        frame.put((byte) (lit[lamp] ? 2.55 * percent[lamp] : 0));
                    }
                })
                .start()) {
            System.out.println("lighting controller at " + controller.address());
            for (long count = 1; ; count++) {
                System.out.println(flashes.take());
                controller.fire("LightFlash", count);
            }
        }
    }
}
