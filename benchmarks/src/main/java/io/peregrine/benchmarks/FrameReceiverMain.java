package io.peregrine.benchmarks;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoverFlags;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.genapi.NodeMap;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import org.HdrHistogram.Histogram;

/**
 * The receiving process: {@code sdk NUMBER WARM_UP_SECONDS SECONDS [NAME=VALUE...]} by the library, the same with
 * {@code tcp} by plain TCP. Prints one line of figures.
 */
public final class FrameReceiverMain {
    private static final Duration FRAME_LIMIT = Duration.ofSeconds(5);
    /** As many frames as the library has memory for by default. */
    private static final int TCP_FRAMES = 10;

    private final Histogram latencies = new Histogram(60_000_000_000L, 3);
    private long frames;
    private long incomplete;

    private FrameReceiverMain() {}

    /** One stream of frames. */
    private interface Source extends AutoCloseable {
        /** Waits for a frame; its latency in nanoseconds, negative if it was not whole. */
        long next() throws InterruptedException, IOException;

        @Override
        void close() throws IOException;
    }

    /**
     * Receives.
     *
     * @param arguments what the class's documentation says
     * @throws Exception if that fails
     */
    public static void main(String[] arguments) throws Exception {
        int number = Integer.parseInt(arguments[1]);
        double warmUp = Double.parseDouble(arguments[2]);
        double seconds = Double.parseDouble(arguments[3]);
        String[] parameters = java.util.Arrays.copyOfRange(arguments, 4, arguments.length);
        new FrameReceiverMain().run(arguments[0].equals("tcp"), number, warmUp, seconds, parameters);
        System.exit(0);
    }

    private void run(boolean tcp, int number, double warmUp, double seconds, String[] parameters) throws Exception {
        List<Source> sources = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            sources.add(tcp ? tcp(i) : sdk(i, parameters));
        }
        CyclicBarrier begin = new CyclicBarrier(number + 1);
        long[] end = new long[1];
        List<Thread> threads = new ArrayList<>();
        for (Source source : sources) {
            Thread thread = new Thread(() -> {
                try {
                    long warm = System.nanoTime() + (long) (warmUp * 1e9);
                    while (System.nanoTime() < warm) {
                        source.next();
                    }
                    begin.await();
                    begin.await();
                    while (System.nanoTime() < end[0]) {
                        note(source.next());
                    }
                } catch (Exception e) {
                    e.printStackTrace();
                    System.exit(1);
                }
            });
            threads.add(thread);
            thread.start();
        }
        // Their classes are loaded before anything is counted.
        ProcessorTime.processSeconds();
        ProcessorTime.compilerSeconds();
        begin.await();
        double processor = ProcessorTime.processSeconds();
        double compilers = ProcessorTime.compilerSeconds();
        long start = System.nanoTime();
        end[0] = start + (long) (seconds * 1e9);
        begin.await();
        for (Thread thread : threads) {
            thread.join();
        }
        double elapsed = (System.nanoTime() - start) / 1e9;
        double spent = ProcessorTime.processSeconds() - processor;
        compilers = ProcessorTime.compilerSeconds() - compilers;
        double gigabytes = frames * (double) Frames.BYTES / 1e9;
        System.out.printf(
                Locale.ROOT,
                "frames=%d incomplete=%d megabytesPerSecond=%.1f p50=%d p90=%d p99=%d p999=%d max=%d"
                        + " processorSecondsPerGigabyte=%.3f compilerSecondsPerGigabyte=%.3f%n",
                frames,
                incomplete,
                gigabytes * 1e3 / elapsed,
                latencies.getValueAtPercentile(50) / 1000,
                latencies.getValueAtPercentile(90) / 1000,
                latencies.getValueAtPercentile(99) / 1000,
                latencies.getValueAtPercentile(99.9) / 1000,
                latencies.getMaxValue() / 1000,
                spent / gigabytes,
                compilers / gigabytes);
        for (Source source : sources) {
            source.close();
        }
    }

    private synchronized void note(long latencyNanos) {
        if (latencyNanos < 0) {
            incomplete++;
        } else {
            frames++;
            latencies.recordValue(Math.min(latencyNanos, latencies.getHighestTrackableValue()));
        }
    }

    /**
     * Opens a camera.
     *
     * @param parameters of opening, each NAME=VALUE
     */
    static Device open(int index, String... parameters) {
        PeregrineSettings settings = PeregrineSettings.load()
                .with(PeregrineSettings.DISCOVERY_ADDRESSES, Frames.camera(index) + ":" + Frames.FIRST_PORT)
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false");
        DiscoveryInformation info = DeviceFactory.create(settings)
                .discover(DiscoverFlags.FIND_ALL, Duration.ofMillis(500))
                .get(0);
        info.setParameter("RdmaInterface", Frames.receiver());
        info.setParameter("UseRdma", "0");
        for (String parameter : parameters) {
            String[] pair = parameter.split("=", 2);
            info.setParameter(pair[0], pair[1]);
        }
        return DeviceFactory.open(info);
    }

    private static Source sdk(int index, String[] parameters) {
        Device device = open(index, parameters);
        long offset = clockOffset(device.nodes());
        CompositeStream stream = device.stream(CompositeStream.class, 0);
        stream.start();
        return new Source() {
            @Override
            public long next() {
                if (!(stream.waitFor(FRAME_LIMIT) instanceof WaitResult.Ok ok)) {
                    throw new IllegalStateException("No frame came: " + stream.statistics());
                }
                try (Composite composite = ok.composite()) {
                    return composite.complete() ? System.nanoTime() - composite.timestamp() - offset : -1;
                }
            }

            @Override
            public void close() {
                stream.close();
                device.close();
            }
        };
    }

    /** What to add to a time of the camera to have ours: from the quickest of several looks at its clock. */
    private static long clockOffset(NodeMap nodes) {
        long best = Long.MAX_VALUE;
        long offset = 0;
        for (int i = 0; i < 50; i++) {
            long before = System.nanoTime();
            nodes.command("TimestampLatch").execute();
            long after = System.nanoTime();
            if (after - before < best) {
                best = after - before;
                offset = before
                        + (after - before) / 2
                        - nodes.integer("TimestampLatchValue").value();
            }
        }
        return offset;
    }

    private static Source tcp(int index) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(Frames.camera(index), Frames.FIRST_PORT));
        ByteBuffer head = ByteBuffer.allocateDirect(16);
        ByteBuffer[][] frames = new ByteBuffer[TCP_FRAMES][Frames.COMPONENT_BYTES.length];
        for (ByteBuffer[] components : frames) {
            for (int i = 0; i < components.length; i++) {
                components[i] = ByteBuffer.allocateDirect(Frames.COMPONENT_BYTES[i]);
            }
        }
        return new Source() {
            private int number;

            @Override
            public long next() throws IOException {
                read(channel, head.clear());
                for (ByteBuffer component : frames[number++ % TCP_FRAMES]) {
                    read(channel, component.clear());
                }
                return System.nanoTime() - head.getLong(8);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    private static void read(SocketChannel channel, ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            if (channel.read(target) < 0) {
                throw new IOException("The sender is gone");
            }
        }
    }
}
