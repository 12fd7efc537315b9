package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What holds for any description of a device, whatever its registers hold. */
@Timeout(600)
abstract class DescriptionsContract {
    private static final long SEED = 4711;

    /** Descriptions by name. */
    abstract Map<String, byte[]> descriptions();

    /** How many values must come back as they were set, and how many invalidators must be tried: fewer prove little. */
    abstract int least();

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
    void everyNodeReadsOrSaysWhyNotWhenRegistersAreZero() {
        List<String> surprises = new ArrayList<>();
        descriptions()
                .forEach((name, xml) -> read(NodeMap.load(xml, new SyntheticRegisters(false, 0)), name, surprises));
        assertEquals(List.of(), surprises);
    }

    @Test
    void everyNodeReadsOrSaysWhyNotWhenRegistersAreRandom() {
        List<String> surprises = new ArrayList<>();
        descriptions()
                .forEach((name, xml) -> read(NodeMap.load(xml, new SyntheticRegisters(true, SEED)), name, surprises));
        assertEquals(List.of(), surprises);
    }

    @Test
    void noNodeIsLostToProblems() {
        List<String> broken = new ArrayList<>();
        descriptions()
                .forEach((name, xml) -> NodeMap.load(xml, new SyntheticRegisters(false, 0)).nodes().stream()
                        .filter(BrokenNode.class::isInstance)
                        .forEach(node -> broken.add(name + " " + node)));
        assertEquals(List.of(), broken);
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
            // A step of zero, as some registers give it, takes no value.
            if (max < min || step < 1) {
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
    void writableFeaturesTakeTheirSmallestLargestAndMiddleValue() {
        Map<String, Integer> outcome = new TreeMap<>();
        List<String> odd = new ArrayList<>();
        for (String file : descriptions().keySet()) {
            NodeMap nodes = NodeMap.load(descriptions().get(file), new SyntheticRegisters(false, 0));
            for (Node feature : nodes.features()) {
                List<String> values = List.of();
                try {
                    if (feature.writable()) {
                        values = values(feature);
                    }
                } catch (GenApiException e) {
                    outcome.merge("no range: " + e.getClass().getSimpleName(), 1, Integer::sum);
                } catch (RuntimeException | StackOverflowError e) {
                    odd.add(file + " " + feature + ": " + e);
                }
                for (String value : values) {
                    round(feature, value, file, outcome, odd);
                }
            }
        }
        assertEquals(List.of(), odd);
        int same = outcome.getOrDefault("same", 0);
        assertTrue(same > least(), "values were set and read back: " + outcome);
        assertTrue(
                outcome.getOrDefault("GenApiRangeException", 0) < 20,
                "values of the range are taken, but by converters that make no number of it: " + outcome);
        assertTrue(
                same > 20 * outcome.getOrDefault("different", 0),
                "values read back are those that were written, but for features that mean something else: " + outcome);
    }

    @Test
    void aBigCameraIsReadInFewTransfersAndThenFromMemory() {
        byte[] largest = Collections.max(descriptions().values(), Comparator.comparing(xml -> xml.length));
        SyntheticRegisters registers = new SyntheticRegisters(false, 0);
        NodeMap nodes = NodeMap.load(largest, registers);
        List<Node> beginner = nodes.features().stream()
                .filter(node -> node.visibility() == Visibility.BEGINNER)
                .toList();
        readAll(beginner);
        assertTrue(registers.reads > 0, "the first time, registers are read");
        registers.places.clear();
        readAll(beginner);
        Set<Long> uncached = new HashSet<>();
        for (Node node : nodes.nodes()) {
            if (node instanceof RegisterBacked backed
                    && node.cachingMode() == CachingMode.NO_CACHE
                    && node.readable()) {
                uncached.add(((RegisterBase) backed).register.address());
            }
        }
        registers.places.removeAll(uncached);
        assertEquals(
                Set.of(), registers.places, "the second time, only registers are read that must not be remembered");
    }

    @Test
    void everyInvalidatorSendsItsRegistersBackToTheDevice() {
        List<String> kept = new ArrayList<>();
        int links = 0;
        for (String file : descriptions().keySet()) {
            SyntheticRegisters registers = new SyntheticRegisters(false, 0);
            NodeMap nodes = NodeMap.load(descriptions().get(file), registers);
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
                        ((RegisterBase) backed).register.read();
                        change(invalidator);
                        int before = registers.reads;
                        ((RegisterBase) backed).register.read();
                        links++;
                        if (registers.reads == before) {
                            kept.add(file + " " + node.name() + " <- " + property.text());
                        }
                    } catch (GenApiException e) {
                        assertFalse(e.getMessage().isEmpty());
                    }
                }
            }
        }
        assertEquals(List.of(), kept);
        assertTrue(links > least(), "invalidators were tried: " + links);
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
    void aDescriptionThatLostElementsLoadsOrIsRefused() {
        Random random = new Random(SEED);
        List<byte[]> all = List.copyOf(descriptions().values());
        String whole = new String(all.get(random.nextInt(all.size())), StandardCharsets.UTF_8);
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
