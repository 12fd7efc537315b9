package io.peregrine.conformance.softroce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.cli.PeregrineMain;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command {@code rdma-test} by verbs between two devices of the kernel's Soft-RoCE, beside rping and perftest. */
@InsideSoftRoce
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RdmaTestVerbsTest {
    private static final String LEFT = "10.10.0.1";
    private static final String RIGHT = "10.20.0.1";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int MESSAGES = 1000;
    private static final int BYTES = 65_536;
    private static final Pattern RATE = Pattern.compile("send to server +\\d+ bytes.*?, (\\d+\\.\\d) MB/s, all right");

    private final List<ChildProcess> children = new ArrayList<>();

    @AfterEach
    void close() {
        children.forEach(ChildProcess::close);
    }

    private ChildProcess start(List<String> command) {
        ChildProcess child = ChildProcess.start(command);
        children.add(child);
        return child;
    }

    private static List<String> command(String... arguments) {
        List<String> all = new ArrayList<>(List.of("rdma-test", "--provider", "verbs", "--timeout", "20"));
        all.addAll(List.of(arguments));
        return ChildProcess.java(List.of(), PeregrineMain.class.getName(), all);
    }

    private void server() {
        ChildProcess server = start(command("--server", "--interface", RIGHT));
        server.awaitLine("server", LIMIT, line -> line.equals("ready " + RIGHT + ":7174, provider verbs (rxe1)"));
    }

    private static String client(String... arguments) {
        List<String> all = new ArrayList<>(List.of(RIGHT, "--interface", LEFT));
        all.addAll(List.of(arguments));
        return ChildProcess.runToEnd(LIMIT, command(all.toArray(String[]::new)));
    }

    @Test
    void everyTestPassesInBothDirections() {
        server();
        String said = client("--count", "100", "--bytes", "20000");

        assertEquals(5, said.lines().filter(line -> line.endsWith("all right")).count(), said);
    }

    @Test
    void theServerServesRping() {
        server();
        String said = ChildProcess.run(
                LIMIT, "rping", "-c", "-v", "-V", "-C", "10", "-S", "4096", "-a", RIGHT, "-I", LEFT, "-p", "7174");

        assertEquals(
                10,
                said.lines()
                        .filter(line -> line.startsWith("ping data: rdma-ping-"))
                        .count(),
                said);
    }

    @Test
    void theClassOfServiceIsThatOfThePacketsOfBothSides() {
        Needs.that(Files.isExecutable(Path.of("/usr/bin/dumpcap")), "dumpcap: install wireshark-common");
        server();
        List<ChildProcess> captures = List.of(LEFT, RIGHT).stream()
                .map(source -> start(List.of(
                        "dumpcap",
                        "-i",
                        "va",
                        "-c",
                        "5",
                        "-w",
                        "/tmp/class-of-service-" + source,
                        "-f",
                        "udp dst port 4791 and ip[1] = 104 and src host " + source)))
                .toList();
        captures.forEach(capture -> capture.awaitLine("start", LIMIT, line -> line.startsWith("File: ")));
        client("--tests", "ping", "--count", "20", "--class-of-service", "104");

        captures.forEach(capture -> capture.succeeds(LIMIT));
    }

    /** Figures of an emulated machine say nothing but that both measure the same path in the same unit. */
    @Test
    void theRateIsThatOfPerftestWithinAFactorOfThree() {
        Needs.that(Files.isExecutable(Path.of("/usr/bin/ib_send_bw")), "ib_send_bw: install perftest");
        server();
        String said = client("--tests", "send", "--count", Integer.toString(MESSAGES), "--bytes", "65536");
        Matcher rate = RATE.matcher(said);
        assertTrue(rate.find(), said);
        double own = Double.parseDouble(rate.group(1));

        // By polling: waiting for events (-e), its client sometimes does not end on one processor.
        String options = "-F -x 1 -q 1 -m 4096 -s " + BYTES + " -n " + MESSAGES + " -u 17";
        ChildProcess receiver = start(List.of("bash", "-c", "stdbuf -oL ib_send_bw -d rxe1 " + options));
        receiver.awaitLine("start", LIMIT, line -> line.contains("Waiting for client"));
        String table = ChildProcess.run(LIMIT, "bash", "-c", "ib_send_bw -d rxe0 " + options + " " + RIGHT);
        // Perftest's MB are of 2^20 bytes.
        double other = average(table) * (1 << 20) / 1e6;

        assertTrue(own > other / 3 && own < other * 3, own + " and " + other + " MB/s");
    }

    /** The average of perftest's table: bytes, iterations, peak, average, message rate. */
    private static double average(String table) {
        return table.lines()
                .map(line -> line.trim().split("\\s+", -1))
                .filter(columns -> columns.length >= 5 && columns[0].equals(Integer.toString(BYTES)))
                .mapToDouble(columns -> Double.parseDouble(columns[3]))
                .findFirst()
                .orElseThrow(() -> new AssertionError(table));
    }
}
