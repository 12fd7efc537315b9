package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.doctor.HostFiles;
import io.peregrine.testing.Needs;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DoctorCommandTest {
    @TempDir
    Path root;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void warningsAreNoFailure() {
        assertEquals(0, run(FakeHost.withoutRdma(root), "--rdma"));
    }

    @Test
    void aFailureIsExitCodeOne() {
        FakeHost host = FakeHost.withAdapter(root);
        host.memlock("65536");
        assertEquals(1, run(host, "--rdma"));
    }

    @Test
    void theTableHasTheFixBelowTheFinding() {
        FakeHost host = FakeHost.withAdapter(root);
        host.memlock("65536");
        run(host, "--rdma");
        assertTrue(
                out.toString().matches("(?s).*FAIL  locked memory +this user may lock 64 KiB\\R +-> .*memlock.*"),
                out.toString());
    }

    @Test
    void jsonHasEveryFinding() throws IOException {
        run(FakeHost.withAdapter(root), "--rdma", "--json");
        JsonNode tree = new ObjectMapper().readTree(out.toString());
        JsonNode gid = StreamSupport.stream(tree.get("findings").spliterator(), false)
                .filter(finding -> finding.get("check").asText().equals("RoCE v2 GID"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                "{\"group\":\"rdma\",\"check\":\"RoCE v2 GID\",\"subject\":\"192.168.10.1"
                        + " (ens1f0)\",\"verdict\":\"PASS\",\"evidence\":\"index 3 of mlx5_0 port 1, RoCE"
                        + " v2\",\"fix\":\"\"}",
                gid.toString());
    }

    @Test
    void jsonCountsTheVerdicts() throws IOException {
        run(FakeHost.withAdapter(root), "--rdma", "--json");
        assertEquals(1, new ObjectMapper().readTree(out.toString()).get("warn").asInt());
    }

    @Test
    void withoutAnOptionNetworkRdmaAndDistributionAreExamined() throws IOException {
        run(FakeHost.withAdapter(root), "--json");
        Set<String> groups = StreamSupport.stream(
                        new ObjectMapper()
                                .readTree(out.toString())
                                .get("findings")
                                .spliterator(),
                        false)
                .map(finding -> finding.get("group").asText())
                .collect(Collectors.toSet());
        assertEquals(Set.of("network", "rdma", "distribution"), groups);
    }

    @Test
    void aCameraIsExaminedWithoutTakingControlOfIt() {
        try (VirtualCamera camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.41.0.1")
                .port(0)
                .serial("DOC-1")
                .build())) {
            String name = "127.41.0.1:" + camera.address().getPort();
            Cli result = Cli.run("doctor", name, "--network", "--json");
            Map<String, String> verdicts = new TreeMap<>();
            result.json().get("findings").forEach(finding -> {
                if (finding.get("group").asText().equals("camera")) {
                    verdicts.put(
                            finding.get("check").asText(),
                            finding.get("verdict").asText());
                }
            });
            assertEquals("PASS", verdicts.get("discovery"), result.out());
            assertEquals("PASS", verdicts.get("access"), result.out());
            assertEquals("PASS", verdicts.get("capabilities"), result.out());
            assertEquals("PASS", verdicts.get("description"), result.out());
            assertTrue(camera.controller().isEmpty());
        }
    }

    @Test
    void aCameraThatAnotherApplicationHasIsAWarningThatNamesIt() {
        try (VirtualCamera camera = VirtualCamera.start(Scenario.builder()
                        .bindAddress("127.41.0.2")
                        .port(0)
                        .serial("DOC-2")
                        .build());
                Device owner =
                        DeviceFactory.open("127.41.0.2:" + camera.address().getPort())) {
            Cli result = Cli.run("doctor", "127.41.0.2:" + camera.address().getPort(), "--network");
            String port = Integer.toString(camera.controller().orElseThrow().getPort());
            assertTrue(
                    result.out().lines().anyMatch(line -> line.matches("WARN  access .*controlled by .*:" + port)),
                    result.out());
            assertTrue(owner.connection().connected());
        }
    }

    @Test
    void aCameraThatDoesNotAnswerFails() {
        Cli result = Cli.run("doctor", "127.41.0.9:4", "--network");
        assertEquals(1, result.exitCode());
        assertTrue(result.out().contains("FAIL  discovery"), result.out());
    }

    private static JsonNode finding(Cli result, String check) {
        return StreamSupport.stream(result.json().get("findings").spliterator(), false)
                .filter(finding -> finding.get("check").asText().equals(check))
                .findFirst()
                .orElseThrow(() -> new AssertionError(result.out() + result.err()));
    }

    @Test
    void thePathOfACameraIsTriedWhereThatIsWanted() {
        try (VirtualCamera camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.41.0.3")
                .port(0)
                .serial("DOC-3")
                .build())) {
            String name = "127.41.0.3:" + camera.address().getPort();
            Cli result = Cli.run("doctor", name, "--network", "--probe", "--seconds", "0", "--json");
            JsonNode path = finding(result, "path");
            assertEquals("PASS", path.get("verdict").asText(), path::toString);
            // The largest that the library asks for; loopback takes more.
            assertTrue(path.get("evidence").asText().startsWith("packets of 16260 bytes arrive"), path::toString);
            assertTrue(camera.controller().isEmpty());
        }
    }

    @Test
    void aCameraThatAnotherApplicationHasIsNotProbed() {
        try (VirtualCamera camera = VirtualCamera.start(Scenario.builder()
                        .bindAddress("127.41.0.4")
                        .port(0)
                        .serial("DOC-4")
                        .build());
                Device owner =
                        DeviceFactory.open("127.41.0.4:" + camera.address().getPort())) {
            String name = "127.41.0.4:" + camera.address().getPort();
            Cli result = Cli.run("doctor", name, "--network", "--probe", "--seconds", "0", "--json");
            assertEquals("SKIP", finding(result, "path").get("verdict").asText(), result.out());
            assertTrue(owner.connection().connected());
        }
    }

    @Test
    void aProbeWithoutACameraIsAWrongCommandLine() {
        assertEquals(2, run(FakeHost.withNetwork(root), "--probe"));
    }

    @Test
    void theScriptTakesThePlaceOfTheFindingsWhenPrinted() {
        FakeHost host = FakeHost.withNetwork(root);
        host.mtu("eth1", 1500);
        assertEquals(0, run(host, "--network", "--fix-script", "-"));
        assertTrue(out.toString().startsWith("#!/bin/sh"), out.toString());
        assertTrue(out.toString().contains("\nip link set dev eth1 mtu 9000\n"), out.toString());
    }

    @Test
    void theScriptIsWrittenBesideTheFindings() throws IOException {
        FakeHost host = FakeHost.withNetwork(root);
        host.mtu("eth1", 1500);
        Path file = root.resolve("fix.sh");
        assertEquals(0, run(host, "--network", "--fix-script", file.toString()));
        assertTrue(Files.readString(file).contains("ip link set dev eth1 mtu 9000\n"));
        assertTrue(out.toString().contains("WARN  MTU"), out.toString());
    }

    @Test
    void dropsAreWatchedForASecondUnlessToldOtherwise() {
        FakeHost host = FakeHost.withNetwork(root);
        run(host, "--network");
        run(host, "--network", "--seconds", "0.25");
        assertEquals(List.of(Duration.ofSeconds(1), Duration.ofMillis(250)), host.pauses());
    }

    @Test
    void anInterfaceThatIsNoAddressIsAWrongCommandLine() {
        assertEquals(2, run(FakeHost.withAdapter(root), "--interface", "ens1f0"));
    }

    @Test
    void theHostOfTheTestsCanBeExamined() {
        Cli result = Cli.run("doctor", "--rdma", "--interface", "127.0.0.97", "--json");
        assertTrue(result.json().get("findings").size() > 10, result.out() + result.err());
    }

    @Test
    void numbersThatTheKernelTellsOnlyOnceAreReadWhole() {
        Path limit = Path.of("/proc/sys/net/core/rmem_max");
        Needs.that(Files.isReadable(limit), limit + " of Linux");
        assertTrue(HostFiles.number(limit).orElse(0) > 1000, () -> "" + HostFiles.number(limit));
    }

    private int run(FakeHost host, String... arguments) {
        CommandLine command = new CommandLine(new DoctorCommand(host::doctor, host::networkDoctor));
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(arguments);
    }
}
