package io.peregrine.benchmarks;

import io.peregrine.genapi.Description;
import io.peregrine.genapi.FloatNode;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures node maps and those of the reference implementation in turn, on the same description, in time of the
 * processor that the thread takes; the first load of a process in wall-clock time, each in its own process. Prints the
 * medians and their ratio: above one, Peregrine takes less.
 */
public final class GenApiCompareMain {
    private static final int ROUNDS = 15;
    private static final int FIRST_LOADS = 11;
    private static final int COPIES = 10;

    /** Rounds that only warm up. */
    private static final int WARM_UP = 5;

    private static final String NODES = "<Integer Name=\"BenchmarkYes\"><Value>1</Value></Integer>"
            + "<IntReg Name=\"BenchmarkReg\"><Address>0</Address><Length>4</Length><AccessMode>RW</AccessMode>"
            + "<pPort>BenchmarkPort</pPort><Sign>Unsigned</Sign><Endianess>BigEndian</Endianess></IntReg>"
            + "<IntReg Name=\"BenchmarkUncachedReg\"><Address>8</Address><Length>4</Length><AccessMode>RW</AccessMode>"
            + "<pPort>BenchmarkPort</pPort><Cachable>NoCache</Cachable><Sign>Unsigned</Sign>"
            + "<Endianess>BigEndian</Endianess></IntReg>"
            + "<Integer Name=\"BenchmarkInteger\"><pIsAvailable>BenchmarkYes</pIsAvailable>"
            + "<pValue>BenchmarkReg</pValue></Integer>"
            + "<Integer Name=\"BenchmarkUncached\"><pIsAvailable>BenchmarkYes</pIsAvailable>"
            + "<pValue>BenchmarkUncachedReg</pValue></Integer>"
            + "<SwissKnife Name=\"BenchmarkKnife\"><pVariable Name=\"A\">BenchmarkReg</pVariable>"
            + "<pVariable Name=\"B\">BenchmarkYes</pVariable><Formula>((A > 5) ? A * 0.5 : A + B) / (B + 1.0)</Formula>"
            + "</SwissKnife>"
            + "<SwissKnife Name=\"BenchmarkDeep\"><pVariable Name=\"A\">BenchmarkKnife</pVariable>"
            + "<pVariable Name=\"B\">BenchmarkThere</pVariable><pVariable Name=\"C\">BenchmarkReg</pVariable>"
            + "<Formula>(B = 1) ? (A + C) : (A - C)</Formula></SwissKnife>"
            + "<IntSwissKnife Name=\"BenchmarkThere\"><pVariable Name=\"A\">BenchmarkReg</pVariable>"
            + "<pVariable Name=\"B\">BenchmarkYes</pVariable><Formula>((A &gt;&gt; 4) = 15) || (B = 1)</Formula>"
            + "</IntSwissKnife><Integer Name=\"BenchmarkLock\"><Value>0</Value></Integer>"
            + "<IntConverter Name=\"BenchmarkTimes\"><FormulaTo>FROM / 2</FormulaTo><FormulaFrom>TO * 2</FormulaFrom>"
            + "<pValue>BenchmarkReg</pValue></IntConverter>"
            + "<Integer Name=\"BenchmarkFeature\"><pIsImplemented>BenchmarkThere</pIsImplemented>"
            + "<pIsAvailable>BenchmarkYes</pIsAvailable><pIsLocked>BenchmarkLock</pIsLocked>"
            + "<pValue>BenchmarkTimes</pValue></Integer>"
            + "<Port Name=\"BenchmarkPort\"/></RegisterDescription>";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** What is made goes here, or it need not be made. */
    static volatile Object last;

    private final byte[] xml;
    private final Port port = Port.memory(1 << 20);
    private final IntegerNode integer;
    private final IntegerNode uncached;
    private final FloatNode knife;
    private final FloatNode deep;
    private final IntegerNode feature;

    private GenApiCompareMain(Path file) throws IOException {
        xml = Files.readAllBytes(file);
        NodeMap nodes = NodeMap.load(xml, port);
        integer = nodes.integer("BenchmarkInteger");
        uncached = nodes.integer("BenchmarkUncached");
        knife = nodes.floating("BenchmarkKnife");
        deep = nodes.floating("BenchmarkDeep");
        feature = nodes.integer("BenchmarkFeature");
    }

    /**
     * Measures and prints.
     *
     * @param arguments program of the reference, description (one is made without), rounds; or {@code --first} and a
     *     description, to load it once and print the time
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments[0].equals("--first")) {
            System.out.println(first(Path.of(arguments[1])));
            return;
        }
        boolean given = arguments.length > 1 && !arguments[1].isEmpty();
        String text = given ? Files.readString(Path.of(arguments[1]), StandardCharsets.UTF_8) : made();
        int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : ROUNDS;
        Path file = Files.createTempFile("genapi-compare", ".xml");
        try {
            Files.writeString(file, text.substring(0, text.lastIndexOf("</RegisterDescription>")) + NODES);
            System.out.printf(Locale.ROOT, "%d bytes of XML, %d rounds%n", Files.size(file), rounds);
            System.out.printf(Locale.ROOT, "%-34s %12s %12s %7s%n", "", "Peregrine", "reference", "ratio");
            compareFirstLoads(arguments[0], file);
            compareWarm(arguments[0], file, rounds);
        } finally {
            Files.delete(file);
        }
    }

    private static String made() {
        StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><RegisterDescription"
                + " xmlns=\"http://www.genicam.org/GenApi/Version_1_1\" ModelName=\"Made\" VendorName=\"Peregrine\""
                + " ToolTip=\"\" StandardNameSpace=\"None\" SchemaMajorVersion=\"1\" SchemaMinorVersion=\"1\""
                + " SchemaSubMinorVersion=\"0\" MajorVersion=\"1\" MinorVersion=\"0\" SubMinorVersion=\"0\""
                + " ProductGuid=\"00000000-0000-0000-0000-000000000001\""
                + " VersionGuid=\"00000000-0000-0000-0000-000000000002\">");
        for (int i = 0; i < 1500; i++) {
            text.append(String.format(
                    Locale.ROOT,
                    "<Integer Name=\"I%1$d\" NameSpace=\"Custom\"><ToolTip>Feature %1$d of many</ToolTip>"
                            + "<Description>What the feature is good for, at some length as vendors do</Description>"
                            + "<DisplayName>Feature %1$d</DisplayName><Visibility>Expert</Visibility>"
                            + "<pIsImplemented>K%1$d</pIsImplemented><pValue>R%1$d</pValue><Min>0</Min><Max>100</Max>"
                            + "</Integer>"
                            + "<IntReg Name=\"R%1$d\"><Address>%2$d</Address><Length>4</Length>"
                            + "<AccessMode>RW</AccessMode><pPort>BenchmarkPort</pPort>"
                            + "<pInvalidator>I%3$d</pInvalidator><Sign>Unsigned</Sign><Endianess>BigEndian</Endianess>"
                            + "</IntReg>"
                            + "<IntSwissKnife Name=\"K%1$d\"><pVariable Name=\"X\">R%3$d</pVariable>"
                            + "<Formula>(X &gt; 0) || 1</Formula></IntSwissKnife>",
                    i,
                    4 * i + 64,
                    i / 2));
        }
        return text.append("</RegisterDescription>").toString();
    }

    /** Wall-clock time and time of the thread's processor, in nanoseconds. */
    private static String first(Path file) throws IOException {
        byte[] xml = Files.readAllBytes(file);
        Port port = Port.memory(1 << 20);
        long processor = THREADS.getCurrentThreadCpuTime();
        long begin = System.nanoTime();
        last = NodeMap.load(xml, port);
        long wall = System.nanoTime() - begin;
        return wall + " " + (THREADS.getCurrentThreadCpuTime() - processor);
    }

    // ---- First loads

    private static void compareFirstLoads(String program, Path file) throws IOException, InterruptedException {
        Map<String, List<String>> starts = new LinkedHashMap<>();
        starts.put("first load", List.of());
        starts.put(
                "first load, as ./peregrine starts", List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmn48m"));
        for (Map.Entry<String, List<String>> start : starts.entrySet()) {
            double[][] ours = new double[2][FIRST_LOADS];
            double[][] theirs = new double[2][FIRST_LOADS];
            for (int i = 0; i < FIRST_LOADS; i++) {
                List<String> command = Runs.java(GenApiCompareMain.class, start.getValue());
                command.addAll(List.of("--first", file.toString()));
                Process process = Runs.start(command);
                try (BufferedReader answer = process.inputReader()) {
                    note(answer.readLine(), ours, i);
                }
                process.waitFor();
                try (Reference reference = new Reference(program, file)) {
                    note(reference.ask("first", 1), theirs, i);
                }
            }
            print(start.getKey(), ours[0], theirs[0], 1e6, "ms");
            print("  time of its thread", ours[1], theirs[1], 1e6, "ms");
        }
    }

    private static void note(String answer, double[][] times, int index) {
        int blank = answer.indexOf(' ');
        times[0][index] = Double.parseDouble(answer.substring(0, blank));
        times[1][index] = Double.parseDouble(answer.substring(blank + 1));
    }

    // ---- All else

    /** What is measured. */
    private interface Operation {
        void run(int count);
    }

    /** Each loop is written out: from one for all, the compiler could not inline what is measured. */
    private static void compareWarm(String program, Path file, int rounds) throws IOException {
        GenApiCompareMain ours = new GenApiCompareMain(file);
        try (Reference reference = new Reference(program, file)) {
            print(
                    "memory of a node map",
                    new double[] {ours.memory()},
                    new double[] {reference.measure("memory", COPIES)},
                    1e6,
                    "MB");
            ours.compare("load", "load", 1e6, "ms", 10, rounds, reference, count -> {
                for (int i = 0; i < count; i++) {
                    last = NodeMap.load(ours.xml, ours.port);
                }
            });
            ours.compare("integer, cached", "cached", 1, "ns", 500_000, rounds, reference, count -> {
                long sum = 0;
                for (int i = 0; i < count; i++) {
                    sum += ours.integer.value();
                }
                last = sum;
            });
            ours.compare("integer, uncached", "uncached", 1, "ns", 100_000, rounds, reference, count -> {
                long sum = 0;
                for (int i = 0; i < count; i++) {
                    sum += ours.uncached.value();
                }
                last = sum;
            });
            ours.compare("write", "write", 1, "ns", 50_000, rounds, reference, count -> {
                for (int i = 0; i < count; i++) {
                    ours.integer.set(i & 0xFF);
                }
            });
            ours.compare("swiss knife, nothing to read again", "knife", 1, "ns", 500_000, rounds, reference, count -> {
                double sum = 0;
                for (int i = 0; i < count; i++) {
                    sum += ours.knife.value();
                }
                last = sum;
            });
            ours.compare("access mode", "access", 1, "ns", 500_000, rounds, reference, count -> {
                long sum = 0;
                for (int i = 0; i < count; i++) {
                    sum += ours.integer.accessMode().ordinal();
                }
                last = sum;
            });
            ours.compare("swiss knife of swiss knives", "deep", 1, "ns", 500_000, rounds, reference, count -> {
                double sum = 0;
                for (int i = 0; i < count; i++) {
                    sum += ours.deep.value();
                }
                last = sum;
            });
            ours.compare("access mode, three predicates", "feature", 1, "ns", 500_000, rounds, reference, count -> {
                long sum = 0;
                for (int i = 0; i < count; i++) {
                    sum += ours.feature.accessMode().ordinal();
                }
                last = sum;
            });
            ours.compare("swiss knife after a write", "written", 1, "ns", 50_000, rounds, reference, count -> {
                double sum = 0;
                for (int i = 0; i < count; i++) {
                    ours.integer.set(i & 0xFF);
                    sum += ours.deep.value();
                }
                last = sum;
            });
        }
    }

    private void compare(
            String title,
            String name,
            double unit,
            String unitName,
            int count,
            int rounds,
            Reference reference,
            Operation operation)
            throws IOException {
        double[] ours = new double[rounds];
        double[] theirs = new double[rounds];
        for (int round = -WARM_UP; round < rounds; round++) {
            long begin = THREADS.getCurrentThreadCpuTime();
            operation.run(count);
            double nanos = (double) (THREADS.getCurrentThreadCpuTime() - begin) / count;
            double other = reference.measure(name, count);
            if (round >= 0) {
                ours[round] = nanos;
                theirs[round] = other;
            }
        }
        print(title, ours, theirs, unit, unitName);
    }

    private static void print(String title, double[] ours, double[] theirs, double unit, String unitName) {
        double our = median(ours);
        double their = median(theirs);
        System.out.printf(
                Locale.ROOT,
                "%-34s %9.1f %s %9.1f %s %7.2f%n",
                title,
                our / unit,
                unitName,
                their / unit,
                unitName,
                their / our);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Of a description and its node map together. */
    private double memory() {
        List<Object> kept = new ArrayList<>();
        long before = GenApiFootprintMain.usedBytes();
        for (int i = 0; i < COPIES; i++) {
            kept.add(Description.parse(xml).nodeMap(port));
        }
        double bytes = (double) (GenApiFootprintMain.usedBytes() - before) / kept.size();
        kept.clear();
        return bytes;
    }

    /** The program of the reference implementation. */
    private static final class Reference implements AutoCloseable {
        private final Process process;
        private final BufferedReader answers;
        private final BufferedWriter questions;

        Reference(String program, Path file) throws IOException {
            process = Runs.start(List.of(program, file.toString()));
            answers = process.inputReader();
            questions = process.outputWriter();
        }

        double measure(String name, int count) throws IOException {
            return Double.parseDouble(ask(name, count));
        }

        String ask(String name, int count) throws IOException {
            questions.write(name + " " + count + "\n");
            questions.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new IOException("the reference implementation ended");
            }
            return answer;
        }

        @Override
        public void close() throws IOException {
            questions.close();
            answers.close();
        }
    }
}
