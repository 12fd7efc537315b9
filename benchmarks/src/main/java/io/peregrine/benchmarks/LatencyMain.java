package io.peregrine.benchmarks;

import io.peregrine.benchmarks.LatencyRow.Kind;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Receives the same GVSP streams with Peregrine and with Aravis, in turn, and prints how long after its last packet the
 * user had each frame. Run by {@code benchmarks/latency}, which makes the two network namespaces: {@code FOLDER
 * CAMERA_NAMESPACE RECEIVER_NAMESPACE STAMPS [OPTION...]}.
 */
public final class LatencyMain {
    private static final double FIRST_SECONDS = 3;
    private static final double MOST_WARM_UP_OF_C = 2;
    /** 118 MB/s. */
    private static final String RDMA_FRAMES_A_SECOND = "96";

    private static final int SOCKET_BUFFER = 4 << 20;

    private final Path folder;
    private final String cameraSpace;
    private final String receiverSpace;
    private final Path stamps;
    private final Path arrivals;
    private final Path recording;
    private final LatencyOptions options;

    private LatencyMain(LatencyOptions options, String... arguments) {
        this.options = options;
        folder = Path.of(arguments[0]);
        cameraSpace = arguments[1];
        receiverSpace = arguments[2];
        stamps = Path.of(arguments[3]);
        arrivals = Path.of(arguments[3] + ".arrivals");
        recording = Path.of(arguments[3] + ".jfr");
    }

    /**
     * Compares.
     *
     * @param arguments what the class's documentation says
     * @throws Exception if a process fails
     */
    public static void main(String[] arguments) throws Exception {
        LatencyOptions options;
        try {
            List<String> all = List.of(arguments);
            String own = Path.of(arguments[0]).getParent().getParent().toString();
            options = LatencyOptions.parse(own, all.subList(4, all.size()));
        } catch (IllegalArgumentException e) {
            System.err.println("latency: " + e.getMessage());
            System.exit(2);
            return;
        }
        new LatencyMain(options, arguments).run();
    }

    private void run() throws IOException, InterruptedException {
        LatencyTables tables = new LatencyTables(options);
        for (LatencyRow row : LatencyRow.all()) {
            if (!options.selected(row)) {
                continue;
            }
            if (row.kind() == Kind.RDMA) {
                compareRdma();
                continue;
            }
            for (boolean joined : options.joined) {
                // How packets arrive plays no part for a trigger, and little for the first frames.
                if (row.kind() == Kind.STREAM || joined == options.joined.get(0)) {
                    Map<LatencyWay, List<LatencyRun>> results = compare(row, joined);
                    if (!results.isEmpty()) {
                        tables.add(row, joined, results);
                    }
                }
            }
        }
        if (!tables.empty()) {
            tables.print();
        }
    }

    /** Prints a table itself. */
    private void compareRdma() throws IOException, InterruptedException {
        List<String> command = Runs.inside(cameraSpace, "", false);
        command.addAll(Runs.java(CompareMain.class, List.of()));
        command.addAll(List.of(
                Integer.toString(options.rounds),
                Double.toString(options.seconds),
                RDMA_FRAMES_A_SECOND,
                Double.toString(options.warmUp),
                "TCP"));
        Process process = Runs.start(command);
        process.getInputStream().transferTo(System.out);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("RDMA cannot be compared");
        }
    }

    private Map<LatencyWay, List<LatencyRun>> compare(LatencyRow row, boolean joined)
            throws IOException, InterruptedException {
        List<String> ethtool = Runs.inside(receiverSpace, "", false);
        ethtool.addAll(List.of("ethtool", "-K", "gvb", "gro", joined ? "on" : "off"));
        if (Runs.start(ethtool).waitFor() != 0) {
            throw new IllegalStateException("GRO cannot be switched");
        }
        Map<LatencyWay, List<LatencyRun>> results = new LinkedHashMap<>();
        Process cameras = cameras(row);
        try (BufferedReader said = cameras.inputReader();
                BufferedWriter ask = cameras.outputWriter()) {
            if (!"ready".equals(said.readLine())) {
                throw new IllegalStateException("The cameras did not start");
            }
            for (int round = 0; round < options.rounds; round++) {
                for (LatencyWay way : options.ways) {
                    LatencyRun run;
                    try {
                        run = receive(row, way, said, ask);
                    } catch (IllegalStateException e) {
                        // The others are worth their figures without it.
                        System.err.println(row.name() + " | " + e.getMessage());
                        continue;
                    }
                    results.computeIfAbsent(way, key -> new ArrayList<>()).add(run);
                    System.err.printf(
                            Locale.ROOT,
                            "%s, GRO %s | %s: p50 %.0f p90 %.0f us, %s%n",
                            row.name(),
                            joined ? "on" : "off",
                            way.name(),
                            run.lastPacket.getValueAtPercentile(50) / 1e3,
                            run.lastPacket.getValueAtPercentile(90) / 1e3,
                            run.figures);
                }
            }
        } finally {
            if (!cameras.waitFor(5, TimeUnit.SECONDS)) {
                cameras.destroyForcibly();
            }
        }
        return results;
    }

    private Process cameras(LatencyRow row) throws IOException {
        List<String> command = Runs.inside(cameraSpace, options.pinned ? "0" : "", false);
        String side = Integer.toString(row.side());
        String rate = Double.toString(row.rate() / row.cameras());
        command.addAll(List.of(
                folder.resolve("camera").toString(),
                Integer.toString(row.cameras()),
                side,
                side,
                rate,
                "0",
                stamps.toString()));
        return Runs.start(command);
    }

    private LatencyRun receive(LatencyRow row, LatencyWay way, BufferedReader cameras, BufferedWriter ask)
            throws IOException, InterruptedException {
        Map<String, Double> atBegin = Map.of();
        Map<String, Double> atEnd = Map.of();
        String line = "";
        Process receiver = Runs.start(command(row, way));
        try (BufferedReader said = receiver.inputReader()) {
            for (String next = said.readLine(); next != null; next = said.readLine()) {
                line = next;
                if (next.equals("begin")) {
                    atBegin = ask(cameras, ask);
                } else if (next.equals("end")) {
                    atEnd = ask(cameras, ask);
                }
            }
        }
        if (receiver.waitFor() != 0 || !line.startsWith("good=")) {
            throw new IllegalStateException(way.name() + " failed: " + line);
        }
        Map<String, Double> figures = Runs.figures(line);
        figures.put("blocks", atEnd.get("blocks") - atBegin.get("blocks"));
        figures.put("failures", atEnd.get("failures") - atBegin.get("failures"));
        double gigabytes = Math.max(figures.get("good") * row.bytes() / 1e9, 1e-9);
        figures.put("processPerGigabyte", figures.get("process") / gigabytes);
        return LatencyRun.of(arrivals, stamps, recording, figures);
    }

    private static Map<String, Double> ask(BufferedReader said, BufferedWriter ask) throws IOException {
        ask.newLine();
        ask.flush();
        return Runs.figures(said.readLine());
    }

    private List<String> command(LatencyRow row, LatencyWay way) {
        List<String> command = Runs.inside(receiverSpace, options.pinned ? "1" : "", !way.rights());
        double warmUp = way.aravis() ? Math.min(options.warmUp, MOST_WARM_UP_OF_C) : options.warmUp;
        List<String> common = List.of(
                Integer.toString(row.cameras()),
                Double.toString(row.kind() == Kind.FIRST ? -row.pauseSeconds() : warmUp),
                Double.toString(row.kind() == Kind.FIRST ? FIRST_SECONDS : options.seconds));
        String asked = row.kind() == Kind.TRIGGER ? "trigger" : "stream";
        if (way.aravis()) {
            command.add(folder.resolve("aravis").toString());
            command.addAll(common);
            command.addAll(List.of(
                    "-",
                    Integer.toString(row.packetSize()),
                    way.socket(),
                    Integer.toString(way.socket().equals("socket") ? SOCKET_BUFFER : 0),
                    arrivals.toString(),
                    asked));
            return command;
        }
        List<String> java = new ArrayList<>(options.java);
        if (options.steps) {
            java.addAll(LatencySteps.javaOptions(recording));
        }
        command.addAll(Runs.java(LatencyReceiverMain.class, way.classPath(), java));
        command.addAll(common);
        command.addAll(List.of(arrivals.toString(), asked, "PacketSize=" + row.packetSize(), "Payload=Image"));
        command.addAll(way.parameters());
        return command;
    }
}
