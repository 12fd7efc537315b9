package io.peregrine.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Frames from one host to several, through Aeron and by plain TCP, in turn; see {@code benchmarks/distribution}.
 * Arguments: a prefix of the names of network namespaces, then the options of the script.
 */
public final class DistributionMain {
    private static final String UDP = "udp";
    private static final int[] SIZES = {1_200_000, 4_000_000, 16_000_000, 64_000_000};
    private static final int USUAL_BYTES = 4_000_000;
    private static final int SMALL_BYTES = 1_200_000;
    /** Frames go through the heap of both sides. */
    private static final int MAX_PVACCESS_BYTES = 16_000_000;

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
    private String driver = "";

    private DistributionMain(String prefix) {
        this.prefix = prefix;
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
                case "--media-driver" -> driver = arguments[++i];
                case "--set" -> {
                    String[] pair = arguments[++i].split("=", 2);
                    settings.put(pair[0], pair[1]);
                }
                default -> throw new IllegalArgumentException("Unknown option " + arguments[i]);
            }
        }
    }

    /** Single packets are lost, so that they have to come one by one without a loss, too. */
    private static void addLossy(List<DistributionRow> rows, DistributionRow row) {
        rows.add(row.cut());
        rows.add(row.cut().lossy());
    }

    private List<DistributionRow> rows() {
        List<DistributionRow> rows = new ArrayList<>();
        for (int bytes : quick ? new int[] {USUAL_BYTES} : SIZES) {
            for (String way : List.of(DistributionRow.TCP_LOOPBACK, "ipc", "udp-loopback")) {
                rows.add(DistributionRow.of(way, 0, 1, bytes));
            }
            if (bytes <= MAX_PVACCESS_BYTES) {
                rows.add(DistributionRow.of(DistributionRow.PVACCESS, 0, 1, bytes));
            }
            for (int mtu : quick ? new int[] {DistributionRow.JUMBO} : new int[] {DistributionRow.JUMBO, 1500}) {
                for (String way : List.of(
                        DistributionRow.TCP,
                        DistributionRow.TCP_SINGLE,
                        UDP,
                        DistributionRow.PLAIN,
                        DistributionRow.PLAIN_BATCH,
                        DistributionRow.PLAIN_RUNS)) {
                    rows.add(DistributionRow.of(way, mtu, 1, bytes));
                }
            }
        }
        addLossy(rows, DistributionRow.of(UDP, DistributionRow.JUMBO, 1, USUAL_BYTES));
        for (int consumers : quick ? new int[] {3} : new int[] {2, 3, 4}) {
            for (String way : List.of(
                    DistributionRow.TCP,
                    DistributionRow.TCP_SINGLE,
                    "from",
                    DistributionRow.GROUP,
                    DistributionRow.GROUP_ONE_HOST,
                    DistributionRow.PLAIN,
                    DistributionRow.PLAIN_BATCH,
                    DistributionRow.PLAIN_RUNS)) {
                rows.add(DistributionRow.of(way, DistributionRow.JUMBO, consumers, USUAL_BYTES));
            }
        }
        if (!quick) {
            addLossy(rows, DistributionRow.of(DistributionRow.GROUP, DistributionRow.JUMBO, 3, USUAL_BYTES));
            rows.add(DistributionRow.of(DistributionRow.GROUP, DistributionRow.JUMBO, 2, SMALL_BYTES)
                    .at(60)
                    .viewer(DistributionRow.STOPPED));
            rows.add(DistributionRow.of(DistributionRow.GROUP, DistributionRow.JUMBO, 2, USUAL_BYTES)
                    .at(25)
                    .viewer(DistributionRow.STOPPED));
            for (double rate : new double[] {100, 200}) {
                for (int consumers : new int[] {1, 2, 4}) {
                    rows.add(DistributionRow.of(DistributionRow.GVSP, DistributionRow.JUMBO, consumers, USUAL_BYTES)
                            .at(rate));
                }
            }
        }
        return rows.stream()
                .filter(row -> only.isEmpty() || only.stream().anyMatch(start -> (row.name() + "$").startsWith(start)))
                .toList();
    }

    private void run() throws IOException, InterruptedException {
        Map<DistributionRow, List<Map<String, Double>>> results = new LinkedHashMap<>();
        DistributionRun run = new DistributionRun(prefix, settings, seconds, warmUp, driver);
        for (int round = 0; round < rounds; round++) {
            for (DistributionRow row : rows()) {
                System.err.print(row.name());
                run.measure(row, (part, figures) -> {
                    System.err.println(" " + part.name() + " " + figures);
                    results.computeIfAbsent(part, key -> new ArrayList<>()).add(figures);
                });
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d rounds of %.0f s in turn, each after %.0f s, %d processors, Java %s, %s%s;"
                        + " medians, bad and lost frames of all rounds%n%n",
                rounds,
                seconds,
                warmUp,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                settings,
                driver.isEmpty() ? "" : ", a media driver for each host");
        System.out.println("| way / MTU / consumers / MB a frame | MB/s of the slowest consumer | to its bases |"
                + " bad, lost | p50 ms | p99.9 ms | CPU s/GB sender | consumer |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        results.forEach((row, all) -> print(row, all, results));
    }

    private static void print(
            DistributionRow row,
            List<Map<String, Double>> all,
            Map<DistributionRow, List<Map<String, Double>>> results) {
        String ratios = row.bases().stream()
                .filter(base -> !base.equals(row))
                .map(results::get)
                .filter(one -> one != null && one.size() == all.size())
                .map(one -> String.format(Locale.ROOT, "%.2f", ratio(all, one)))
                .collect(Collectors.joining(", "));
        System.out.printf(
                Locale.ROOT,
                "| %s | %.0f | %s | %.0f, %.0f | %.2f | %.2f | %.3f | %.3f |%n",
                row.name(),
                Runs.median(all, DistributionRun.RATE),
                ratios,
                all.stream().mapToDouble(one -> one.get("bad")).sum(),
                all.stream().mapToDouble(one -> one.get("lost")).sum(),
                Runs.median(all, "p50") / 1000,
                Runs.median(all, "p999") / 1000,
                Runs.median(all, "sender"),
                Runs.median(all, "consumer"));
    }

    private static double ratio(List<Map<String, Double>> all, List<Map<String, Double>> base) {
        return IntStream.range(0, all.size())
                .mapToDouble(
                        i -> all.get(i).get(DistributionRun.RATE) / base.get(i).get(DistributionRun.RATE))
                .sorted()
                .toArray()[all.size() / 2];
    }
}
