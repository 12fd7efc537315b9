package io.peregrine.benchmarks;

import io.peregrine.rdma.RdmaProvider;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Moves the same frames by GVSP, TCP and RDMA, from one process to another, in turn, and prints what each way gives and
 * costs. What the JVM's compilers took has a column: code that runs once per frame is compiled after half a minute.
 * Arguments: rounds, seconds of each run, frames a second in all, seconds before each run, the way with which the
 * others are compared, GVSP or TCP (with TCP there is no GVSP), how many cameras there are at most, and what the names
 * of the ways end with that are compared with it.
 */
public final class CompareMain {
    private static final String[] FIGURES = {
        "megabytesPerSecond",
        "p50",
        "p90",
        "p99",
        "p999",
        "max",
        "processorSecondsPerGigabyte",
        "compilerSecondsPerGigabyte"
    };

    private static final String GVSP = "GVSP";

    private CompareMain() {}

    /** One way of moving frames. */
    private record Way(String name, int cameras, List<String> sender, List<String> receiver) {}

    /**
     * Compares.
     *
     * @param arguments what the class's documentation says
     * @throws Exception if a process fails
     */
    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        String seconds = arguments.length > 1 ? arguments[1] : "10";
        double rate = arguments.length > 2 ? Double.parseDouble(arguments[2]) : 120;
        String warmUp = arguments.length > 3 ? arguments[3] : "2";
        String base = arguments.length > 4 ? arguments[4] : GVSP;
        int mostCameras = arguments.length > 5 ? Integer.parseInt(arguments[5]) : Integer.MAX_VALUE;
        String end = arguments.length > 6 ? arguments[6] : "";
        List<Way> ways = ways(rate, base.equals(GVSP)).stream()
                .filter(way -> way.cameras <= mostCameras && (way.name.equals(base) || way.name.endsWith(end)))
                .toList();
        Map<Way, List<Map<String, Double>>> results = new HashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Way way : ways) {
                results.computeIfAbsent(way, key -> new ArrayList<>()).add(run(way, warmUp, seconds));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d rounds of %s s in turn, each after %s s, %.0f frames of %d bytes a second in all, %d processors,"
                        + " Java %s; medians, bad of all rounds%n%n",
                rounds,
                seconds,
                warmUp,
                rate,
                Frames.BYTES,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature());
        System.out.println("| cameras | way | MB/s | bad | latency p50 | p90 | p99 | p99.9 | max us | p50 to " + base
                + " | CPU s/GB | to " + base + " | of it compiling | rest | to " + base + " |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (Way way : ways) {
            Way peer = ways.stream()
                    .filter(other -> other.cameras == way.cameras && other.name.equals(base))
                    .findFirst()
                    .orElseThrow();
            double[] own = medians(results.get(way));
            double[] theirs = medians(results.get(peer));
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %s | %.1f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.2f | %.3f | %.2f |"
                            + " %.3f | %.3f | %.2f |%n",
                    way.cameras,
                    way.name,
                    own[0],
                    results.get(way).stream()
                            .mapToDouble(each -> each.get("incomplete"))
                            .sum(),
                    own[1],
                    own[2],
                    own[3],
                    own[4],
                    own[5],
                    own[1] / theirs[1],
                    own[6],
                    own[6] / theirs[6],
                    own[7],
                    own[6] - own[7],
                    (own[6] - own[7]) / (theirs[6] - theirs[7]));
        }
    }

    private static List<Way> ways(double rate, boolean gvsp) throws IOException {
        List<Way> ways = new ArrayList<>();
        for (int cameras : new int[] {1, 4}) {
            String number = Integer.toString(cameras);
            String each = Double.toString(rate / cameras);
            List<String> plain = List.of("cameras", number, each);
            if (gvsp) {
                ways.add(new Way(GVSP, cameras, plain, List.of()));
            }
            ways.add(new Way("TCP", cameras, List.of("tcp", number, each), List.of("tcp")));
            for (String provider : providers()) {
                List<String> sender = List.of("cameras", number, each, provider);
                for (String mode : new String[] {"send", "write"}) {
                    ways.add(new Way(
                            "RDMA " + provider + ", " + mode,
                            cameras,
                            sender,
                            List.of("UseRdma=require", "RdmaProvider=" + provider, "RdmaMode=" + mode)));
                }
                ways.add(new Way(
                        "RDMA " + provider + ", write, shared receive queue",
                        cameras,
                        sender,
                        List.of("UseRdma=require", "RdmaProvider=" + provider, "RdmaMode=write", "RdmaShared=1")));
            }
        }
        return ways;
    }

    private static List<String> providers() throws IOException {
        Inet4Address address = (Inet4Address) InetAddress.getByName(Frames.receiver());
        List<String> working = new ArrayList<>();
        for (RdmaProvider provider : RdmaProviders.all()) {
            try {
                provider.open(address).close();
                working.add(provider.name());
            } catch (RdmaUnavailableException e) {
                System.err.println("without " + provider.name() + ": " + e.getMessage());
            }
        }
        return working;
    }

    private static Map<String, Double> run(Way way, String warmUp, String seconds)
            throws IOException, InterruptedException {
        Process sender = start(FrameSenderMain.class, way.sender);
        try (BufferedReader said = sender.inputReader()) {
            if (!"ready".equals(said.readLine())) {
                throw new IllegalStateException("The sender of " + way.name + " did not start");
            }
            boolean tcp = way.receiver.equals(List.of("tcp"));
            List<String> arguments =
                    new ArrayList<>(List.of(tcp ? "tcp" : "sdk", Integer.toString(way.cameras), warmUp, seconds));
            if (!tcp) {
                arguments.addAll(way.receiver);
            }
            Process receiver = start(FrameReceiverMain.class, arguments);
            String line = receiver.inputReader().readLine();
            receiver.waitFor();
            if (line == null) {
                throw new IllegalStateException("The receiver of " + way.name + " failed");
            }
            System.err.println(way.cameras + " " + way.name + ": " + line);
            return Runs.figures(line);
        } finally {
            sender.getOutputStream().close();
            if (!sender.waitFor(5, TimeUnit.SECONDS)) {
                sender.destroyForcibly();
            }
        }
    }

    /** Starts another main class in a separate process. */
    static Process start(Class<?> main, List<String> arguments) throws IOException {
        List<String> command = Runs.java(main, List.of());
        command.addAll(arguments);
        return Runs.start(command);
    }

    private static double[] medians(List<Map<String, Double>> rounds) {
        return Arrays.stream(FIGURES)
                .mapToDouble(figure -> {
                    double[] values = rounds.stream()
                            .mapToDouble(each -> each.get(figure))
                            .sorted()
                            .toArray();
                    return values[values.length / 2];
                })
                .toArray();
    }
}
