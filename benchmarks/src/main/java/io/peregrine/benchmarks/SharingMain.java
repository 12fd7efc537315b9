package io.peregrine.benchmarks;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.OpenOptions;
import io.peregrine.distribution.DistributionSettings;
import io.peregrine.distribution.FramePublisher;
import io.peregrine.distribution.PublisherSettings;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Three workers share the frames of one camera, by a queue ({@code PublisherSettings.withShared}) and by number (frame
 * id modulo 3: a publisher for each worker), in turn: with equal workers, and with one that is slower than its third.
 * Work is a pause, so that the figures are those of the choice and not of the processor.
 */
final class SharingMain {
    private static final int WORKERS = 3;
    private static final int RATE = 60;
    private static final int ROUNDS = 3;
    private static final int FRAMES = 5 * RATE;
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 960;
    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int FLOW_SETS = 4;
    /** Of all publishers together. */
    private static final int QUEUE_FRAMES = 12;

    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(10);

    private SharingMain() {}

    /** What one way did. */
    private record Result(long used, long dropped, long slowest, double middleMillis, double lateMillis) {}

    public static void main(String[] arguments) {
        System.out.println("| shared by | workers | frames | used | dropped | at the first worker | p50 ms | p99 ms |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        // The first runs compile.
        run(true, false);
        run(false, false);
        for (int round = 0; round < ROUNDS; round++) {
            for (boolean slowed : new boolean[] {false, true}) {
                for (boolean queue : new boolean[] {true, false}) {
                    Result result = run(queue, slowed);
                    System.out.printf(
                            Locale.ROOT,
                            "| %s | %s | %d | %d | %d | %d | %.1f | %.1f |%n",
                            queue ? "queue" : "number",
                            slowed ? "first one slow" : "equal",
                            FRAMES,
                            result.used(),
                            result.dropped(),
                            result.slowest(),
                            result.middleMillis(),
                            result.lateMillis());
                }
            }
        }
    }

    private static Result run(boolean queue, boolean slowed) {
        List<FramePublisher> publishers = new ArrayList<>();
        List<Worker> workers = new ArrayList<>();
        long[] published = new long[FRAMES + 1];
        try {
            List<String> routes = new ArrayList<>();
            for (int i = 0; i < (queue ? 1 : WORKERS); i++) {
                routes.add("from:127.0.0.1:" + freePort());
                publishers.add(FramePublisher.start(PublisherSettings.of("share-" + i, routes.get(i))
                        .withShared(queue)
                        .withQueueFrames(queue ? QUEUE_FRAMES : QUEUE_FRAMES / WORKERS)
                        .withFrameBytes(WIDTH * HEIGHT + (1 << 16))));
            }
            System.setProperty(DistributionSettings.ROUTES, String.join(",", routes));
            // By number, the publisher must not drop what its worker has no memory for, if it can wait.
            System.setProperty(DistributionSettings.SLOW, "wait");
            for (int i = 0; i < WORKERS; i++) {
                workers.add(new Worker(queue ? "share-0" : "share-" + i, slowed && i == 0 ? SLOW_NANOS : WORK_NANOS));
            }
            await(publishers, queue);
            publish(publishers, published);
            // What waits at a worker is used in that time.
            LockSupport.parkNanos(SETTLE_NANOS);
        } finally {
            publishers.forEach(FramePublisher::close);
            workers.forEach(Worker::close);
        }
        long dropped = publishers.stream()
                .mapToLong(one -> one.statistics().framesDropped())
                .sum();
        return result(workers, published, dropped);
    }

    private static void await(List<FramePublisher> publishers, boolean queue) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < OPEN_LIMIT.toNanos()
                && !publishers.stream()
                        .allMatch(one ->
                                one.connected() && (!queue || one.consumers().size() == WORKERS))) {
            LockSupport.parkNanos(WORK_NANOS);
        }
    }

    private static void publish(List<FramePublisher> publishers, long[] published) {
        long period = TimeUnit.SECONDS.toNanos(1) / RATE;
        long begin = System.nanoTime();
        for (int id = 1; id <= FRAMES; id++) {
            while (System.nanoTime() - begin < id * period) {
                LockSupport.parkNanos(begin + id * period - System.nanoTime());
            }
            published[id] = System.nanoTime();
            try (Composite frame = Composite.of(container(id))) {
                publishers.get(id % publishers.size()).publish(frame);
            }
        }
    }

    private static ByteBuffer container(long id) {
        byte[] descriptor = GenDcDescriptor.builder()
                .id(id)
                .component(component -> component
                        .typeId(1)
                        .format(PfncCodes.MONO8)
                        .timestamp(1)
                        .part2d(part -> part.format(PfncCodes.MONO8).size(WIDTH, HEIGHT)))
                .build()
                .toBytes();
        return ByteBuffer.allocateDirect(descriptor.length + WIDTH * HEIGHT)
                .put(descriptor)
                .clear();
    }

    private static int freePort() {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            return socket.getLocalPort();
        } catch (SocketException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Result result(List<Worker> workers, long[] published, long dropped) {
        List<Double> millis = new ArrayList<>();
        long used = 0;
        for (Worker worker : workers) {
            int count = Math.min(worker.count.get(), FRAMES);
            used += count;
            for (int i = 0; i < count; i++) {
                millis.add((worker.usedAt[i] - published[(int) worker.ids[i]]) / 1e6);
            }
        }
        double[] sorted =
                millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Result(
                used, dropped, workers.get(0).count.get(), sorted[sorted.length / 2], sorted[sorted.length * 99 / 100]);
    }

    /** Works on frames, on a separate thread. */
    private static final class Worker implements AutoCloseable {
        private final Device device;
        private final CompositeStream stream;
        private final Thread thread;
        private final long workNanos;
        private final long[] ids = new long[FRAMES];
        private final long[] usedAt = new long[FRAMES];
        private final AtomicInteger count = new AtomicInteger();
        private volatile boolean closing;

        Worker(String name, long workNanos) {
            this.workNanos = workNanos;
            device = DeviceFactory.open(
                    "aeron:" + name, new OpenOptions(Map.of("FlowSetCount", Integer.toString(FLOW_SETS))));
            stream = device.stream(CompositeStream.class, 0);
            stream.start();
            thread = new Thread(this::work, "worker");
            thread.setDaemon(true);
            thread.start();
        }

        private void work() {
            while (!closing) {
                if (stream.waitFor(POLL) instanceof WaitResult.Ok ok) {
                    try (Composite composite = ok.composite()) {
                        LockSupport.parkNanos(workNanos);
                        int at = count.get();
                        ids[at] = composite.id();
                        usedAt[at] = System.nanoTime();
                        count.set(at + 1);
                    }
                }
            }
        }

        @Override
        public void close() {
            closing = true;
            try {
                thread.join(POLL.toMillis() * 20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            stream.close();
            device.close();
        }
    }
}
