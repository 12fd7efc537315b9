package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ReportCommandTest {
    @TempDir
    Path folder;

    private static String entry(Path zip, String name) throws IOException {
        try (ZipFile file = new ZipFile(zip.toFile())) {
            return new String(file.getInputStream(file.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Set<String> entries(Path zip) throws IOException {
        Set<String> names = new TreeSet<>();
        try (ZipFile file = new ZipFile(zip.toFile())) {
            file.stream().forEach(one -> names.add(one.getName()));
        }
        return names;
    }

    @Test
    void theReportOfACameraHasItsRegistersDescriptionAndFeatures() throws IOException {
        Path zip = folder.resolve("report.zip");
        try (VirtualCamera camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.42.0.1")
                .port(0)
                .serial("REP-1")
                .build())) {
            String address = "127.42.0.1:" + camera.address().getPort();
            Cli result = Cli.run("report", address, "--address", address, "--output", zip.toString());
            assertEquals(0, result.exitCode(), result.err());
            assertTrue(camera.controller().isEmpty());
        }
        assertEquals(
                Set.of(
                        "versions.txt",
                        "discovery.json",
                        "doctor.json",
                        "registers.txt",
                        "description.xml",
                        "Device.txt",
                        "TLDevice.txt",
                        "TLDatastream.txt",
                        "problems.txt",
                        "errors.txt"),
                entries(zip));
        // Version 2.2, big-endian transmitter with UTF-8, and the first bytes of its MAC address.
        assertTrue(entry(zip, "registers.txt").startsWith("0000  00 02 00 02 80 00 00 01 00 00 02 00 7f 2a 00 01\n"));
        assertTrue(entry(zip, "description.xml").startsWith("<?xml"));
        assertTrue(entry(zip, "Device.txt").contains("DeviceSerialNumber\tREP-1"));
        assertTrue(entry(zip, "discovery.json").contains("REP-1"));
    }

    @Test
    void aCameraThatDoesNotAnswerIsToldAndTheRestIsThere() throws IOException {
        Path zip = folder.resolve("report.zip");
        Cli result = Cli.run("report", "127.42.0.9:4", "--address", "127.42.0.9:4", "--output", zip.toString());
        assertEquals(0, result.exitCode(), result.err());
        assertEquals(Set.of("versions.txt", "discovery.json", "doctor.json", "errors.txt"), entries(zip));
        assertTrue(entry(zip, "errors.txt").startsWith("camera: "), entry(zip, "errors.txt"));
        assertTrue(entry(zip, "doctor.json").contains("\"FAIL\""));
    }

    @Test
    void aFileThatIsThereIsNotReplaced() throws IOException {
        Path file = Files.writeString(folder.resolve("report.zip"), "mine");
        Cli result = Cli.run("report", "--address", "127.42.0.9:4", "--output", file.toString());
        assertEquals(1, result.exitCode());
        assertEquals("mine", Files.readString(file));
        assertTrue(
                result.err().contains(file + " is there already")
                        && result.err().contains("--force"),
                result.err());
    }

    @Test
    void aFileThatIsThereIsReplacedByForce() throws IOException {
        Path file = Files.writeString(folder.resolve("report.zip"), "mine");
        Cli result = Cli.run("report", "--address", "127.42.0.9:4", "--output", file.toString(), "--force");
        assertEquals(0, result.exitCode(), result.err());
        assertTrue(entries(file).contains("versions.txt"));
    }

    /** Also where the file that it replaces can be read by everybody. */
    @Test
    void onlyItsOwnerMayReadTheReport() throws IOException {
        Path file = Files.writeString(folder.resolve("report.zip"), "mine");
        assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Cli.run("report", "--address", "127.42.0.9:4", "--output", file.toString(), "--force");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void nothingButTheReportIsLeft() throws IOException {
        Path file = folder.resolve("report.zip");
        Cli.run("report", "--address", "127.42.0.9:4", "--output", file.toString());
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(file), files.toList());
        }
    }

    @Test
    void ofACameraThatAnotherApplicationHasForItselfTheReportTellsSo() throws IOException {
        Path zip = folder.resolve("report.zip");
        try (VirtualCamera camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.42.0.2")
                .port(0)
                .serial("REP-2")
                .build())) {
            String address = "127.42.0.2:" + camera.address().getPort();
            Devices factory = DeviceFactory.create(PeregrineSettings.load());
            try (Device owner = factory.open(factory.find(address).setParameter("AccessMode", "Exclusive"))) {
                Cli result = Cli.run("report", address, "--address", address, "--output", zip.toString());
                assertEquals(0, result.exitCode(), result.err());
                assertTrue(owner.connection().connected());
            }
        }
        assertTrue(entry(zip, "discovery.json").contains("REP-2"));
        assertTrue(entry(zip, "errors.txt").contains("device: "), entry(zip, "errors.txt"));
        assertTrue(entry(zip, "doctor.json").contains("\"group\" : \"camera\""), entry(zip, "doctor.json"));
    }

    @Test
    void ofADeviceThatIsGoneAfterItAnsweredTheRestIsThere() throws IOException {
        Path zip = folder.resolve("report.zip");
        try (DeafDevice device = DeafDevice.at("127.42.0.3")) {
            String address = "127.42.0.3:" + device.port();
            Cli result = Cli.run("report", address, "--address", address, "--output", zip.toString());
            assertEquals(0, result.exitCode(), result.err());
        }
        assertTrue(entry(zip, "discovery.json").contains("DEAF-1"), entry(zip, "discovery.json"));
        assertTrue(entry(zip, "errors.txt").contains("device: "), entry(zip, "errors.txt"));
        assertTrue(entry(zip, "doctor.json").contains("DEAF"), entry(zip, "doctor.json"));
    }
}
