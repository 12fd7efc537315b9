package io.peregrine.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Processes that measure, and the figures that they print: {@code name=value} with spaces between. */
final class Runs {
    static final String IPV4 = "-Djava.net.preferIPv4Stack=true";

    private Runs() {}

    static List<String> inside(String namespace, String processor, boolean dropRights) {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        if (!processor.isEmpty()) {
            command.addAll(List.of("taskset", "-c", processor));
        }
        if (dropRights) {
            command.addAll(List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all"));
        }
        return command;
    }

    static List<String> java(Class<?> main, List<String> options) {
        return java(main, System.getProperty("java.class.path"), options);
    }

    static List<String> java(Class<?> main, String classPath, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(IPV4);
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        return command;
    }

    static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static Map<String, Double> figures(String line) {
        Map<String, Double> values = new HashMap<>();
        for (String pair : line.split(" ", -1)) {
            values.put(pair.split("=", -1)[0], Double.valueOf(pair.split("=", -1)[1]));
        }
        return values;
    }

    static double median(List<Map<String, Double>> rounds, String figure) {
        double[] values =
                rounds.stream().mapToDouble(each -> each.get(figure)).sorted().toArray();
        return values[values.length / 2];
    }
}
