package io.peregrine.benchmarks;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.genapi.CommandNode;
import io.peregrine.stream.StreamStatistics.Counter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The receiver of the latency benchmark: {@code NUMBER WARM_UP_SECONDS SECONDS ARRIVALS stream|trigger
 * [NAME=VALUE...]}. Writes the file ARRIVALS ({@link Arrivals}). With {@code trigger} each frame is asked for by a
 * software trigger. Without a warm-up the start of the streams is measured too, after a pause of N seconds if the
 * warm-up is -N. Prints {@code begin} and {@code end} around what it measures, then a line of figures.
 */
public final class LatencyReceiverMain {
    private static final Duration FRAME_LIMIT = Duration.ofMillis(200);
    private static final int TRIGGER_PAUSE_MILLIS = 5;

    private final Arrivals arrivals = new Arrivals();
    private final AtomicLong good = new AtomicLong();
    private final AtomicLong bad = new AtomicLong();
    private final AtomicLong missing = new AtomicLong();
    private final boolean fromStart;
    private final boolean triggered;
    private volatile boolean counting;
    private volatile boolean ended;

    private LatencyReceiverMain(boolean fromStart, boolean triggered) {
        this.fromStart = fromStart;
        this.triggered = triggered;
        counting = fromStart;
    }

    /**
     * Receives.
     *
     * @param arguments what the class's documentation says
     * @throws Exception if that fails
     */
    public static void main(String[] arguments) throws Exception {
        double warmUp = Double.parseDouble(arguments[1]);
        new LatencyReceiverMain(warmUp <= 0, arguments[4].equals("trigger"))
                .run(
                        Integer.parseInt(arguments[0]),
                        warmUp,
                        Double.parseDouble(arguments[2]),
                        Path.of(arguments[3]),
                        Arrays.copyOfRange(arguments, 5, arguments.length));
        System.exit(0);
    }

    private void run(int number, double warmUp, double seconds, Path file, String... parameters) throws Exception {
        // What is called for the first time costs a tenth of a second, which would be part of what is measured.
        ProcessorTime.processSeconds();
        ProcessorTime.machineSeconds();
        ProcessorTime.compilerSeconds();
        double openingProcess = -ProcessorTime.processSeconds();
        double opening = -seconds();
        List<Device> devices = new ArrayList<>();
        List<CompositeStream> streams = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Device device = GvspReceiverMain.open(i, parameters);
            devices.add(device);
            if (triggered) {
                device.nodes().enumeration("TriggerMode").set("On");
            }
            streams.add(device.stream(CompositeStream.class, 0));
        }
        openingProcess += ProcessorTime.processSeconds();
        opening += seconds();
        Thread.sleep((long) (Math.max(0, -warmUp) * 1000));
        Measured before = Measured.now();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            streams.get(i).start();
            threads.add(user(i, devices.get(i), streams.get(i)));
        }
        double starting = seconds() - before.time;
        long[] dropsBefore = counters(streams);
        if (!fromStart) {
            Thread.sleep((long) (warmUp * 1000));
            before = Measured.now();
            dropsBefore = counters(streams);
            counting = true;
        }
        System.out.println("begin");
        Thread.sleep((long) (seconds * 1000));
        counting = false;
        Measured after = Measured.now();
        System.out.println("end");
        ended = true;
        long[] drops = counters(streams);
        streams.forEach(CompositeStream::stop);
        for (Thread thread : threads) {
            thread.join();
        }
        arrivals.write(file);
        System.out.printf(
                Locale.ROOT,
                "good=%d bad=%d missing=%d seconds=%.3f process=%.3f machine=%.2f compilers=%.3f open=%.4f"
                        + " openProcess=%.3f start=%.4f drops=%d requested=%d noFlowSet=%d shed=%d%n",
                good.get(),
                bad.get(),
                missing.get(),
                after.time - before.time,
                after.process - before.process,
                after.machine - before.machine,
                after.compilers - before.compilers,
                opening,
                openingProcess,
                starting,
                drops[0] - dropsBefore[0],
                drops[1] - dropsBefore[1],
                drops[2] - dropsBefore[2],
                drops[3] - dropsBefore[3]);
        streams.forEach(CompositeStream::close);
        devices.forEach(Device::close);
    }

    /** Time and processor time so far, in seconds. */
    private record Measured(double time, double process, double machine, double compilers) {
        static Measured now() throws Exception {
            double compilers = ProcessorTime.compilerSeconds();
            double machine = ProcessorTime.machineSeconds();
            return new Measured(seconds(), ProcessorTime.processSeconds(), machine, compilers);
        }
    }

    private static double seconds() {
        return System.nanoTime() / 1e9;
    }

    private static long[] counters(List<CompositeStream> streams) {
        return List.of(
                        Counter.KERNEL_DROPS,
                        Counter.RESENDS_REQUESTED,
                        Counter.FRAMES_DROPPED_NO_FLOW_SET,
                        Counter.FRAMES_SHED)
                .stream()
                .mapToLong(counter -> streams.stream()
                        .mapToLong(each -> each.statistics().get(counter))
                        .sum())
                .toArray();
    }

    private Thread user(int index, Device device, CompositeStream stream) {
        Thread thread = new Thread(
                () -> {
                    try {
                        receive(index, stream, triggered ? device.nodes().command("TriggerSoftware") : null);
                    } catch (Exception e) {
                        // What a failed user did not receive is no measurement.
                        e.printStackTrace();
                        System.exit(1);
                    }
                },
                "user-" + index);
        thread.start();
        return thread;
    }

    private void receive(int index, CompositeStream stream, CommandNode trigger) throws InterruptedException {
        long last = 0;
        while (!ended) {
            long asked = 0;
            if (trigger != null) {
                Thread.sleep(TRIGGER_PAUSE_MILLIS);
                asked = System.nanoTime();
                trigger.execute();
            }
            WaitResult result = stream.waitFor(FRAME_LIMIT);
            long arrived = System.nanoTime();
            if (result instanceof WaitResult.Ok ok) {
                try (Composite composite = ok.composite()) {
                    long block = composite.blockId();
                    if (counting) {
                        boolean complete = composite.complete();
                        (complete ? good : bad).incrementAndGet();
                        missing.addAndGet(
                                last > 0 || fromStart
                                        ? Math.floorMod(block - last - 1, GvspReceiverMain.BLOCK_IDS)
                                        : 0);
                        if (complete) {
                            arrivals.add(index, block, asked, arrived);
                        }
                    }
                    last = block;
                }
            }
        }
    }
}
