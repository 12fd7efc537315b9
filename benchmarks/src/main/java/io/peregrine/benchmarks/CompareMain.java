package io.peregrine.benchmarks;

import io.peregrine.rdma.RdmaProvider;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Moves the same frames by GVSP, TCP and RDMA, from one process to another, in turn, and prints what each way gives and
 * costs. Arguments: rounds, seconds of each run, frames a second in all.
 */
public final class CompareMain {
    private static final String[] FIGURES = {"megabytesPerSecond", "p50", "p99", "p999", "processorSecondsPerGigabyte"};

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
        List<Way> ways = ways(rate);
        Map<Way, List<Map<String, Double>>> results = new HashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Way way : ways) {
                results.computeIfAbsent(way, key -> new ArrayList<>()).add(run(way, seconds));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d rounds of %s s in turn, %.0f frames of %d bytes a second in all, %d processors, Java %s;"
                        + " medians%n%n",
                rounds,
                seconds,
                rate,
                Frames.BYTES,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature());
        System.out.println("| cameras | way | MB/s | to GVSP | latency p50 | p99 | p99.9 us | CPU s/GB | to GVSP |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        for (Way way : ways) {
            Way gvsp = ways.stream()
                    .filter(other -> other.cameras == way.cameras && other.name.equals("GVSP"))
                    .findFirst()
                    .orElseThrow();
            double[] own = medians(results.get(way));
            double[] base = medians(results.get(gvsp));
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %s | %.1f | %.2f | %.0f | %.0f | %.0f | %.3f | %.2f |%n",
                    way.cameras,
                    way.name,
                    own[0],
                    own[0] / base[0],
                    own[1],
                    own[2],
                    own[3],
                    own[4],
                    own[4] / base[4]);
        }
    }

    private static List<Way> ways(double rate) throws IOException {
        List<Way> ways = new ArrayList<>();
        for (int cameras : new int[] {1, 4}) {
            String number = Integer.toString(cameras);
            String each = Double.toString(rate / cameras);
            List<String> plain = List.of("cameras", number, each);
            ways.add(new Way("GVSP", cameras, plain, List.of()));
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

    private static Map<String, Double> run(Way way, String seconds) throws IOException, InterruptedException {
        Process sender = start(FrameSenderMain.class, way.sender);
        try (BufferedReader said = sender.inputReader()) {
            if (!"ready".equals(said.readLine())) {
                throw new IllegalStateException("The sender of " + way.name + " did not start");
            }
            boolean tcp = way.receiver.equals(List.of("tcp"));
            List<String> arguments =
                    new ArrayList<>(List.of(tcp ? "tcp" : "sdk", Integer.toString(way.cameras), seconds));
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
            Map<String, Double> values = new HashMap<>();
            for (String pair : line.split(" ", -1)) {
                values.put(pair.split("=", -1)[0], Double.valueOf(pair.split("=", -1)[1]));
            }
            return values;
        } finally {
            sender.getOutputStream().close();
            if (!sender.waitFor(5, TimeUnit.SECONDS)) {
                sender.destroyForcibly();
            }
        }
    }

    /** Starts another main class in a separate process. */
    static Process start(Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
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
