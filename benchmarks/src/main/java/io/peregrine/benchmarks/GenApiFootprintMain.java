package io.peregrine.benchmarks;

import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.Description;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import io.peregrine.genapi.Visibility;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What a camera description takes: memory of the parsed description and of its node map, time to load it, and how often the
 * port is asked when all features for beginners are read, the first and the second time, with and without reading ahead.
 */
public final class GenApiFootprintMain {
    private static final int COPIES = 10;
    private static final int LOADS = 40;
    private static final int WARM_AFTER = 20;

    /** What is made goes here, or it need not be made. */
    private static volatile NodeMap last;

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

        long[] micros = new long[LOADS];
        last = nodes;
        for (int i = 0; i < LOADS; i++) {
            long begin = System.nanoTime();
            last = NodeMap.load(xml, new ZeroPort());
            micros[i] = (System.nanoTime() - begin) / 1000;
        }
        long[] warm = Arrays.copyOfRange(micros, WARM_AFTER, LOADS);
        Arrays.sort(warm);
        System.out.printf(
                Locale.ROOT,
                "load: first %.1f ms, warm median %.1f ms, worst %.1f ms%n",
                micros[0] / 1e3,
                warm[warm.length / 2] / 1e3,
                warm[warm.length - 1] / 1e3);

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

    private static long usedBytes() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }
}
