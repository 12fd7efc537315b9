package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.virtualcamera.TestPattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Streams from a camera and says what came. Arguments: what to do ({@code frames}, {@code forever}, {@code hold}),
 * address and port of the camera, number of frames, and parameters as {@code NAME=VALUE}.
 *
 * <ul>
 *   <li>{@code frames}: takes so many frames, every byte checked;
 *   <li>{@code forever}: streams until something ends it;
 *   <li>{@code hold}: keeps so many frames, all flow sets of the pool, for a second, then goes on.
 * </ul>
 */
final class RdmaClientMain {
    private static final Duration FRAME_LIMIT = Duration.ofSeconds(20);
    private static final long MAX_HELD_MILLIS = 1000;
    private static final int MAX_DIGESTS = 60;

    private long complete;
    private long incomplete;
    private long badBytes;
    private final List<String> digests = new ArrayList<>();

    private RdmaClientMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        String[] parameters = new String[2 * (arguments.length - 3)];
        for (int i = 3; i < arguments.length; i++) {
            String[] pair = arguments[i].split("=", 2);
            parameters[2 * (i - 3)] = pair[0];
            parameters[2 * (i - 3) + 1] = pair[1];
        }
        new RdmaClientMain().run(arguments[0], arguments[1], Integer.parseInt(arguments[2]), parameters);
    }

    private void run(String what, String camera, int frames, String[] parameters) throws InterruptedException {
        try (Device device = Loopback.open(camera, parameters);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            System.out.println("mode=" + device.streamingMode());
            System.out.println("protocol=" + device.streamingMode().protocol());
            System.out.println("node="
                    + device.nodeMap(Device.TL_DEVICE)
                            .enumeration("GevDataStreamingMode")
                            .value());
            switch (what) {
                case "frames" -> take(stream, frames);
                case "forever" -> forever(stream);
                case "hold" -> hold(stream, frames);
                default -> throw new IllegalArgumentException(what);
            }
            stream.stop();
            System.out.println("complete=" + complete);
            System.out.println("incomplete=" + incomplete);
            System.out.println("badBytes=" + badBytes);
            System.out.println("digests=" + String.join(",", digests));
            for (Counter counter : Counter.values()) {
                System.out.println(counter + "=" + stream.statistics().get(counter));
            }
        }
    }

    private boolean takeOne(CompositeStream stream) throws InterruptedException {
        WaitResult result = stream.waitFor(FRAME_LIMIT);
        if (result instanceof WaitResult.Ok ok) {
            try (Composite composite = ok.composite()) {
                look(composite);
            }
            return true;
        }
        System.out.println("end=" + result);
        System.out.println(
                "failure=" + stream.failure().map(Throwable::getMessage).orElse(""));
        return false;
    }

    private void look(Composite composite) {
        if (composite.complete()) {
            complete++;
            CRC32 digest = new CRC32();
            for (Item item : composite.items()) {
                badBytes += TestPattern.countBadBytes(
                        item.typeId(), item.format().code(), composite.id(), item.width(), item.height(), item.data());
                digest.update((int) item.typeId());
                digest.update(item.data().duplicate());
            }
            if (digests.size() < MAX_DIGESTS) {
                digests.add(composite.blockId() + ":" + Long.toHexString(digest.getValue()));
            }
        } else {
            incomplete++;
        }
    }

    private void take(CompositeStream stream, int frames) throws InterruptedException {
        for (int i = 0; i < frames && takeOne(stream); i++) {
            if (i == 9) {
                System.out.println("streaming");
            }
        }
    }

    private void forever(CompositeStream stream) throws InterruptedException {
        take(stream, Integer.MAX_VALUE);
    }

    private void hold(CompositeStream stream, int flowSets) throws InterruptedException {
        List<Composite> held = new ArrayList<>();
        while (held.size() < flowSets && stream.waitFor(FRAME_LIMIT) instanceof WaitResult.Ok ok) {
            held.add(ok.composite());
        }
        System.out.println("held=" + held.size());
        long lastHeld = held.get(held.size() - 1).blockId();
        // Nothing can come meanwhile.
        WaitResult nothing = stream.waitFor(Duration.ofMillis(MAX_HELD_MILLIS));
        System.out.println("meanwhile=" + nothing.status());
        for (Composite composite : held) {
            look(composite);
            composite.close();
        }
        long first = 0;
        for (int i = 0; i < flowSets * 2; i++) {
            WaitResult result = stream.waitFor(FRAME_LIMIT);
            if (result instanceof WaitResult.Ok ok) {
                try (Composite composite = ok.composite()) {
                    first = first == 0 ? composite.blockId() : first;
                    look(composite);
                }
            }
        }
        System.out.println("skipped=" + (first - lastHeld - 1));
    }
}
