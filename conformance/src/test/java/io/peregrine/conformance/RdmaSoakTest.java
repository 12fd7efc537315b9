package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaUnavailableException;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.testing.Needs;
import io.peregrine.testing.OpenFiles;
import io.peregrine.virtualcamera.FaultPlan;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Hours in small: streams by RDMA while packets are lost, reordered, doubled and damaged and connections break, for as
 * many seconds as the system property {@code peregrine.soak.seconds} says.
 */
@ExpectedWarning("The RDMA connection to .* was lost and is made again")
@Timeout(3600)
class RdmaSoakTest {
    private static final String CAMERA = "127.84.0.1";
    private static final String HOST = "127.84.0.2";
    private static final int FLOW_SETS = 32;
    private static final long MEBIBYTE = 1 << 20;
    private static final Duration FRAME_LIMIT = Duration.ofSeconds(10);

    private final long seconds = Long.getLong("peregrine.soak.seconds", 20);

    /** What this process holds. */
    private record Holdings(long heapBytes, long directBytes, long residentBytes, long files, long threads) {
        static Holdings now() {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                    .filter(pool -> pool.getName().equals("direct"))
                    .mapToLong(BufferPoolMXBean::getMemoryUsed)
                    .sum();
            return new Holdings(
                    runtime.totalMemory() - runtime.freeMemory(),
                    direct,
                    resident(),
                    OpenFiles.count(),
                    ManagementFactory.getThreadMXBean().getThreadCount());
        }

        private static long resident() {
            try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
                return lines.filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                        .findFirst()
                        .orElseThrow();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @BeforeEach
    void softwareProviderWorks() throws IOException {
        try {
            RdmaProviders.open("software", (Inet4Address) InetAddress.getByName(CAMERA))
                    .transport()
                    .close();
        } catch (RdmaUnavailableException e) {
            throw Needs.missing("software RDMA: " + e.getMessage());
        }
    }

    private static Scenario scenario() {
        FaultPlan.Rdma rdma = new FaultPlan.Rdma(5, 5, 5, 2, 20, 701, 0, 0, 0, 0);
        FaultPlan faults = new FaultPlan(
                20_26, 0, 0, 0, 0, 0, Duration.ofMillis(2), 0, 0, Duration.ZERO, rdma, FaultPlan.FileFault.NONE);
        return Scenario.builder()
                .bindAddress(CAMERA)
                .port(0)
                .size(160, 96)
                .frameRate(100)
                .flows(Scenario.Flows.PER_COMPONENT)
                .linkSpeedMegabits(0)
                .rdmaProvider("software")
                .faults(faults)
                .build();
    }

    @Test
    void memoryStaysFlatNoThreadIsLeftAndEveryBlockIsAccountedFor() throws InterruptedException {
        List<String> before = libraryThreads();
        StreamStatistics statistics;
        VirtualCamera.Statistics sent;
        Holdings early = Holdings.now();
        Holdings late;
        long badBytes = 0;
        long firstId = 0;
        long lastId = 0;
        long complete = 0;
        long incomplete = 0;
        try (VirtualCamera camera = VirtualCamera.start(scenario())) {
            try (Device device = Loopback.open(
                            camera,
                            "UseRdma",
                            "require",
                            "RdmaProvider",
                            "software",
                            "RdmaInterface",
                            HOST,
                            "FlowSetCount",
                            Integer.toString(FLOW_SETS),
                            // A host that stands still for a moment does not end the stream.
                            "HeartbeatTimeout",
                            "30s");
                    CompositeStream stream = device.stream(CompositeStream.class, 0)) {
                stream.start();
                long start = System.nanoTime();
                long end = start + seconds * 1_000_000_000L;
                long warm = start + seconds * 1_000_000_000L / 4;
                boolean warmedUp = false;
                while (System.nanoTime() < end) {
                    WaitResult result = stream.waitFor(FRAME_LIMIT);
                    if (!(result instanceof WaitResult.Ok ok)) {
                        throw new AssertionError(result + " after " + complete + " frames: "
                                + stream.statistics().asMap() + camera.statistics());
                    }
                    try (Composite composite = ok.composite()) {
                        firstId = firstId == 0 ? composite.blockId() : firstId;
                        lastId = composite.blockId();
                        complete += composite.complete() ? 1 : 0;
                        incomplete += composite.complete() ? 0 : 1;
                        badBytes += composite.complete() ? PatternCheck.badBytes(composite) : 0;
                    }
                    if (!warmedUp && System.nanoTime() > warm) {
                        warmedUp = true;
                        early = Holdings.now();
                    }
                }
                late = Holdings.now();
                stream.stop();
                statistics = stream.statistics();
            }
            sent = camera.statistics();
        }
        long accounted = complete
                + incomplete
                + statistics.get(Counter.FRAMES_DROPPED_UNUSABLE)
                + statistics.get(Counter.BLOCK_ID_GAPS);
        long untaken = statistics.get(Counter.FRAMES_COMPLETE)
                + statistics.get(Counter.FRAMES_INCOMPLETE)
                - complete
                - incomplete;
        long used = sent.rdmaBlocksSent() + sent.rdmaBlocksDropped() + sent.rdmaBlocksBrokenOff();
        long seenIds = lastId - firstId + 1;
        long tail = used - lastId;
        Holdings first = early;
        Holdings last = late;
        long wrong = badBytes;
        String story = statistics.asMap() + " " + sent + " " + first + " " + last + " ids " + firstId + " to " + lastId;
        assertAll(
                story,
                () -> assertEquals(0, wrong, "bad bytes"),
                () -> assertTrue(sent.rdmaBlocksSent() > 30 * seconds, "most blocks were sent"),
                () -> assertTrue(accounted >= seenIds && accounted <= seenIds + tail + untaken, "each block once"),
                () -> assertTrue(tail >= 0 && tail <= 2 * FLOW_SETS, "no block beyond those at the end"),
                () -> assertTrue(
                        statistics.get(Counter.FRAMES_COMPLETE) <= sent.rdmaBlocksSent() + sent.rdmaBlocksBrokenOff(),
                        "no more blocks than were sent"),
                () -> assertTrue(
                        statistics.get(Counter.FRAMES_COMPLETE) + FLOW_SETS >= sent.rdmaBlocksSent(),
                        "what was sent was delivered"),
                () -> assertTrue(last.heapBytes() - first.heapBytes() < 8 * MEBIBYTE, "heap"),
                () -> assertTrue(last.directBytes() - first.directBytes() < MEBIBYTE, "direct memory"),
                () -> assertTrue(last.residentBytes() - first.residentBytes() < 96 * MEBIBYTE, "resident memory"),
                () -> assertTrue(last.files() - first.files() <= 2, "open files"),
                () -> assertTrue(last.threads() - first.threads() <= 2, "threads"),
                () -> assertEquals(before, libraryThreads(), "threads of the library after closing"));
    }

    private static List<String> libraryThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("peregrine"))
                .sorted()
                .toList();
    }
}
