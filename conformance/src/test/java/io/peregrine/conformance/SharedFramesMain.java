package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.OpenOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes its part of a shared stream of a virtual camera, checks each byte and prints a line for each frame, until the
 * publisher ends. Arguments: name of the stream, milliseconds of work for each frame, and the number of frames after
 * which it uses none any longer, but holds three; 0 for never.
 */
final class SharedFramesMain {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** Most frames that a worker holds. */
    static final int FLOW_SETS = 3;

    /** Others that hold fewer frames get the next ones: a third may never come. */
    private static final Duration HOLD_LIMIT = Duration.ofSeconds(1);

    private SharedFramesMain() {}

    public static void main(String[] arguments) {
        long workMillis = Long.parseLong(arguments[1]);
        long last = Long.parseLong(arguments[2]);
        try (Device device = DeviceFactory.open(
                        "aeron:" + arguments[0], new OpenOptions(Map.of("FlowSetCount", Integer.toString(FLOW_SETS))));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            long frames = 0;
            WaitResult result = stream.waitFor(LIMIT);
            while (result instanceof WaitResult.Ok ok) {
                try (Composite composite = ok.composite()) {
                    long bad = composite.complete() ? PatternCheck.badBytes(composite) : -1;
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(workMillis));
                    System.out.println("frame " + composite.blockId() + " bad " + bad);
                }
                if (++frames == last) {
                    hold(stream);
                }
                result = stream.waitFor(LIMIT);
            }
            System.out.println(
                    "ended after " + frames + ", lost " + stream.statistics().framesLost());
        }
    }

    private static void hold(CompositeStream stream) {
        int held = 0;
        for (int i = 0; i < FLOW_SETS; i++) {
            held += stream.waitFor(HOLD_LIMIT) instanceof WaitResult.Ok ? 1 : 0;
        }
        System.out.println("holding " + held);
        while (true) {
            LockSupport.park();
        }
    }
}
