package io.peregrine.benchmarks;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.stream.StreamStatistics.Counter;
import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What each thread of the receiving process allocates for a frame of a running stream, from a virtual camera in another
 * process: {@code FRAMES RATE [NAME=VALUE...]}.
 */
public final class AllocationMain {
    private static final Duration FRAME_LIMIT = Duration.ofSeconds(5);

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private AllocationMain() {}

    /**
     * Receives as many frames to warm up as are measured, then those; once with a user who only looks at the composite,
     * once with one who touches every item.
     *
     * @param arguments what the class's documentation says
     * @throws Exception if a process or the stream fails
     */
    public static void main(String[] arguments) throws Exception {
        int frames = Integer.parseInt(arguments[0]);
        Process sender = CompareMain.start(FrameSenderMain.class, List.of("cameras", "1", arguments[1]));
        try (BufferedReader said = sender.inputReader()) {
            if (!"ready".equals(said.readLine())) {
                throw new IllegalStateException("The camera did not start");
            }
            try (Device device =
                            FrameReceiverMain.open(0, java.util.Arrays.copyOfRange(arguments, 2, arguments.length));
                    CompositeStream stream = device.stream(CompositeStream.class, 0)) {
                stream.start();
                for (boolean touch : new boolean[] {false, true}) {
                    receive(stream, frames, touch);
                    Map<String, Long> before = allocated();
                    long packets = stream.statistics().get(Counter.PACKETS_RECEIVED);
                    long sum = receive(stream, frames, touch);
                    Map<String, Long> after = allocated();
                    packets = stream.statistics().get(Counter.PACKETS_RECEIVED) - packets;
                    System.out.printf(
                            Locale.ROOT,
                            "%s: %d frames, %d packets, %d resent, sum %d%n",
                            touch ? "every item touched" : "composites alone",
                            frames,
                            packets,
                            stream.statistics().get(Counter.RESENDS_RECEIVED),
                            sum);
                    after.forEach((name, bytes) -> System.out.printf(
                            Locale.ROOT,
                            "  %-40s %10.1f bytes a frame%n",
                            name,
                            (bytes - before.getOrDefault(name, 0L)) / (double) frames));
                }
            }
        } finally {
            sender.destroy();
        }
        System.exit(0);
    }

    private static long receive(CompositeStream stream, int frames, boolean touch) {
        long sum = 0;
        for (int frame = 0; frame < frames; frame++) {
            if (!(stream.waitFor(FRAME_LIMIT) instanceof WaitResult.Ok ok)) {
                throw new IllegalStateException("No frame came: " + stream.statistics());
            }
            try (Composite composite = ok.composite()) {
                sum += composite.complete() ? 1 : 0;
                if (touch) {
                    for (Item item : composite.items()) {
                        sum += item.width()
                                + item.height()
                                + item.strideBytes()
                                + item.data().remaining();
                    }
                }
            }
        }
        return sum;
    }

    private static Map<String, Long> allocated() {
        Map<String, Long> result = new TreeMap<>();
        for (long id : THREADS.getAllThreadIds()) {
            ThreadInfo info = THREADS.getThreadInfo(id);
            if (info != null) {
                result.merge(info.getThreadName(), THREADS.getThreadAllocatedBytes(id), Long::sum);
            }
        }
        return result;
    }
}
