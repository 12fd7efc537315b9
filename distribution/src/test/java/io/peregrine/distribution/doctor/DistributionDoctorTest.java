package io.peregrine.distribution.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.distribution.DistributionSettings;
import io.peregrine.doctor.Finding;
import io.peregrine.doctor.Finding.Verdict;
import io.peregrine.doctor.HostFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistributionDoctorTest {
    @TempDir
    private Path root;

    private HostFiles host;

    @BeforeEach
    void setUp() throws IOException {
        host = new HostFiles(root.resolve("sys"), root.resolve("proc"), root.resolve("dev"));
        Files.createDirectories(root.resolve("proc/sys/net/core"));
    }

    private Finding find(String check, Supplier<DistributionSettings> settings) {
        return new DistributionChecks(host, settings)
                .examine().stream()
                        .filter(finding -> finding.check().equals(check))
                        .findFirst()
                        .orElseThrow();
    }

    private Finding driver(String directory) {
        return find(
                "media driver",
                () -> DistributionSettings.load()
                        .with(DistributionSettings.DRIVER, "external")
                        .with(DistributionSettings.DIRECTORY, directory));
    }

    private Finding sendBuffer(long bytes) throws IOException {
        Files.writeString(root.resolve("proc/sys/net/core/wmem_max"), bytes + "\n");
        return find("send buffer", DistributionSettings::load);
    }

    @Test
    void aSendBufferOfTheUsualSizeIsToBeRaised() throws IOException {
        Finding finding = sendBuffer(212992);
        assertEquals(Verdict.WARN, finding.verdict());
        assertEquals("sysctl -w net.core.wmem_max=4194304", finding.fix());
    }

    @Test
    void aLargeSendBufferIsFine() throws IOException {
        assertEquals(Verdict.PASS, sendBuffer(4194304).verdict());
    }

    @ParameterizedTest
    @CsvSource({
        "6.18.5, PASS",
        "5.0.0-13-generic, PASS",
        "5.15.0-1, PASS",
        "4.19.0, WARN",
        "3.10.0-1160.el7, WARN",
        "unknown, SKIP"
    })
    void runsOfDatagramsNeedLinux5(String release, Verdict verdict) throws IOException {
        Files.createDirectories(root.resolve("proc/sys/kernel"));
        Files.writeString(root.resolve("proc/sys/kernel/osrelease"), release + "\n");
        assertEquals(
                verdict, find("runs of datagrams", DistributionSettings::load).verdict());
    }

    @Test
    void aHostWithoutSharedMemoryIsSkipped() {
        assertEquals(
                Verdict.SKIP, find("shared memory", DistributionSettings::load).verdict());
    }

    @Test
    void freeSharedMemoryIsReported() throws IOException {
        Files.createDirectories(root.resolve("dev/shm"));
        Finding finding = find("shared memory", DistributionSettings::load);
        assertTrue(finding.evidence().matches("\\d+ MiB are free.*"), finding.evidence());
    }

    @Test
    void anEmbeddedDriverNeedsNothing() {
        assertEquals(
                Verdict.PASS, find("media driver", DistributionSettings::load).verdict());
    }

    @Test
    void anExternalDriverThatIsNotThereFails() {
        assertEquals(Verdict.FAIL, driver(root.toString()).verdict());
    }

    @Test
    void anExternalDriverIsFoundByItsFile() throws IOException {
        Files.createFile(root.resolve("cnc.dat"));
        assertEquals(Verdict.PASS, driver(root.toString()).verdict());
    }

    @Test
    void settingsThatCannotBeReadFail() {
        Finding finding = find("media driver", () -> DistributionSettings.load().with(DistributionSettings.MTU, "1"));
        assertEquals(Verdict.FAIL, finding.verdict());
        assertTrue(finding.evidence().contains(DistributionSettings.MTU), finding.evidence());
    }
}
