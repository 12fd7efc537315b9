package io.peregrine.benchmarks;

import io.peregrine.genapi.CachingMode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.Description;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import io.peregrine.genapi.Visibility;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What a device description takes: memory of the parsed description and of its node map, time to load it and to read an
 * integer that is known, in time of the processor, which does not depend on what else the machine does, and how often
 * the port is asked when all features for beginners are read, the first and the second time, with and without reading
 * ahead.
 */
public final class GenApiFootprintMain {
    private static final int COPIES = 10;
    private static final int LOADS = 60;
    private static final int WARM_AFTER = 30;
    private static final int READS = 1_000_000;
    private static final int ROUNDS = 10;

    /** What is made goes here, or it need not be made. */
    static volatile NodeMap last;

    /** What is read. */
    static volatile long lastSum;

    private GenApiFootprintMain() {}

    /** Registers that are all zero, and count what is asked of them. */
    private static final class ZeroPort implements Port {
        long reads;
        long transfers;

        @Override
        public void read(long address, ByteBuffer destination) {
            reads++;
            transfers++;
            fill(destination);
        }

        @Override
        public void read(List<Request> requests) {
            reads += requests.size();
            transfers++;
            requests.forEach(request -> fill(request.destination()));
        }

        private static void fill(ByteBuffer destination) {
            while (destination.hasRemaining()) {
                destination.put((byte) 0);
            }
        }

        @Override
        public void write(long address, ByteBuffer source) {
            source.position(source.limit());
        }
    }

    /**
     * Measures and prints.
     *
     * @param arguments the file with the description
     */
    public static void main(String[] arguments) throws IOException {
        byte[] xml = Files.readAllBytes(Path.of(arguments[0]));
        NodeMap nodes = NodeMap.load(xml, new ZeroPort());
        System.out.printf(
                Locale.ROOT,
                "%s %s: %d bytes, %d nodes, %d features%n",
                nodes.vendorName(),
                nodes.modelName(),
                xml.length,
                nodes.nodes().size(),
                nodes.features().size());

        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long[] wall = new long[LOADS];
        long[] processor = new long[LOADS];
        last = nodes;
        for (int i = 0; i < LOADS; i++) {
            long begin = System.nanoTime();
            long processorBegin = threads.getCurrentThreadCpuTime();
            last = NodeMap.load(xml, new ZeroPort());
            processor[i] = threads.getCurrentThreadCpuTime() - processorBegin;
            wall[i] = System.nanoTime() - begin;
        }
        System.out.printf(
                Locale.ROOT,
                "load, warm median: %.1f ms, of which the thread had a processor %.1f ms%n",
                median(wall) / 1e6,
                median(processor) / 1e6);

        List<Object> kept = new ArrayList<>();
        long before = usedBytes();
        for (int i = 0; i < COPIES; i++) {
            kept.add(Description.parse(xml));
        }
        long descriptions = usedBytes();
        for (int i = 0; i < COPIES; i++) {
            kept.add(((Description) kept.get(i)).nodeMap(new ZeroPort()));
        }
        long maps = usedBytes();
        System.out.printf(
                Locale.ROOT,
                "memory: description %.2f MB, node map %.2f MB more%n",
                (descriptions - before) / 1e6 / COPIES,
                (maps - descriptions) / 1e6 / COPIES);
        kept.clear();

        IntegerNode known = nodes.features().stream()
                .filter(IntegerNode.class::isInstance)
                .map(IntegerNode.class::cast)
                .filter(node -> node.cachingMode() != CachingMode.NO_CACHE && node.readable())
                .findFirst()
                .orElseThrow();
        long nanos = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long begin = threads.getCurrentThreadCpuTime();
            long sum = 0;
            for (int i = 0; i < READS; i++) {
                sum += known.value();
            }
            lastSum = sum;
            nanos = Math.min(nanos, threads.getCurrentThreadCpuTime() - begin);
        }
        System.out.printf(
                Locale.ROOT, "%s, known: %.2f million reads in a second of a processor%n", known, READS * 1e3 / nanos);

        for (boolean ahead : new boolean[] {false, true}) {
            ZeroPort port = new ZeroPort();
            NodeMap fresh = NodeMap.load(xml, port);
            List<Node> beginner = fresh.features(Visibility.BEGINNER);
            read(fresh, beginner, ahead);
            long reads = port.reads;
            long transfers = port.transfers;
            read(fresh, beginner, ahead);
            System.out.printf(
                    Locale.ROOT,
                    "%d features for beginners%s: %d registers in %d transfers, the second time %d in %d%n",
                    beginner.size(),
                    ahead ? ", read ahead" : "",
                    reads,
                    transfers,
                    port.reads - reads,
                    port.transfers - transfers);
        }
    }

    /** Median of the second half. */
    private static long median(long[] nanos) {
        long[] warm = Arrays.copyOfRange(nanos, WARM_AFTER, LOADS);
        Arrays.sort(warm);
        return warm[warm.length / 2];
    }

    private static void read(NodeMap nodes, List<Node> features, boolean ahead) {
        if (ahead) {
            nodes.prefetch(features);
        }
        for (Node feature : features) {
            try {
                if (feature.readable() && !(feature instanceof CommandNode)) {
                    feature.valueAsText();
                }
            } catch (GenApiException e) {
                // Zero is no value of every enumeration.
            }
        }
    }

    /** Memory of the heap in use, after collections. */
    static long usedBytes() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }
}
