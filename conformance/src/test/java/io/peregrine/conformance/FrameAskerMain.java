package io.peregrine.conformance;

import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Action;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Takes frames of a published stream, and triggers the camera for each of them, so that it is never faster than what
 * this host has the time for. Arguments: name of the stream, address of the camera.
 */
final class FrameAskerMain {
    /** What the camera has to be set to. */
    static final List<String> FEATURES = List.of(
            "ActionDeviceKey=7", "ActionGroupKey=7", "ActionGroupMask=1", "TriggerSource=Action0", "TriggerMode=On");

    private static final Action NEXT_FRAME = Action.of(7, 7, 1);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Frames on their way, at most: half of what a publisher holds with its default of flow sets. */
    private static final int ON_THEIR_WAY = 6;

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / 60;
    /** A frame that takes longer does not come: the publisher did not know yet of anybody who wants it. */
    private static final Duration FIRST_LIMIT = Duration.ofMillis(500);
    /** Frames that take longer do not come: the camera was still busy with the one before. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private FrameAskerMain() {}

    public static void main(String[] arguments) {
        Devices devices =
                DeviceFactory.create(PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
        List<DiscoveryInformation> camera = List.of(devices.await(arguments[1], LIMIT));
        try (Device device = devices.open(devices.await("aeron:" + arguments[0], LIMIT));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            ask(devices, camera);
            while (!(stream.waitFor(FIRST_LIMIT) instanceof WaitResult.Ok ok)) {
                ask(devices, camera);
            }
            ok.composite().close();
            takeAndAsk(stream, () -> ask(devices, camera));
        }
    }

    private static void ask(Devices devices, List<DiscoveryInformation> camera) {
        devices.actions().send(NEXT_FRAME, camera, Duration.ZERO);
    }

    private static void takeAndAsk(CompositeStream stream, Runnable ask) {
        int onTheirWay = 0;
        long due = System.nanoTime();
        while (true) {
            long left = due - System.nanoTime();
            if (onTheirWay < ON_THEIR_WAY && left <= 0) {
                ask.run();
                onTheirWay++;
                due = System.nanoTime() + PERIOD_NANOS;
                continue;
            }
            boolean all = onTheirWay == ON_THEIR_WAY;
            WaitResult result = stream.waitFor(Duration.ofNanos(all ? PATIENCE_NANOS : left));
            if (result instanceof WaitResult.Ok ok) {
                ok.composite().close();
                onTheirWay = Math.max(0, onTheirWay - 1);
            } else if (result instanceof WaitResult.Abort) {
                return;
            } else if (all) {
                onTheirWay = 0;
            }
        }
    }
}
