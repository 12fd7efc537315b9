package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.peregrine.testing.Capture;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Doctor and report on one host, about cameras on others: of two makers, and one on a foreign subnet. */
@EnabledIfPeers({"arv-fake-gv-camera-0.8", "arv-tool-0.8", "bash", "tshark"})
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(120)
class DoctorBetweenHostsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CAMERA = NetworkNamespace.Switch.address(1);
    private static final String ARAVIS = NetworkNamespace.Switch.address(2);
    private static final String FOREIGN = "192.168.201.5";

    @TempDir
    private static Path directory;

    private static NetworkNamespace.Switch network;
    private static NetworkNamespace operator;
    private static Capture capture;

    @BeforeAll
    static void start() {
        network = NetworkNamespace.Switch.connecting(3);
        operator = network.host(3);
        CameraProcess.virtual(network.host(1), CAMERA, "--serial", "NEAR1");
        network.host(1).run(LIMIT, "ip", "addr", "add", FOREIGN + "/24", "brd", "+", "dev", "net0");
        CameraProcess.virtual(network.host(1), FOREIGN, "--serial", "FAR1");
        CameraProcess.aravis(network.host(2), ARAVIS, "GV61");
        capture = Capture.start(operator, "net0", directory.resolve("doctor.pcapng"), "-f", Capture.CONTROL);
    }

    @AfterAll
    static void stop() {
        capture.close();
        network.close();
    }

    /** What the doctor finds with a camera, by check: verdict, evidence, fix. */
    private static Map<String, JsonNode> doctor(String camera, int exitCode) throws JsonProcessingException {
        try (ChildProcess doctor = operator.start(CameraProcess.command("doctor", camera, "--network", "--json"))) {
            assertEquals(exitCode, doctor.awaitEnd(LIMIT), doctor::output);
            Map<String, JsonNode> findings = new TreeMap<>();
            new ObjectMapper().readTree(doctor.output()).get("findings").forEach(finding -> {
                if (finding.get("group").asText().equals("camera")) {
                    findings.put(finding.get("check").asText(), finding);
                }
            });
            return findings;
        }
    }

    private static void assertVerdict(String verdict, Map<String, JsonNode> findings, String check) {
        assertTrue(findings.containsKey(check), () -> check + " is not among " + findings);
        assertEquals(
                verdict,
                findings.get(check).get("verdict").asText(),
                () -> findings.get(check).toString());
    }

    private static Map<String, String> report(String camera) throws IOException {
        Path zip = directory.resolve(camera + ".zip");
        operator.run(LIMIT, CameraProcess.command("report", camera, "--output", zip.toString()));
        Map<String, String> entries = new TreeMap<>();
        try (ZipFile file = new ZipFile(zip.toFile())) {
            for (ZipEntry entry : file.stream().toList()) {
                entries.put(
                        entry.getName(), new String(file.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return entries;
    }

    @Test
    void aCameraOnAnotherHostIsWell() throws JsonProcessingException {
        Map<String, JsonNode> findings = doctor("NEAR1", 0);
        for (String check : List.of("discovery", "subnet", "route", "access", "capabilities", "description")) {
            assertVerdict("PASS", findings, check);
        }
        assertTrue(findings.get("route").get("evidence").asText().contains("net0"), findings::toString);
    }

    @Test
    void aCameraOnAForeignSubnetIsAFailureWithTheCommandThatMendsIt() throws JsonProcessingException {
        Map<String, JsonNode> findings = doctor("FAR1", 1);
        assertVerdict("FAIL", findings, "subnet");
        assertTrue(
                findings.get("subnet").get("fix").asText().startsWith("./peregrine ip FAR1 --auto"),
                findings::toString);
    }

    @Test
    void theFakeCameraOfAravisIsSeenToLackResends() throws JsonProcessingException {
        Map<String, JsonNode> findings = doctor(ARAVIS, 0);
        assertVerdict("PASS", findings, "description");
        assertVerdict("WARN", findings, "capabilities");
    }

    @Test
    void aReportHasWhatTheCameraTells() throws IOException {
        Map<String, String> report = report(CAMERA);
        assertTrue(report.get("description.xml").contains("</RegisterDescription>"), report.keySet()::toString);
        assertTrue(report.get("Device.txt").contains("DeviceSerialNumber\tNEAR1"), report.get("Device.txt"));
        assertEquals("", report.get("errors.txt"));
    }

    @Test
    void aReportOfACameraThatCannotBeOpenedHasWhatDiscoveryAndDoctorSay() throws IOException {
        Map<String, String> report = report("FAR1");
        assertTrue(report.get("discovery.json").contains(FOREIGN), report.get("discovery.json"));
        assertTrue(report.get("doctor.json").contains("--auto"), report.get("doctor.json"));
        assertTrue(!report.get("errors.txt").isEmpty(), report.keySet()::toString);
    }

    @Test
    void theFakeCameraOfAravisOutlivesAReport() throws IOException {
        Map<String, String> report = report(ARAVIS);
        assertTrue(report.get("Device.txt").contains("DeviceVendorName\tAravis"), report::toString);
        String seen = operator.run(LIMIT, "arv-tool-0.8", "-a", ARAVIS, "control", "Width");
        assertTrue(seen.contains("Width = 512 "), seen);
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void everyPacketDecodes() {
        operator.run(LIMIT, CameraProcess.command("get", CAMERA, "Width"));
        capture.end(CAMERA);
        assertTrue(capture.decode("gvcp", "frame.number").size() > 20);
        assertEquals(List.of(), capture.doubtful("gvcp"));
    }
}
