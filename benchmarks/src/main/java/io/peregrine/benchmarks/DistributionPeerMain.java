package io.peregrine.benchmarks;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.distribution.DistributionSettings;
import io.peregrine.distribution.FramePublisher;
import io.peregrine.distribution.PublisherSettings;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.StreamStatistics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * One end of {@link DistributionMain}: {@code publish ROUTE BYTES RATE}, {@code subscribe BYTES}, {@code serve ADDRESS
 * PORT BYTES RATE} and {@code connect ADDRESS PORT BYTES}, the last two by plain TCP, {@code offer} and {@code monitor}
 * with the same arguments through pvAccess, {@code control ADDRESS PACKET BYTES} and {@code listen} with the same from
 * a camera. A rate of 0 is as fast as possible. For each line of standard input it prints its figures since the line
 * before, and ends with the input.
 */
public final class DistributionPeerMain {
    private static final String NAME = "bench";
    private static final int WIDTH = 2000;
    private static final int PAGE = 1024;
    private static final int PAGE_SHIFT = 40;
    /** One is sent while the next is made. */
    private static final int SOURCES = 2;

    private static final int TCP_FRAMES = 10;
    private static final long PARK_NANOS = 200_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final int bytes;
    private final AtomicLong frames = new AtomicLong();
    private final AtomicLong bad = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final Histogram latencies = new Histogram(60_000_000_000L, 3);
    private double processor;
    private long framesBefore;
    private long badBefore;
    private long lostBefore;
    private long since = System.nanoTime();

    private DistributionPeerMain(int bytes) {
        this.bytes = bytes;
    }

    /** Something that runs until the process ends. */
    private interface Work {
        void run() throws Exception;
    }

    /**
     * Sends or receives.
     *
     * @param arguments what the class's documentation says
     * @throws IOException if standard input fails
     */
    public static void main(String[] arguments) throws IOException {
        boolean tcp = List.of("serve", "connect", "offer", "monitor", "control", "listen")
                .contains(arguments[0]);
        int at = tcp ? 3 : arguments[0].equals("publish") ? 2 : 1;
        DistributionPeerMain peer = new DistributionPeerMain(Integer.parseInt(arguments[at]));
        double rate = arguments.length > at + 1 ? Double.parseDouble(arguments[at + 1]) : 0;
        switch (arguments[0]) {
            case "publish" -> peer.background(() -> peer.publish(arguments[1], rate));
            case "subscribe" -> peer.background(peer::subscribe);
            case "offer" ->
                peer.background(() -> PvaWay.offer(
                        address(arguments),
                        peer.bytes,
                        (frame, begin, number) -> stamp(frame, begin, peer.bytes, number),
                        peer.frames::incrementAndGet));
            case "monitor" ->
                peer.background(() -> PvaWay.monitor(address(arguments), frame -> peer.check(frame, 0, true)));
            case "control", "listen" ->
                peer.background(() -> CameraWay.receive(
                        arguments[1],
                        arguments[0].equals("control"),
                        Integer.parseInt(arguments[2]),
                        peer::note,
                        peer.lost));
            case "serve" -> peer.background(() -> peer.serve(address(arguments), rate));
            default -> peer.background(() -> peer.connect(address(arguments)));
        }
        BufferedReader marks = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (marks.readLine() != null) {
            peer.report();
        }
        // A media driver that is left takes its memory with it at the next start.
        System.exit(0);
    }

    private static InetSocketAddress address(String[] arguments) {
        return new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
    }

    private void background(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception e) {
                e.printStackTrace();
                System.exit(1);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private synchronized void report() {
        double spent = ProcessorTime.processSeconds();
        long now = System.nanoTime();
        System.out.printf(
                Locale.ROOT,
                "seconds=%.3f frames=%d bad=%d lost=%d cpu=%.3f p50=%d p999=%d%n",
                (now - since) / 1e9,
                frames.get() - framesBefore,
                bad.get() - badBefore,
                lost.get() - lostBefore,
                spent - processor,
                latencies.getValueAtPercentile(50) / 1000,
                latencies.getValueAtPercentile(99.9) / 1000);
        framesBefore = frames.get();
        badBefore = bad.get();
        lostBefore = lost.get();
        latencies.reset();
        processor = spent;
        since = now;
    }

    // ---- Frames: a number on each page, and the time when they were made

    private static void stamp(ByteBuffer frame, int at, int bytes, long number) {
        for (int page = 0; page < bytes / PAGE; page++) {
            frame.putLong(at + page * PAGE, number ^ (long) page << PAGE_SHIFT);
        }
        frame.putLong(at + 8, System.nanoTime());
    }

    private void check(ByteBuffer frame, int at, boolean complete) {
        long now = System.nanoTime();
        long number = frame.getLong(at);
        boolean good = complete;
        for (int page = 0; good && page < bytes / PAGE; page++) {
            good = frame.getLong(at + page * PAGE) == (number ^ (long) page << PAGE_SHIFT);
        }
        note(good, now, frame.getLong(at + 8));
    }

    private void note(boolean good, long madeNanos) {
        note(good, System.nanoTime(), madeNanos);
    }

    private synchronized void note(boolean good, long now, long madeNanos) {
        if (good) {
            frames.incrementAndGet();
            latencies.recordValue(Math.min(now - madeNanos, latencies.getHighestTrackableValue()));
        } else {
            bad.incrementAndGet();
        }
    }

    /** Waits until the next frame is due. */
    private static long pace(long due, double rate) {
        if (rate == 0) {
            return due;
        }
        while (due - System.nanoTime() > 0) {
            LockSupport.parkNanos(due - System.nanoTime());
        }
        return Math.max(due + (long) (1e9 / rate), System.nanoTime());
    }

    // ---- Through Aeron

    private void publish(String route, double rate) {
        byte[] descriptor = GenDcDescriptor.builder()
                .id(1)
                .component(component -> component
                        .typeId(1)
                        .format(PfncCodes.MONO8)
                        .timestamp(1)
                        .part2d(part -> part.format(PfncCodes.MONO8).size(WIDTH, bytes / WIDTH)))
                .build()
                .toBytes();
        ByteBuffer[] memory = new ByteBuffer[SOURCES];
        Composite[] composites = new Composite[SOURCES];
        for (int i = 0; i < SOURCES; i++) {
            memory[i] = ByteBuffer.allocateDirect(descriptor.length + bytes).order(ByteOrder.LITTLE_ENDIAN);
            memory[i].put(descriptor).rewind();
            composites[i] = Composite.of(memory[i]);
        }
        try (FramePublisher publisher = FramePublisher.start(
                PublisherSettings.of(NAME, route).withQueueFrames(SOURCES).withFrameBytes(descriptor.length + bytes))) {
            long due = System.nanoTime();
            for (long number = 1; publisher.failure().isEmpty(); number++) {
                while (!publisher.connected()) {
                    LockSupport.parkNanos(PARK_NANOS);
                }
                due = pace(due, rate);
                while (done(publisher) < number - SOURCES) {
                    LockSupport.parkNanos(PARK_NANOS);
                }
                int source = (int) (number % SOURCES);
                stamp(memory[source], descriptor.length, bytes, number);
                if (publisher.publish(composites[source])) {
                    frames.incrementAndGet();
                }
            }
            throw new IllegalStateException(publisher.diagnosis().toString());
        }
    }

    private long done(FramePublisher publisher) {
        FramePublisher.Statistics counted = publisher.statistics();
        lost.set(counted.framesDropped());
        return counted.framesPublished() + counted.framesDropped();
    }

    private void subscribe() {
        DistributionSettings.load();
        try (Device device = DeviceFactory.open("aeron:" + NAME);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            while (true) {
                if (!(stream.waitFor(LIMIT) instanceof WaitResult.Ok ok)) {
                    throw new IllegalStateException("No frame came: " + stream.statistics());
                }
                try (Composite composite = ok.composite()) {
                    check(composite.parts().get(0).data().order(ByteOrder.LITTLE_ENDIAN), 0, composite.complete());
                }
                StreamStatistics counted = stream.statistics();
                lost.set(counted.framesLost());
            }
        }
    }

    // ---- By plain TCP

    private void serve(InetSocketAddress address, double rate) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(address);
            while (true) {
                SocketChannel consumer = server.accept();
                background(() -> send(consumer, rate));
            }
        }
    }

    private void send(SocketChannel consumer, double rate) throws IOException {
        try (consumer) {
            consumer.setOption(StandardSocketOptions.TCP_NODELAY, true);
            ByteBuffer frame = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
            long due = System.nanoTime();
            for (long number = 1; true; number++) {
                due = pace(due, rate);
                stamp(frame, 0, bytes, number);
                frame.clear();
                while (frame.hasRemaining()) {
                    consumer.write(frame);
                }
                frames.incrementAndGet();
            }
        }
    }

    private void connect(InetSocketAddress address) throws IOException {
        ByteBuffer[] memory = new ByteBuffer[TCP_FRAMES];
        for (int i = 0; i < TCP_FRAMES; i++) {
            memory[i] = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        try (SocketChannel publisher = SocketChannel.open(address)) {
            for (int number = 0; true; number++) {
                ByteBuffer frame = memory[number % TCP_FRAMES].clear();
                while (frame.hasRemaining()) {
                    if (publisher.read(frame) < 0) {
                        throw new IOException("The sender is gone");
                    }
                }
                check(frame, 0, true);
            }
        }
    }
}
