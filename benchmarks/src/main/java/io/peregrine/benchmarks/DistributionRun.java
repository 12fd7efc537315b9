package io.peregrine.benchmarks;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Processes in network namespaces that send and receive frames, measured together. */
final class DistributionRun {
    /** Figure of the slowest consumer, in MB/s. */
    static final String RATE = "rate";

    private static final int MOST_CONSUMERS = 4;
    /** The heap also limits the memory of frames, of which a consumer has ten. */
    private static final int MOST_BYTES_OF_A_SMALL_HEAP = 20_000_000;

    private static final int PORT = 40456;
    private static final String GROUP = "239.192.9.1";
    private static final int JUMBO_DATA = 8928;
    private static final int USUAL_DATA = 1408;
    private static final int MOST_DATA = 65_504;
    /** Of Aeron and of Peregrine. */
    private static final int FRAGMENT_HEADERS = 64;

    private static final String WAIT = "wait";
    private static final String DROP = "drop";
    private static final String JAVA = "java";
    private static final Duration DRIVER_STARTS = Duration.ofSeconds(10);
    /** In which a viewer that goes on joins again. */
    private static final long REJOIN_MILLIS = 4000;

    private final String prefix;
    private final Map<String, String> settings;
    private final double seconds;
    private final double warmUp;
    private final String driver;

    /**
     * Makes one.
     *
     * @param prefix of the names of network namespaces
     * @param driver program of the media drivers: empty for one in each program, {@code java}, or the file of one in C
     */
    DistributionRun(String prefix, Map<String, String> settings, double seconds, double warmUp, String driver) {
        this.prefix = prefix;
        this.settings = settings;
        this.seconds = seconds;
        this.warmUp = warmUp;
        this.driver = driver;
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
            Map<String, Double> figures = Runs.figures(line);
            figures.putIfAbsent(
                    "cpu",
                    process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9);
            return figures;
        }

        void end() throws IOException, InterruptedException {
            process.destroyForcibly().waitFor();
            says.close();
        }
    }

    /** Measures a row, or the three of a viewer; each is given on. */
    void measure(DistributionRow row, BiConsumer<DistributionRow, Map<String, Double>> to)
            throws IOException, InterruptedException {
        if (row.mtu() > 0) {
            for (int host = 0; host <= MOST_CONSUMERS; host++) {
                execute("ip", "-n", namespace(host), "link", "set", "net0", "mtu", Integer.toString(row.mtu()));
                offload(host, row.way().equals(DistributionRow.TCP_SINGLE) ? "off" : "on");
            }
        }
        cutAtTheFirst(row.isCut());
        lossAtTheFirst("-F", row.loss());
        List<Process> drivers = new ArrayList<>();
        List<Peer> peers = new ArrayList<>();
        try {
            for (int host : drivers(row)) {
                drivers.add(driver(host));
            }
            Peer sender = Peer.start(sender(row));
            peers.add(sender);
            if (row.way().equals(DistributionRow.GVSP)) {
                sender.says.readLine();
            }
            // A TCP server has to be there first; streams of Aeron are found whenever they come.
            Thread.sleep(1500);
            List<Peer> consumers = new ArrayList<>();
            for (int i = 1; i <= row.consumers(); i++) {
                boolean mayDrop = !row.viewer().isEmpty() && i > 1;
                Peer consumer = Peer.start(consumer(row, i, mayDrop ? DROP : settings.get("distribution.whenSlow")));
                peers.add(consumer);
                consumers.add(consumer);
                if (row.way().equals(DistributionRow.GVSP) && i == 1) {
                    // It tells the camera where to send to; those who listen have to find that.
                    Thread.sleep(4000);
                }
            }
            if (row.viewer().isEmpty()) {
                Thread.sleep((long) (warmUp * 1000) + 1500);
                to.accept(row, phase(row, sender, consumers));
                return;
            }
            Peer viewer = Peer.start(consumer(row, row.consumers() + 1, DROP));
            peers.add(viewer);
            Thread.sleep((long) (warmUp * 1000) + 1500);
            to.accept(row.viewer(DistributionRow.BEFORE), phase(row, sender, consumers));
            signal(viewer, "-STOP");
            to.accept(row.viewer(DistributionRow.STOPPED), phase(row, sender, consumers));
            signal(viewer, "-CONT");
            Thread.sleep(REJOIN_MILLIS);
            List<Peer> all = new ArrayList<>(consumers);
            all.add(viewer);
            to.accept(row.viewer(DistributionRow.AFTER), phase(row, sender, all));
        } finally {
            for (Peer one : peers) {
                one.end();
            }
            for (Process one : drivers) {
                one.destroyForcibly().waitFor();
            }
        }
    }

    private Map<String, Double> phase(DistributionRow row, Peer sender, List<Peer> consumers)
            throws IOException, InterruptedException {
        List<Peer> all = new ArrayList<>(List.of(sender));
        all.addAll(consumers);
        List<Map<String, Double>> before = ask(all);
        Thread.sleep((long) (seconds * 1000));
        List<Map<String, Double>> after = ask(all);
        if (row.way().equals(DistributionRow.GVSP)) {
            after.get(0).merge("cpu", -before.get(0).get("cpu"), Double::sum);
        }
        return figures(row, after.get(0), after.subList(1, after.size()));
    }

    private static List<Map<String, Double>> ask(List<Peer> all) throws IOException {
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
            DistributionRow row, Map<String, Double> sender, List<Map<String, Double>> consumers) {
        double gigabytes = consumers.stream()
                        .mapToDouble(one -> one.get("frames"))
                        .average()
                        .orElse(0)
                * row.bytes()
                / 1e9;
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(
                RATE,
                consumers.stream()
                        .mapToDouble(one -> one.get("frames") * row.bytes() / 1e6 / one.get("seconds"))
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

    // ---- Hosts

    private String namespace(int host) {
        return prefix + host;
    }

    private static String address(int host) {
        return "10.77.0." + (1 + host);
    }

    /** Host of a program. */
    private static int host(DistributionRow row, int number) {
        return row.mtu() == 0 ? 0 : row.oneHost() ? Math.min(1, number) : number;
    }

    /** Runs are cut where they leave the switch. */
    private void cutAtTheFirst(boolean cut) throws IOException, InterruptedException {
        execute(("ip netns exec " + prefix + "s ethtool -K port1 tx-udp-segmentation " + (cut ? "off" : "on"))
                .split(" ", -1));
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

    private void offload(int host, String state) throws IOException, InterruptedException {
        execute("ip", "netns", "exec", namespace(host), "ethtool", "-K", "net0", "tso", state, "gso", state);
    }

    private static void signal(Peer peer, String signal) throws IOException, InterruptedException {
        execute("kill", signal, Long.toString(peer.process.pid()));
    }

    private static void execute(String... command) throws IOException, InterruptedException {
        if (Runs.start(Arrays.asList(command)).waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed");
        }
    }

    // ---- Media drivers of hosts

    private List<Integer> drivers(DistributionRow row) {
        boolean oneHost = row.oneHost();
        if (!row.aeron() || row.way().equals("ipc") || (driver.isEmpty() && !oneHost)) {
            return List.of();
        }
        List<Integer> hosts = new ArrayList<>(driver.isEmpty() ? List.of() : List.of(0));
        for (int i = 1; row.mtu() > 0 && i <= (oneHost ? 1 : row.consumers()); i++) {
            hosts.add(i);
        }
        return hosts;
    }

    private String directory(int host) {
        return "/dev/shm/" + prefix + "driver" + host;
    }

    /** With the settings that the documentation gives for a driver that runs apart. */
    private Process driver(int host) throws IOException, InterruptedException {
        String window = settings.get("distribution.window");
        List<String> options = new ArrayList<>(List.of(
                "-Daeron.dir=" + directory(host),
                "-Daeron.dir.delete.on.start=true",
                "-Daeron.threading.mode=SHARED",
                "-Daeron.term.buffer.sparse.file=true",
                "-Daeron.rcv.initial.window.length=" + window,
                "-Daeron.socket.so_rcvbuf=4m",
                "-Daeron.socket.so_sndbuf=4m",
                "-Daeron.nak.multicast.max.backoff=50us",
                "-Daeron.retransmit.unicast.linger=1ms",
                "-Daeron.image.liveness.timeout=2s"));
        List<String> command = new ArrayList<>(Runs.inside(namespace(host), "", false));
        if (inJava()) {
            options.addAll(List.of(
                    "-Daeron.SendChannelEndpoint.supplier=io.peregrine.distribution.driver.RunSenderSupplier",
                    "-Daeron.ReceiveChannelEndpoint.supplier=io.peregrine.distribution.driver.RunReceiverSupplier",
                    "-XX:+UseSerialGC",
                    "--add-exports",
                    "java.base/jdk.internal.misc=ALL-UNNAMED"));
            command.add(Path.of(System.getProperty("java.home"), "bin", JAVA).toString());
            command.addAll(options);
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.aeron.driver.MediaDriver"));
        } else {
            command.add(driver);
            command.addAll(options);
        }
        Path ready = Path.of(directory(host), "cnc.dat");
        Process process = Runs.start(command);
        long begin = System.nanoTime();
        while (!Files.exists(ready) && System.nanoTime() - begin < DRIVER_STARTS.toNanos()) {
            Thread.sleep(100);
        }
        return process;
    }

    private boolean inJava() {
        return driver.isEmpty() || driver.equals(JAVA);
    }

    private String external() {
        return inJava() ? "external-runs" : "external";
    }

    private Optional<String> directory(DistributionRow row, int number) {
        return row.way().equals("ipc")
                ? Optional.of(directory(0))
                : drivers(row).contains(host(row, number))
                        ? Optional.of(directory(host(row, number)))
                        : Optional.empty();
    }

    // ---- Programs

    private static String route(DistributionRow row) {
        return switch (row.route()) {
            case "ipc" -> "ipc";
            case "udp-loopback" -> "127.0.0.1:" + PORT;
            case "udp" -> address(1) + ":" + PORT;
            case "from" -> "from:" + address(0) + ":" + PORT;
            default -> GROUP + ":" + PORT;
        };
    }

    private static int data(DistributionRow row) {
        if (row.mtu() == 0) {
            return MOST_DATA;
        }
        return row.mtu() == DistributionRow.JUMBO ? JUMBO_DATA : USUAL_DATA;
    }

    private List<String> aeron(DistributionRow row, int number, String whenSlow) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("distribution.routes", route(row));
        all.put("distribution.whenSlow", whenSlow);
        all.put("distribution.mtu", Integer.toString(data(row)));
        if (row.multicast()) {
            all.put("distribution.interface", address(host(row, number)));
        }
        directory(row, number).ifPresent(directory -> {
            all.put("distribution.directory", directory);
            all.put("distribution.driver", row.way().equals("ipc") && number == 0 ? "embedded" : external());
        });
        return all.entrySet().stream()
                .map(one -> "-D" + one.getKey() + "=" + one.getValue())
                .toList();
    }

    private List<String> program(DistributionRow row, int number, String whenSlow, String... arguments) {
        List<String> options = new ArrayList<>(List.of(
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                row.way().equals(DistributionRow.PVACCESS) || row.bytes() > MOST_BYTES_OF_A_SMALL_HEAP
                        ? "-Xmx1g"
                        : "-Xmx256m",
                "--add-exports",
                "java.base/jdk.internal.misc=ALL-UNNAMED"));
        if (row.aeron()) {
            options.addAll(aeron(row, number, whenSlow));
        }
        List<String> command = new ArrayList<>(Runs.inside(namespace(host(row, number)), "", false));
        command.addAll(Runs.java(DistributionPeerMain.class, options));
        command.addAll(List.of(arguments));
        return command;
    }

    private List<String> plain(DistributionRow row, int host, String side) {
        List<String> command = new ArrayList<>(Runs.inside(namespace(host), "", false));
        command.addAll(List.of(
                "benchmarks/target/plain-udp",
                side,
                address(0),
                Integer.toString(PORT),
                Integer.toString(row.bytes()),
                Integer.toString(data(row) - FRAGMENT_HEADERS),
                Integer.toString(row.batch())));
        if (row.consumers() > 1) {
            command.addAll(List.of(GROUP, host == 0 ? Integer.toString(row.consumers()) : address(host)));
        }
        return command;
    }

    private List<String> sender(DistributionRow row) {
        String bytes = Integer.toString(row.bytes());
        String rate = Double.toString(row.rate());
        String server = row.mtu() > 0 ? address(0) : "127.0.0.1";
        String port = Integer.toString(PORT);
        if (row.plain()) {
            return plain(row, 0, "send");
        }
        return switch (row.route()) {
            case DistributionRow.GVSP -> {
                List<String> command = new ArrayList<>(Runs.inside(namespace(0), "", false));
                command.addAll(List.of(
                        "benchmarks/target/camera",
                        "1",
                        Integer.toString(CameraWay.WIDTH),
                        Integer.toString(row.bytes() / CameraWay.WIDTH),
                        Double.toString(row.rate() * row.bytes() / 1e6),
                        "0",
                        "/dev/shm/" + prefix + "stamps"));
                yield command;
            }
            case DistributionRow.TCP, DistributionRow.TCP_SINGLE, DistributionRow.TCP_LOOPBACK ->
                program(row, 0, WAIT, "serve", server, port, bytes, rate);
            case DistributionRow.PVACCESS -> program(row, 0, WAIT, "offer", server, port, bytes, rate);
            default -> program(row, 0, WAIT, "publish", route(row), bytes, rate);
        };
    }

    private List<String> consumer(DistributionRow row, int number, String whenSlow) {
        String bytes = Integer.toString(row.bytes());
        String server = row.mtu() > 0 ? address(0) : "127.0.0.1";
        String port = Integer.toString(PORT);
        if (row.plain()) {
            return plain(row, number, "receive");
        }
        return switch (row.route()) {
            case DistributionRow.GVSP ->
                program(
                        row,
                        number,
                        whenSlow,
                        number == 1 ? "control" : "listen",
                        server,
                        Integer.toString(row.mtu()),
                        bytes);
            case DistributionRow.TCP, DistributionRow.TCP_SINGLE, DistributionRow.TCP_LOOPBACK ->
                program(row, number, whenSlow, "connect", server, port, bytes);
            case DistributionRow.PVACCESS -> program(row, number, whenSlow, "monitor", server, port, bytes);
            default -> program(row, number, whenSlow, "subscribe", bytes);
        };
    }
}
