package io.peregrine.benchmarks;

import io.peregrine.benchmarks.LatencyRow.Kind;
import io.peregrine.benchmarks.LatencySteps.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** The results of the latency benchmark, as tables: medians of the rounds, of the greatest the greatest. */
final class LatencyTables {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    private final LatencyOptions options;
    private final List<Cell> cells = new ArrayList<>();

    LatencyTables(LatencyOptions options) {
        this.options = options;
    }

    /** The runs of one way in one row, beside those of Aravis by UDP, or of the first way without it. */
    private record Cell(
            LatencyRow row,
            boolean joined,
            LatencyWay way,
            List<LatencyRun> own,
            String peerName,
            List<LatencyRun> peer) {
        double median(ToDoubleFunction<LatencyRun> figure) {
            return LatencyTables.median(own, figure);
        }

        /** Ratio to the peer. */
        double ratio(ToDoubleFunction<LatencyRun> figure) {
            return median(figure) / LatencyTables.median(peer, figure);
        }

        double sum(String... figures) {
            double sum = 0;
            for (String figure : figures) {
                sum += own.stream().mapToDouble(run -> run.figures.get(figure)).sum();
            }
            return sum;
        }

        String offer() {
            return String.format(
                    Locale.ROOT, "%s | %d | %s | %s", row.name(), row.cameras(), joined ? "on" : "off", way.name());
        }
    }

    void add(LatencyRow row, boolean joined, Map<LatencyWay, List<LatencyRun>> results) {
        LatencyWay peer = results.keySet().stream()
                .filter(way -> way.name().equals(LatencyWay.ARAVIS_UDP))
                .findFirst()
                .orElse(results.keySet().iterator().next());
        results.forEach((way, runs) -> cells.add(new Cell(row, joined, way, runs, peer.name(), results.get(peer))));
    }

    boolean empty() {
        return cells.isEmpty();
    }

    void print() {
        System.out.printf(
                Locale.ROOT,
                "%d rounds in turn, %s s each after %s s%s, %d processors, Java %s; frames of all rounds, medians of"
                        + " the rest, the greatest of all rounds; microseconds; ratios to %s; ready:"
                        + " opening all cameras and starting all streams%n",
                options.rounds,
                options.seconds,
                options.warmUp,
                options.pinned ? ", cameras on one processor and receivers on the other" : "",
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                cells.get(0).peerName());
        String columns =
                "| packet/MB/s | cameras | GRO | way | frames | bad | p50 | p90 | p99 | p99.9 | max | to peer p50"
                        + " | p90 | p99 | CPU s/GB | to peer | ready ms |";
        latencies(Kind.STREAM, "Last packet to user:", columns, run -> run.lastPacket);
        latencies(Kind.TRIGGER, "Software trigger to user:", columns, run -> run.trigger);
        if (options.steps) {
            latencies(Kind.TRIGGER, "Software trigger to camera:", columns, run -> run.asking);
            latencies(Kind.TRIGGER, "Last packet to user, triggered:", columns, run -> run.lastPacket);
            latencies(
                    Kind.STREAM,
                    "Sending the last packets (part of last packet to user):",
                    columns,
                    run -> run.sending);
            steps();
        }
        first();
    }

    private void steps() {
        String title = "Step by step, from the last packets to the user; without frames whose way was not recorded:";
        String columns = "| packet/MB/s | cameras | GRO | way | step | frames | p50 | p90 | p99 |";
        boolean begun = false;
        for (Cell cell : cells) {
            for (Step step : Step.values()) {
                List<Histogram> seen = cell.own.stream()
                        .map(run -> run.steps.histograms().get(step))
                        .filter(Objects::nonNull)
                        .toList();
                if (seen.isEmpty()) {
                    continue;
                }
                if (!begun) {
                    head(title, columns);
                    begun = true;
                }
                StringBuilder line = new StringBuilder();
                for (double percentile : new double[] {50, 90, 99}) {
                    line.append(fineMicros(median(seen, each -> each.getValueAtPercentile(percentile))));
                }
                long frames = seen.stream().mapToLong(Histogram::getTotalCount).sum();
                System.out.printf(Locale.ROOT, "| %s | %s | %d%s |%n", cell.offer(), step.text, frames, line);
            }
        }
    }

    private List<Cell> of(Kind kind) {
        return cells.stream().filter(cell -> cell.row.kind() == kind).toList();
    }

    private void latencies(Kind kind, String title, String columns, Function<LatencyRun, Histogram> histogram) {
        head(kind, title, columns);
        for (Cell cell : of(kind)) {
            StringBuilder line = new StringBuilder();
            for (double percentile : PERCENTILES) {
                line.append(micros(cell.median(at(histogram, percentile))));
            }
            double greatest = cell.own.stream()
                    .mapToDouble(run -> histogram.apply(run).getMaxValue())
                    .max()
                    .orElseThrow();
            line.append(micros(greatest));
            for (double percentile : List.of(50.0, 90.0, 99.0)) {
                line.append(String.format(Locale.ROOT, " | %.2f", cell.ratio(at(histogram, percentile))));
            }
            ToDoubleFunction<LatencyRun> cost = run -> run.figures.get("processPerGigabyte");
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.0f | %.0f%s | %.3f | %.2f | %.0f |%n",
                    cell.offer(),
                    cell.sum("good"),
                    cell.sum("bad", "missing"),
                    line,
                    cell.median(cost),
                    cell.ratio(cost),
                    cell.median(run -> 1000 * (run.figures.get("open") + run.figures.get("start"))));
        }
    }

    private void first() {
        head(
                Kind.FIRST,
                "First frames (last packet to user), and the first three seconds of the stream; opening is all before"
                        + " start(), without the start of the process:",
                "| packet/MB/s | cameras | GRO | way | opening ms | CPU ms | start() ms | 1st | 2nd | 3rd | 5th | 10th"
                        + " | bad | CPU s/GB | to peer |");
        for (Cell cell : of(Kind.FIRST)) {
            StringBuilder line = new StringBuilder();
            for (int frame : new int[] {1, 2, 3, 5, 10}) {
                double lateness = cell.median(run -> run.first[frame - 1]);
                line.append(lateness < 0 ? " | never" : micros(lateness));
            }
            ToDoubleFunction<LatencyRun> cost = run -> run.figures.get("processPerGigabyte");
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.0f | %.0f | %.0f%s | %.0f | %.3f | %.2f |%n",
                    cell.offer(),
                    cell.median(run -> 1000 * run.figures.get("open")),
                    cell.median(run -> 1000 * run.figures.get("openProcess")),
                    cell.median(run -> 1000 * run.figures.get("start")),
                    line,
                    cell.sum("bad", "missing"),
                    cell.median(cost),
                    cell.ratio(cost));
        }
    }

    private void head(Kind kind, String title, String columns) {
        if (!of(kind).isEmpty()) {
            head(title, columns);
        }
    }

    private static void head(String title, String columns) {
        System.out.printf(Locale.ROOT, "%n%s%n%n%s%n%s%n", title, columns, columns.replaceAll("[^|]+", "---"));
    }

    private static ToDoubleFunction<LatencyRun> at(Function<LatencyRun, Histogram> histogram, double percentile) {
        return run -> histogram.apply(run).getValueAtPercentile(percentile);
    }

    private static String micros(double nanos) {
        return String.format(Locale.ROOT, " | %.0f", nanos / 1e3);
    }

    private static String fineMicros(double nanos) {
        return String.format(Locale.ROOT, " | %.1f", nanos / 1e3);
    }

    private static <T> double median(List<T> runs, ToDoubleFunction<T> figure) {
        double[] values = runs.stream().mapToDouble(figure).sorted().toArray();
        return values[values.length / 2];
    }
}
