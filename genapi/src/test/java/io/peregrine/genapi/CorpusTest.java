package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real camera descriptions, read where they lie; skipped where they are not. */
@Timeout(600)
class CorpusTest {
    private static final long SEED = 4711;

    @TempDir
    static Path folder;

    private static List<Path> unpacked = List.of();

    private static synchronized List<Path> files() throws IOException, InterruptedException {
        if (unpacked.isEmpty()) {
            unpacked = Corpus.files(folder);
            assertFalse(unpacked.isEmpty(), "the collection holds descriptions");
        }
        return unpacked;
    }

    private static NodeMap load(Path file, Port port) throws IOException {
        return NodeMap.load(Files.readAllBytes(file), port);
    }

    /** Reads everything of a node; errors must be of the kinds that are documented, and say which node. */
    private static void read(NodeMap nodes, String file, List<String> surprises) {
        for (Node node : nodes.nodes()) {
            try {
                node.accessMode();
                node.cachingMode();
                if (node.readable()
                        && !(node instanceof CategoryNode)
                        && !node.kind().equals("Port")) {
                    node.valueAsText();
                }
                if (node instanceof IntegerNode integer && node.readable()) {
                    integer.min();
                    integer.max();
                    integer.increment();
                } else if (node instanceof FloatNode floating && node.readable()) {
                    floating.min();
                    floating.max();
                    floating.displayText();
                }
            } catch (GenApiException e) {
                if (e.getMessage() == null || e.getCause() instanceof Error) {
                    surprises.add(file + " " + node + ": " + e);
                }
            } catch (RuntimeException | StackOverflowError e) {
                surprises.add(file + " " + node + ": " + e);
            }
        }
    }

    @Test
    void everyNodeReadsOrSaysWhyNotWhenRegistersAreZero() throws IOException, InterruptedException {
        List<String> surprises = new ArrayList<>();
        for (Path file : files()) {
            read(
                    load(file, new SyntheticRegisters(false, 0)),
                    file.getFileName().toString(),
                    surprises);
        }
        assertEquals(List.of(), surprises);
    }

    @Test
    void everyNodeReadsOrSaysWhyNotWhenRegistersAreRandom() throws IOException, InterruptedException {
        List<String> surprises = new ArrayList<>();
        for (Path file : files()) {
            read(
                    load(file, new SyntheticRegisters(true, SEED)),
                    file.getFileName().toString(),
                    surprises);
        }
        assertEquals(List.of(), surprises);
    }

    @Test
    void noNodeIsLostToProblems() throws IOException, InterruptedException {
        List<String> broken = new ArrayList<>();
        for (Path file : files()) {
            NodeMap map = load(file, new SyntheticRegisters(false, 0));
            map.nodes().stream()
                    .filter(BrokenNode.class::isInstance)
                    .forEach(node -> broken.add(file.getFileName() + " " + node));
        }
        assertEquals(List.of(), broken);
    }

    @Test
    void constructsAreCountedAsTheIndexCountsThem() throws IOException, InterruptedException {
        List<List<String>> index = Corpus.table("index.csv");
        List<String> head = index.get(0);
        Map<String, List<String>> rows = new HashMap<>();
        index.forEach(row -> rows.put(row.get(0), row));
        Map<String, Integer> totals = new TreeMap<>();
        List<String> differences = new ArrayList<>();
        for (Path file : files()) {
            List<String> row = rows.get(file.getFileName().toString());
            assertTrue(row != null, file + " is in the index");
            Map<String, Integer> counts =
                    Description.parse(Files.readAllBytes(file)).constructs();
            for (int column = 0; column < head.size(); column++) {
                String construct = head.get(column);
                if (construct.startsWith("n:")) {
                    String name = construct.substring(2);
                    int expected = Integer.parseInt(row.get(column));
                    int counted = counts.getOrDefault(name, 0);
                    totals.merge(name, counted, Integer::sum);
                    if (counted != expected) {
                        differences.add(file.getFileName() + ": " + name + " " + counted + " instead of " + expected);
                    }
                }
            }
        }
        totals.forEach((name, count) -> System.out.println(name + ": " + count));
        assertEquals(List.of(), differences);
    }

    /** Sets a feature and reads it back. */
    private static void round(Node feature, String text, String file, Map<String, Integer> outcome, List<String> odd) {
        try {
            feature.setFromText(text);
            outcome.merge("set", 1, Integer::sum);
            if (feature.readable()) {
                String back = feature.valueAsText();
                outcome.merge(same(feature, text, back) ? "same" : "different", 1, Integer::sum);
            }
        } catch (GenApiException e) {
            outcome.merge(e.getClass().getSimpleName(), 1, Integer::sum);
            if (e.getMessage() == null) {
                odd.add(file + " " + feature + ": " + e);
            }
        } catch (RuntimeException | StackOverflowError e) {
            odd.add(file + " " + feature + " = " + text + ": " + e);
        }
    }

    static boolean same(Node feature, String one, String other) {
        if (feature instanceof FloatNode) {
            double a = Double.parseDouble(one);
            double b = Double.parseDouble(other);
            return Math.abs(a - b) <= 1e-3 * Math.max(1, Math.max(Math.abs(a), Math.abs(b)));
        }
        if (feature instanceof IntegerNode integer) {
            return Numbers.parse("", one, integer.representation())
                    == Numbers.parse("", other, integer.representation());
        }
        return one.equals(other);
    }

    static List<String> values(Node feature) {
        if (feature instanceof IntegerNode integer) {
            long min = integer.min();
            long max = integer.max();
            long step = integer.increment();
            if (max < min) {
                return List.of();
            }
            long steps = Long.divideUnsigned(max - min, step);
            return List.of(
                    Long.toString(min),
                    Long.toString(min + steps * step),
                    Long.toString(min + Long.divideUnsigned(steps, 2) * step));
        }
        if (feature instanceof FloatNode floating) {
            double min = floating.min();
            double max = floating.max();
            return List.of(Double.toString(min), Double.toString(max), Double.toString(min / 2 + max / 2));
        }
        if (feature instanceof BooleanNode) {
            return List.of("true", "false");
        }
        if (feature instanceof EnumerationNode enumeration) {
            return enumeration.symbols();
        }
        return feature instanceof StringNode ? List.of("", "ab") : List.of();
    }

    @Test
    void writableFeaturesTakeTheirSmallestLargestAndMiddleValue() throws IOException, InterruptedException {
        Map<String, Integer> outcome = new TreeMap<>();
        List<String> odd = new ArrayList<>();
        for (Path file : files()) {
            NodeMap nodes = load(file, new SyntheticRegisters(false, 0));
            for (Node feature : nodes.features()) {
                List<String> values = List.of();
                try {
                    if (feature.writable()) {
                        values = values(feature);
                    }
                } catch (GenApiException e) {
                    outcome.merge("no range: " + e.getClass().getSimpleName(), 1, Integer::sum);
                } catch (RuntimeException | StackOverflowError e) {
                    odd.add(file.getFileName() + " " + feature + ": " + e);
                }
                for (String value : values) {
                    round(feature, value, file.getFileName().toString(), outcome, odd);
                }
            }
        }
        outcome.forEach((what, count) -> System.out.println(what + ": " + count));
        assertEquals(List.of(), odd);
        int same = outcome.getOrDefault("same", 0);
        assertTrue(
                outcome.getOrDefault("GenApiRangeException", 0) < 20,
                "values of the range are taken, but by converters that make no number of it: " + outcome);
        assertTrue(
                same > 20 * outcome.getOrDefault("different", 0),
                "values read back are those that were written, but for features that mean something else: " + outcome);
    }

    @Test
    void aBigCameraIsReadInFewTransfersAndThenFromMemory() throws IOException, InterruptedException {
        Path largest = files().get(0);
        for (Path file : files()) {
            largest = Files.size(file) > Files.size(largest) ? file : largest;
        }
        SyntheticRegisters registers = new SyntheticRegisters(false, 0);
        NodeMap nodes = load(largest, registers);
        List<Node> beginner = nodes.features().stream()
                .filter(node -> node.visibility() == Visibility.BEGINNER)
                .toList();
        readAll(beginner);
        int first = registers.reads;
        registers.places.clear();
        readAll(beginner);
        int second = registers.reads - first;
        System.out.println("file: " + largest.getFileName().toString());
        System.out.println("beginner features: " + beginner.size());
        System.out.println("port accesses, first and second time: " + first + ", " + second);
        Set<Long> uncached = new HashSet<>();
        for (Node node : nodes.nodes()) {
            if (node instanceof RegisterBacked backed
                    && node.cachingMode() == CachingMode.NO_CACHE
                    && node.readable()) {
                uncached.add(backed.register().address());
            }
        }
        registers.places.removeAll(uncached);
        assertEquals(
                Set.of(), registers.places, "the second time, only registers are read that must not be remembered");
    }

    @Test
    void everyInvalidatorSendsItsRegistersBackToTheDevice() throws IOException, InterruptedException {
        List<String> kept = new ArrayList<>();
        int links = 0;
        for (Path file : files()) {
            SyntheticRegisters registers = new SyntheticRegisters(false, 0);
            NodeMap nodes = load(file, registers);
            Set<String> done = new HashSet<>();
            for (Node node : nodes.nodes()) {
                if (!(node instanceof RegisterBacked backed) || node.cachingMode() == CachingMode.NO_CACHE) {
                    continue;
                }
                for (Element property : ((BaseNode) node).element.all("pInvalidator")) {
                    Node invalidator = nodes.find(property.text()).orElse(null);
                    // Each register and each invalidator once tell as much as all pairs.
                    boolean newRegister = done.add(node.name());
                    boolean newInvalidator = done.add(property.text());
                    if (invalidator == null || (!newRegister && !newInvalidator)) {
                        continue;
                    }
                    try {
                        if (!node.readable()) {
                            continue;
                        }
                        backed.register().read();
                        change(invalidator);
                        int before = registers.reads;
                        backed.register().read();
                        links++;
                        if (registers.reads == before) {
                            kept.add(file.getFileName() + " " + node.name() + " <- " + property.text());
                        }
                    } catch (GenApiException e) {
                        assertFalse(e.getMessage().isEmpty());
                    }
                }
            }
        }
        System.out.println("invalidators tried: " + links);
        assertEquals(List.of(), kept);
        assertTrue(links > 1000, "invalidators were tried: " + links);
    }

    /** Writes what a node holds; a command is executed. */
    private static void change(Node node) {
        if (node instanceof CommandNode command) {
            command.execute();
        } else {
            node.setFromText(node.valueAsText());
        }
    }

    @Test
    void aDescriptionThatLostElementsLoadsOrIsRefused() throws IOException, InterruptedException {
        Random random = new Random(SEED);
        Path file = files().get(random.nextInt(files().size()));
        String whole = Files.readString(file);
        for (int round = 0; round < 20; round++) {
            StringBuilder damaged = new StringBuilder(whole);
            for (int i = 0; i < 30; i++) {
                int start = damaged.indexOf("<", random.nextInt(damaged.length()));
                int end = start < 0 ? -1 : damaged.indexOf(">", start + random.nextInt(400));
                if (end > 0 && random.nextBoolean()) {
                    damaged.delete(start, end + 1);
                } else if (start > 0) {
                    // Takes an element with all that is in it, so that the rest is still well formed.
                    int close = damaged.indexOf("/", start);
                    int next = damaged.indexOf("<", start + 1);
                    if (next > 0 && close == next + 1) {
                        damaged.delete(start, damaged.indexOf(">", close) + 1);
                    }
                }
            }
            byte[] xml = damaged.toString().getBytes(StandardCharsets.UTF_8);
            List<String> surprises = new ArrayList<>();
            try {
                read(NodeMap.load(xml, new SyntheticRegisters(true, SEED)), "damaged", surprises);
            } catch (GenApiException e) {
                assertFalse(e.getMessage().isEmpty());
            }
            assertEquals(List.of(), surprises);
        }
    }

    private static void readAll(List<Node> features) {
        for (Node feature : features) {
            try {
                if (feature.readable()) {
                    feature.valueAsText();
                }
            } catch (GenApiException e) {
                assertTrue(!e.getMessage().isEmpty());
            }
        }
    }
}
