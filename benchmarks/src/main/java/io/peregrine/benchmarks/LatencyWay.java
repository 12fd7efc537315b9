package io.peregrine.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * Who receives in the latency benchmark.
 *
 * @param parameters of the device, each NAME=VALUE
 * @param classPath that of the receiver's JVM; empty for Aravis
 * @param socket for Aravis, what {@code aravis.c} calls it
 */
record LatencyWay(String name, List<String> parameters, boolean rights, String classPath, String socket) {
    static final String ARAVIS_UDP = "Aravis, UDP";

    boolean aravis() {
        return classPath.isEmpty();
    }

    /** A way by the short name that {@code --ways} takes. */
    static LatencyWay of(String name) {
        String own = System.getProperty("java.class.path");
        return switch (name) {
            case "default" -> new LatencyWay("Peregrine", List.of(), true, own, "");
            case "no-rights" -> new LatencyWay("Peregrine, no rights", List.of(), false, own, "");
            case "mmsg", "nio", "ring" -> with(List.of("PacketReceiver=" + name));
            case "shared" -> with(List.of("ReceiverThread=all"));
            case "udp" -> new LatencyWay(ARAVIS_UDP, List.of(), true, "", "socket");
            case "packet" -> new LatencyWay("Aravis, packet socket", List.of(), true, "", "packet");
            default -> throw new IllegalArgumentException("--ways: no way " + name);
        };
    }

    /** Peregrine with parameters. */
    static LatencyWay with(List<String> parameters) {
        return new LatencyWay(
                "Peregrine, " + String.join(" ", parameters),
                parameters,
                true,
                System.getProperty("java.class.path"),
                "");
    }

    /** The same by the library of another checkout, which is built. */
    LatencyWay beside(String own, String other) {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(":", -1)) {
            // What measures stays the same.
            entries.add(
                    entry.startsWith(own + "/") && !entry.startsWith(own + "/benchmarks/")
                            ? other + entry.substring(own.length())
                            : entry);
        }
        String folder = other.substring(other.lastIndexOf('/') + 1);
        return new LatencyWay(name + " of " + folder, parameters, rights, String.join(":", entries), "");
    }
}
