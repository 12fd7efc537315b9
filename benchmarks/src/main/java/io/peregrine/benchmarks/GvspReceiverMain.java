package io.peregrine.benchmarks;

import com.sun.management.GarbageCollectionNotificationInfo;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamDiagnosis;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * The receiver of the GVSP benchmark: {@code NUMBER WARM_UP_SECONDS SECONDS PICTURES|- [NAME=VALUE...]}. With a file of
 * images every frame is compared with it. Prints {@code begin} and {@code end} around what it measures, then a line of
 * figures.
 */
public final class GvspReceiverMain {
    private static final Duration FRAME_LIMIT = Duration.ofMillis(200);
    private static final Path STATUS = Path.of("/proc/self/status");
    /** After this many blocks their ids begin again with 1. */
    static final int BLOCK_IDS = 65535;

    private final AtomicLong good = new AtomicLong();
    private final AtomicLong bad = new AtomicLong();
    /** Frames between those that came, which did not. */
    private final AtomicLong missing = new AtomicLong();

    private final AtomicLong corrupt = new AtomicLong();
    private final MappedByteBuffer pictures;
    private volatile boolean counting;
    private volatile boolean ended;

    private GvspReceiverMain(MappedByteBuffer pictures) {
        this.pictures = pictures;
    }

    /**
     * Receives.
     *
     * @param arguments what the class's documentation says
     * @throws Exception if that fails
     */
    public static void main(String[] arguments) throws Exception {
        MappedByteBuffer pictures = null;
        if (!arguments[3].equals("-")) {
            try (FileChannel channel = FileChannel.open(Path.of(arguments[3]))) {
                pictures = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            }
        }
        List<Device> devices = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            devices.add(open(i, java.util.Arrays.copyOfRange(arguments, 4, arguments.length)));
        }
        new GvspReceiverMain(pictures).run(devices, Double.parseDouble(arguments[1]), Double.parseDouble(arguments[2]));
        System.exit(0);
    }

    /** Opens a camera with parameters, each NAME=VALUE. */
    static Device open(int index, String... parameters) {
        DiscoveryInformation info = DeviceFactory.create(PeregrineSettings.load())
                .await(GvspPictures.camera(index) + ":" + GvspPictures.PORT, Duration.ofSeconds(5));
        for (String parameter : parameters) {
            String[] pair = parameter.split("=", 2);
            info.setParameter(pair[0], pair[1]);
        }
        return DeviceFactory.open(info);
    }

    private void run(List<Device> devices, double warmUpSeconds, double seconds) throws Exception {
        AtomicLong collections = new AtomicLong();
        AtomicLong longestCollection = new AtomicLong();
        watchCollections(collections, longestCollection);
        // What is called for the first time costs a tenth of a second, which would be part of what is measured.
        ProcessorTime.processSeconds();
        ProcessorTime.machineSeconds();
        ProcessorTime.compilerSeconds();
        memoryKilobytes("VmRSS");
        List<CompositeStream> streams = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Device device : devices) {
            CompositeStream stream = device.stream(CompositeStream.class, 0);
            streams.add(stream);
            stream.start();
            Thread thread = new Thread(() -> receive(stream), "user");
            // What a failed user did not receive is no measurement.
            thread.setUncaughtExceptionHandler((failed, cause) -> {
                cause.printStackTrace();
                System.exit(1);
            });
            threads.add(thread);
            thread.start();
        }
        Thread.sleep((long) (warmUpSeconds * 1000));
        System.out.println("begin");
        long drops = sum(streams, Counter.KERNEL_DROPS);
        long noFlowSet = sum(streams, Counter.FRAMES_DROPPED_NO_FLOW_SET);
        long shed = sum(streams, Counter.FRAMES_SHED);
        long gaps = sum(streams, Counter.BLOCK_ID_GAPS);
        collections.set(0);
        longestCollection.set(0);
        long resident = memoryKilobytes("VmRSS");
        double compilers = ProcessorTime.compilerSeconds();
        double machine = ProcessorTime.machineSeconds();
        double process = ProcessorTime.processSeconds();
        long start = System.nanoTime();
        counting = true;
        Thread.sleep((long) (seconds * 500));
        long halfway = memoryKilobytes("VmRSS");
        Thread.sleep((long) (seconds * 500));
        counting = false;
        double elapsed = (System.nanoTime() - start) / 1e9;
        process = ProcessorTime.processSeconds() - process;
        machine = ProcessorTime.machineSeconds() - machine;
        compilers = ProcessorTime.compilerSeconds() - compilers;
        System.out.println("end");
        ended = true;
        for (CompositeStream stream : streams) {
            stream.stop();
        }
        System.out.printf(
                Locale.ROOT,
                "good=%d bad=%d missing=%d corrupt=%d seconds=%.3f process=%.2f machine=%.2f compilers=%.3f"
                        + " collections=%d longestCollection=%d resident=%d residentHalfway=%d residentAtEnd=%d"
                        + " residentMost=%d packets=%d drops=%d"
                        + " foreign=%d requested=%d resent=%d late=%d noFlowSet=%d shed=%d gaps=%d lostPackets=%d%n",
                good.get(),
                bad.get(),
                missing.get(),
                corrupt.get(),
                elapsed,
                process,
                machine,
                compilers,
                collections.get(),
                longestCollection.get(),
                resident,
                halfway,
                memoryKilobytes("VmRSS"),
                memoryKilobytes("VmHWM"),
                sum(streams, Counter.PACKETS_RECEIVED),
                sum(streams, Counter.KERNEL_DROPS) - drops,
                sum(streams, Counter.PACKETS_FOREIGN_SOURCE),
                sum(streams, Counter.RESENDS_REQUESTED),
                sum(streams, Counter.RESENDS_RECEIVED),
                sum(streams, Counter.PACKETS_LATE),
                sum(streams, Counter.FRAMES_DROPPED_NO_FLOW_SET) - noFlowSet,
                sum(streams, Counter.FRAMES_SHED) - shed,
                sum(streams, Counter.BLOCK_ID_GAPS) - gaps,
                // Of the whole run.
                streams.stream()
                        .mapToLong(stream -> StreamDiagnosis.notReceived(stream.statistics()))
                        .sum());
        for (Thread thread : threads) {
            thread.join();
        }
        streams.forEach(CompositeStream::close);
        devices.forEach(Device::close);
    }

    private void receive(CompositeStream stream) {
        long last = 0;
        while (!ended) {
            if (stream.waitFor(FRAME_LIMIT) instanceof WaitResult.Ok ok) {
                try (Composite composite = ok.composite()) {
                    boolean counted = counting;
                    long skipped = Math.floorMod(composite.blockId() - last - 1, BLOCK_IDS);
                    missing.addAndGet(counted && last > 0 ? skipped : 0);
                    last = composite.blockId();
                    (composite.complete() ? good : bad).addAndGet(counted ? 1 : 0);
                    if (composite.complete() && pictures != null && !asSent(composite)) {
                        corrupt.incrementAndGet();
                    }
                }
            }
        }
    }

    private boolean asSent(Composite composite) {
        Item image = composite.image().orElseThrow();
        int picture = (int) ((composite.blockId() - 1) % GvspPictures.COUNT);
        return image.data().equals(pictures.slice(picture * GvspPictures.BYTES, GvspPictures.BYTES));
    }

    private static long sum(List<CompositeStream> streams, Counter counter) {
        return streams.stream()
                .mapToLong(each -> each.statistics().get(counter))
                .sum();
    }

    private static void watchCollections(AtomicLong count, AtomicLong longestMillis) {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(
                        (notification, handback) -> {
                            GarbageCollectionNotificationInfo info =
                                    GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
                            count.incrementAndGet();
                            longestMillis.accumulateAndGet(info.getGcInfo().getDuration(), Math::max);
                        },
                        null,
                        null);
            }
        }
    }

    private static long memoryKilobytes(String what) throws IOException {
        for (String line : Files.readAllLines(STATUS)) {
            if (line.startsWith(what + ":")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException(STATUS + " does not report " + what);
    }
}
