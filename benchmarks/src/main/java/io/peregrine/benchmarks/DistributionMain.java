package io.peregrine.benchmarks;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Frames from one host to several, through Aeron and by plain TCP, in turn; see {@code benchmarks/distribution}.
 * Arguments: a prefix of the names of network namespaces, then the options of the script.
 */
public final class DistributionMain {
    private static final int MOST_CONSUMERS = 4;
    private static final int PORT = 40456;
    private static final String GROUP = "239.192.9.1";
    private static final int[] SIZES = {1_200_000, 4_000_000, 16_000_000, 64_000_000};
    private static final int USUAL_BYTES = 4_000_000;
    private static final String TCP = "tcp";
    private static final String TCP_LOOPBACK = "tcp-loopback";
    private static final String PVACCESS = "pvaccess";
    /** Frames go through the heap of both sides. */
    private static final int MAX_PVACCESS_BYTES = 16_000_000;

    private static final String LOSS = "/loss";

    private final String prefix;
    private final Map<String, String> settings = new LinkedHashMap<>(Map.of(
            "distribution.term", "4m",
            "distribution.window", "1m",
            "distribution.whenSlow", "wait",
            "distribution.discoveryWindow", "30s"));
    private List<String> only = List.of();
    private int rounds = 3;
    private double seconds = 4;
    private double warmUp = 6;
    private boolean quick;

    private DistributionMain(String prefix) {
        this.prefix = prefix;
    }

    /** One way for frames; {@code loss} at the first consumer, {@code viewer} is stopped for the measurement. */
    private record Row(String way, int mtu, int consumers, int bytes, boolean loss, boolean viewer) {
        String name() {
            return way + (mtu > 0 ? "/" + mtu : "") + "/" + consumers + "/" + bytes / 1e6 + (loss ? LOSS : "")
                    + (viewer ? "/stopped viewer" : "");
        }

        boolean tcp() {
            return way.startsWith(TCP);
        }

        boolean pvaccess() {
            return way.equals(PVACCESS);
        }

        /** What it is compared with. */
        Row base() {
            if (loss || viewer) {
                return new Row(way, mtu, consumers, bytes, false, false);
            }
            return new Row(mtu > 0 ? TCP : TCP_LOOPBACK, mtu, consumers, bytes, false, false);
        }
    }

    /** A process that sends or receives. */
    private record Peer(Process process, BufferedReader says, BufferedWriter asks) {
        static Peer start(List<String> command) throws IOException {
            Process process = Runs.start(command);
            return new Peer(process, process.inputReader(), process.outputWriter());
        }

        void ask() throws IOException {
            asks.write('\n');
            asks.flush();
        }

        Map<String, Double> figures() throws IOException {
            String line = says.readLine();
            if (line == null) {
                throw new IOException("A peer has ended");
            }
            return Runs.figures(line);
        }
    }

    /**
     * Compares.
     *
     * @param arguments what the class's documentation says
     * @throws Exception if a process fails
     */
    public static void main(String[] arguments) throws Exception {
        DistributionMain main = new DistributionMain(arguments[0]);
        main.options(arguments);
        main.run();
    }

    private void options(String[] arguments) {
        for (int i = 1; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--quick" -> {
                    quick = true;
                    rounds = 1;
                    seconds = 3;
                    warmUp = 4;
                }
                case "--only" -> only = Arrays.asList(arguments[++i].split(",", -1));
                case "--rounds" -> rounds = Integer.parseInt(arguments[++i]);
                case "--seconds" -> seconds = Double.parseDouble(arguments[++i]);
                case "--warm-up" -> warmUp = Double.parseDouble(arguments[++i]);
                case "--set" -> {
                    String[] pair = arguments[++i].split("=", 2);
                    settings.put(pair[0], pair[1]);
                }
                default -> throw new IllegalArgumentException("Unknown option " + arguments[i]);
            }
        }
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int bytes : quick ? new int[] {USUAL_BYTES} : SIZES) {
            for (String way : List.of(TCP_LOOPBACK, "ipc", "udp-loopback")) {
                rows.add(new Row(way, 0, 1, bytes, false, false));
            }
            if (bytes <= MAX_PVACCESS_BYTES) {
                rows.add(new Row(PVACCESS, 0, 1, bytes, false, false));
            }
            for (int mtu : quick ? new int[] {9000} : new int[] {9000, 1500}) {
                rows.add(new Row(TCP, mtu, 1, bytes, false, false));
                rows.add(new Row("udp", mtu, 1, bytes, false, false));
            }
        }
        rows.add(new Row("udp", 9000, 1, USUAL_BYTES, true, false));
        for (int consumers : quick ? new int[] {3} : new int[] {2, 3, 4}) {
            for (String way : quick ? List.of(TCP, "group") : List.of(TCP, "from", "group")) {
                rows.add(new Row(way, 9000, consumers, USUAL_BYTES, false, false));
            }
        }
        if (!quick) {
            rows.add(new Row("group", 9000, 3, USUAL_BYTES, true, false));
            rows.add(new Row("group", 9000, 2, USUAL_BYTES, false, true));
        }
        return rows.stream()
                .filter(row -> only.isEmpty()
                        || only.stream().anyMatch(start -> row.name().startsWith(start)))
                .toList();
    }

    private void run() throws IOException, InterruptedException {
        Map<Row, List<Map<String, Double>>> results = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Row row : rows()) {
                System.err.print(row.name());
                Map<String, Double> figures = measure(row);
                System.err.println(" " + figures);
                results.computeIfAbsent(row, key -> new ArrayList<>()).add(figures);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d rounds of %.0f s in turn, each after %.0f s, as fast as possible, %d processors, Java %s, %s;"
                        + " medians, bad and lost frames of all rounds%n%n",
                rounds,
                seconds,
                warmUp,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                settings);
        System.out.println(
                "| way / MTU / consumers / MB a frame | MB/s of the slowest consumer | to its base | bad, lost |"
                        + " p50 ms | p99.9 ms | CPU s/GB sender | consumer |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        results.forEach((row, all) -> print(row, all, Optional.ofNullable(results.get(row.base()))));
    }

    private static void print(Row row, List<Map<String, Double>> all, Optional<List<Map<String, Double>>> base) {
        String rate = "rate";
        String ratio = base.filter(one -> one.size() == all.size())
                .map(one -> String.format(
                        Locale.ROOT,
                        "%.2f",
                        IntStream.range(0, all.size())
                                .mapToDouble(
                                        i -> all.get(i).get(rate) / one.get(i).get(rate))
                                .sorted()
                                .toArray()[all.size() / 2]))
                .orElse("");
        System.out.printf(
                Locale.ROOT,
                "| %s | %.0f | %s | %.0f, %.0f | %.2f | %.2f | %.3f | %.3f |%n",
                row.name(),
                Runs.median(all, rate),
                ratio,
                all.stream().mapToDouble(one -> one.get("bad")).sum(),
                all.stream().mapToDouble(one -> one.get("lost")).sum(),
                Runs.median(all, "p50") / 1000,
                Runs.median(all, "p999") / 1000,
                Runs.median(all, "sender"),
                Runs.median(all, "consumer"));
    }

    // ---- One measurement

    private Map<String, Double> measure(Row row) throws IOException, InterruptedException {
        if (row.mtu > 0) {
            for (int host = 0; host <= MOST_CONSUMERS; host++) {
                execute("ip", "-n", namespace(host), "link", "set", "net0", "mtu", Integer.toString(row.mtu));
            }
        }
        lossAtTheFirst("-F", row.loss);
        List<Peer> consumers = new ArrayList<>();
        Peer sender = Peer.start(sender(row));
        Optional<Peer> viewer = Optional.empty();
        try {
            // A TCP server has to be there first; streams of Aeron are found whenever they come.
            Thread.sleep(1500);
            for (int i = 1; i <= row.consumers; i++) {
                consumers.add(Peer.start(consumer(row, i, settings.get("distribution.whenSlow"))));
            }
            if (row.viewer) {
                viewer = Optional.of(Peer.start(consumer(row, row.consumers + 1, "drop")));
            }
            Thread.sleep((long) (warmUp * 1000) + 1500);
            if (viewer.isPresent()) {
                execute("kill", "-STOP", Long.toString(viewer.get().process.pid()));
            }
            ask(sender, consumers);
            Thread.sleep((long) (seconds * 1000));
            List<Map<String, Double>> all = ask(sender, consumers);
            return figures(row, all.get(0), all.subList(1, all.size()));
        } finally {
            viewer.ifPresent(one -> one.process.destroyForcibly());
            for (Peer one : consumers) {
                end(one);
            }
            end(sender);
        }
    }

    private static void end(Peer peer) throws IOException, InterruptedException {
        peer.process.destroyForcibly().waitFor();
        peer.says.close();
    }

    private static List<Map<String, Double>> ask(Peer sender, List<Peer> consumers) throws IOException {
        List<Peer> all = new ArrayList<>(List.of(sender));
        all.addAll(consumers);
        for (Peer peer : all) {
            peer.ask();
        }
        List<Map<String, Double>> figures = new ArrayList<>();
        for (Peer peer : all) {
            figures.add(peer.figures());
        }
        return figures;
    }

    private static Map<String, Double> figures(
            Row row, Map<String, Double> sender, List<Map<String, Double>> consumers) {
        double gigabytes = consumers.stream()
                        .mapToDouble(one -> one.get("frames"))
                        .average()
                        .orElse(0)
                * row.bytes
                / 1e9;
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(
                "rate",
                consumers.stream()
                        .mapToDouble(one -> one.get("frames") * row.bytes / 1e6 / one.get("seconds"))
                        .min()
                        .orElse(0));
        for (String figure : List.of("bad", "lost")) {
            figures.put(
                    figure,
                    consumers.stream().mapToDouble(one -> one.get(figure)).sum());
        }
        for (String figure : List.of("p50", "p999")) {
            figures.put(
                    figure,
                    consumers.stream().mapToDouble(one -> one.get(figure)).max().orElse(0));
        }
        figures.put("sender", sender.get("cpu") / gigabytes);
        figures.put(
                "consumer",
                consumers.stream().mapToDouble(one -> one.get("cpu")).average().orElse(0) / gigabytes);
        return figures;
    }

    private String namespace(int host) {
        return prefix + host;
    }

    private static String address(int host) {
        return "10.79.0." + (1 + host);
    }

    private String place(Row row, int host) {
        return namespace(row.mtu > 0 ? host : 0);
    }

    private static String server(Row row) {
        return row.mtu > 0 ? address(0) : "127.0.0.1";
    }

    private static String route(Row row) {
        return switch (row.way) {
            case "ipc" -> "ipc";
            case "udp-loopback" -> "127.0.0.1:" + PORT;
            case "udp" -> address(1) + ":" + PORT;
            case "from" -> "from:" + address(0) + ":" + PORT;
            default -> GROUP + ":" + PORT;
        };
    }

    private List<String> peer(Row row, int host, String whenSlow, String... arguments) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("distribution.routes", route(row));
        all.put("distribution.whenSlow", whenSlow);
        all.put("distribution.mtu", row.mtu == 0 ? "65504" : row.mtu == 9000 ? "8928" : "1408");
        if (row.way.equals("group")) {
            all.put("distribution.interface", address(host));
        }
        if (row.way.equals("ipc")) {
            all.put("distribution.directory", "/dev/shm/" + prefix + "driver");
            all.put("distribution.driver", host == 0 ? "embedded" : "external");
        }
        List<String> options = new ArrayList<>(List.of(
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                row.pvaccess() ? "-Xmx1g" : "-Xmx256m",
                "--add-exports",
                "java.base/jdk.internal.misc=ALL-UNNAMED"));
        if (!row.tcp() && !row.pvaccess()) {
            all.forEach((key, value) -> options.add("-D" + key + "=" + value));
        }
        List<String> command = new ArrayList<>(Runs.inside(place(row, host), "", false));
        command.addAll(Runs.java(DistributionPeerMain.class, options));
        command.addAll(List.of(arguments));
        return command;
    }

    private List<String> sender(Row row) {
        String bytes = Integer.toString(row.bytes);
        return row.tcp() || row.pvaccess()
                ? peer(row, 0, "wait", row.tcp() ? "serve" : "offer", server(row), Integer.toString(PORT), bytes, "0")
                : peer(row, 0, "wait", "publish", route(row), bytes, "0");
    }

    private List<String> consumer(Row row, int host, String whenSlow) {
        String bytes = Integer.toString(row.bytes);
        return row.tcp() || row.pvaccess()
                ? peer(
                        row,
                        host,
                        whenSlow,
                        row.tcp() ? "connect" : "monitor",
                        server(row),
                        Integer.toString(PORT),
                        bytes)
                : peer(row, host, whenSlow, "subscribe", bytes);
    }

    private void lossAtTheFirst(String flush, boolean lose) throws IOException, InterruptedException {
        String first = namespace(1);
        execute("ip", "netns", "exec", first, "iptables", "-t", "raw", flush);
        if (lose) {
            execute(("ip netns exec " + first + " iptables -t raw -A PREROUTING -i net0 -m statistic --mode random"
                            + " --probability 0.01 -j DROP")
                    .split(" ", -1));
        }
    }

    private static void execute(String... command) throws IOException, InterruptedException {
        if (Runs.start(Arrays.asList(command)).waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed");
        }
    }
}
