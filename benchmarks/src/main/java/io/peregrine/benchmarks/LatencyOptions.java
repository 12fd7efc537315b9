package io.peregrine.benchmarks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What {@code benchmarks/latency} was called with. */
final class LatencyOptions {
    boolean quick;
    boolean pinned;
    boolean steps;
    int rounds = 3;
    double seconds = 8;
    double warmUp = 15;
    List<String> only = List.of();
    List<Boolean> joined = List.of(true, false);
    List<String> java = List.of();
    final List<LatencyWay> ways = new ArrayList<>();

    /**
     * Reads them.
     *
     * @param own the folder of this checkout
     * @throws IllegalArgumentException with what is wrong
     */
    static LatencyOptions parse(String own, List<String> arguments) {
        LatencyOptions options = new LatencyOptions();
        Deque<String> rest = new ArrayDeque<>(arguments);
        List<String> names = List.of();
        List<LatencyWay> more = new ArrayList<>();
        List<String> beside = new ArrayList<>();
        if (rest.remove("--quick")) {
            options.quick = true;
            options.rounds = 1;
            options.seconds = 4;
            options.warmUp = 10;
        }
        while (!rest.isEmpty()) {
            String option = rest.remove();
            switch (option) {
                case "--pin" -> options.pinned = true;
                case "--steps" -> options.steps = true;
                case "--rounds" -> options.rounds = Integer.parseInt(value(option, rest));
                case "--seconds" -> options.seconds = Double.parseDouble(value(option, rest));
                case "--warm-up" -> options.warmUp = Double.parseDouble(value(option, rest));
                case "--only" -> options.only = List.of(value(option, rest).split(",", -1));
                case "--gro" -> options.joined = List.of(value(option, rest).equals("on"));
                case "--java" -> options.java = List.of(value(option, rest).split(" +", -1));
                case "--ways" -> names = List.of(value(option, rest).split(",", -1));
                case "--set" ->
                    more.add(LatencyWay.with(List.of(value(option, rest).split(",", -1))));
                case "--beside" -> beside.add(value(option, rest));
                default -> throw new IllegalArgumentException(option + ": no such option");
            }
        }
        if (names.isEmpty()) {
            names = options.quick
                    ? List.of("default", "udp")
                    : List.of("default", "no-rights", "mmsg", "nio", "ring", "udp", "packet");
        }
        for (String name : names) {
            LatencyWay way = LatencyWay.of(name);
            options.ways.add(way);
            if (!way.aravis()) {
                beside.forEach(other -> options.ways.add(way.beside(own, other)));
            }
        }
        options.ways.addAll(more);
        return options;
    }

    private static String value(String option, Deque<String> rest) {
        if (rest.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return rest.remove();
    }

    boolean selected(LatencyRow row) {
        if (only.isEmpty()) {
            return quick ? row.quick() : row.usual();
        }
        return only.stream()
                .anyMatch(each -> row.name().equals(each) || row.name().startsWith(each + "/"));
    }
}
