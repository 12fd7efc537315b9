package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.VirtualFirmware;
import io.peregrine.virtualcamera.FaultPlan;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DeviceFilesTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final String USER_FILE = "UserFile1";
    private static final String FIRMWARE = "Firmware";

    @TempDir
    Path folder;

    private VirtualCamera camera;
    private Devices factory;
    private Device device;

    @BeforeEach
    void start() {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.53.0.1")
                .port(0)
                .serial("PG-53")
                .build());
        factory = DeviceFactory.create(PeregrineSettings.load()
                .with(
                        PeregrineSettings.DISCOVERY_ADDRESSES,
                        "127.53.0.1:" + camera.address().getPort())
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
        device = factory.open(factory.find("PG-53"));
    }

    @Test
    void operationsInAGroupMayUseFilesBesideAnotherThread() throws InterruptedException {
        Runnable size = () -> FileAccess.sizeBytes(device.nodes(), USER_FILE);
        Grouped.besideAnotherThread(device.nodes(), LONG, size, size);
    }

    @AfterEach
    void stop() {
        device.close();
        camera.close();
    }

    private Path file(byte[] content) throws IOException {
        return Files.write(folder.resolve("source"), content);
    }

    private static byte[] noise(int bytes) {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return content;
    }

    @Test
    void theFilesAreListedWithTheirSizes() throws IOException {
        assertEquals(List.of(USER_FILE, FIRMWARE), device.files().names());
        assertEquals(0, device.files().sizeBytes(USER_FILE).orElseThrow());
        device.files().upload(file(noise(5)), USER_FILE, DeviceFiles.Progress.NONE);
        assertEquals(5, device.files().sizeBytes(USER_FILE).orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4095, 4096, 4097, 50_001})
    void everyByteThatWasWrittenIsReadAgain(int bytes) throws IOException {
        byte[] content = noise(bytes);
        assertEquals(bytes, device.files().upload(file(content), USER_FILE, DeviceFiles.Progress.NONE));
        Path back = folder.resolve("back");
        assertEquals(bytes, device.files().download(USER_FILE, back, DeviceFiles.Progress.NONE));
        assertArrayEquals(content, Files.readAllBytes(back));
    }

    @Test
    void anEmptyFileIsReadAsNothing() throws IOException {
        try (InputStream in = device.files().read(USER_FILE)) {
            assertEquals(-1, in.read());
        }
    }

    @Test
    void aShorterFileReplacesALongerOne() throws IOException {
        device.files().upload(file(noise(9000)), USER_FILE, DeviceFiles.Progress.NONE);
        device.files().upload(file(noise(10)), USER_FILE, DeviceFiles.Progress.NONE);
        try (InputStream in = device.files().read(USER_FILE)) {
            assertArrayEquals(noise(10), in.readAllBytes());
        }
    }

    @Test
    void singleBytesAreWrittenAndReadToo() throws IOException {
        try (OutputStream out = device.files().write(USER_FILE)) {
            out.write(0xFF);
            out.write(7);
        }
        try (InputStream in = device.files().read(USER_FILE)) {
            assertEquals(0xFF, in.read());
            assertEquals(7, in.read());
            assertEquals(-1, in.read());
        }
    }

    @Test
    void aDeletedFileIsEmpty() throws IOException {
        device.files().upload(file(noise(100)), USER_FILE, DeviceFiles.Progress.NONE);
        device.files().delete(USER_FILE);
        assertEquals(0, device.files().sizeBytes(USER_FILE).orElseThrow());
    }

    @Test
    void aFileOutlivesARestart() throws IOException {
        device.files().upload(file(noise(100)), USER_FILE, DeviceFiles.Progress.NONE);
        device.nodes().command("DeviceReset").execute();
        device.close();
        factory.await("PG-53", LONG);
        device = factory.open(factory.find("PG-53"));
        try (InputStream in = device.files().read(USER_FILE)) {
            assertArrayEquals(noise(100), in.readAllBytes());
        }
    }

    @Test
    void progressRisesToTheWhole() throws IOException {
        List<Long> done = new ArrayList<>();
        device.files().upload(file(noise(40_000)), USER_FILE, (doneBytes, total) -> {
            assertEquals(40_000, total);
            done.add(doneBytes);
        });
        assertEquals(List.of(16_384L, 32_768L, 40_000L), done);
    }

    @Test
    void aDeviceThatMovesLessThanAskedIsAskedAgain() throws IOException {
        camera.faults().files(FaultPlan.FileFault.SHORT);
        device.files().upload(file(noise(10_000)), USER_FILE, DeviceFiles.Progress.NONE);
        Path back = folder.resolve("back");
        device.files().download(USER_FILE, back, DeviceFiles.Progress.NONE);
        assertArrayEquals(noise(10_000), Files.readAllBytes(back));
    }

    @ParameterizedTest
    @ValueSource(strings = {"OPEN_FAILS", "READ_FAILS", "NOTHING", "OVERSTATED"})
    void aDownloadThatFailsIsToldAndLeavesNoFile(String fault) throws IOException {
        device.files().upload(file(noise(10_000)), USER_FILE, DeviceFiles.Progress.NONE);
        camera.faults().files(FaultPlan.FileFault.valueOf(fault));
        Path back = folder.resolve("back");
        DeviceException failure = assertThrows(
                DeviceException.class, () -> device.files().download(USER_FILE, back, DeviceFiles.Progress.NONE));
        assertTrue(failure.getMessage().contains(USER_FILE), failure.getMessage());
        try (var files = Files.list(folder)) {
            assertEquals(List.of(folder.resolve("source")), files.toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"OPEN_FAILS", "WRITE_FAILS", "NOTHING", "OVERSTATED"})
    void anUploadThatFailsIsTold(String fault) throws IOException {
        camera.faults().files(FaultPlan.FileFault.valueOf(fault));
        Path source = file(noise(10_000));
        assertThrows(DeviceException.class, () -> device.files().upload(source, USER_FILE, DeviceFiles.Progress.NONE));
    }

    @Test
    void afterAFailureTheFileCanBeOpenedAgain() throws IOException {
        Path source = file(noise(10));
        camera.faults().files(FaultPlan.FileFault.WRITE_FAILS);
        assertThrows(DeviceException.class, () -> device.files().upload(source, USER_FILE, DeviceFiles.Progress.NONE));
        camera.faults().clear();
        assertEquals(10, device.files().upload(source, USER_FILE, DeviceFiles.Progress.NONE));
    }

    @Test
    void aFileThatTheDeviceLacksIsRefusedWithThoseItHas() {
        DeviceFiles files = device.files();
        DeviceException refusal = assertThrows(DeviceException.class, () -> files.read("UserFile9"));
        assertTrue(refusal.getMessage().contains(USER_FILE), refusal.getMessage());
    }

    @Test
    void firmwareRunsAfterTheNextStart() throws IOException {
        device.files().upload(file(VirtualFirmware.of(noise(20_000))), FIRMWARE, DeviceFiles.Progress.NONE);
        device.nodes().command("DeviceReset").execute();
        device.close();
        factory.await("PG-53", LONG);
        device = factory.open(factory.find("PG-53"));
        assertEquals("2.7", device.nodes().string("DeviceVersion").value());
    }

    @Test
    void firmwareThatTheDeviceDoesNotAcceptIsToldWhenItIsClosed() throws IOException {
        byte[] damaged = VirtualFirmware.of(noise(20_000));
        damaged[5000] ^= 1;
        Path source = file(damaged);
        DeviceException refusal = assertThrows(
                DeviceException.class, () -> device.files().upload(source, FIRMWARE, DeviceFiles.Progress.NONE));
        assertTrue(refusal.getMessage().contains("Close"), refusal.getMessage());
        assertEquals(0, device.files().sizeBytes(FIRMWARE).orElseThrow());
    }

    @Test
    void aLookBeforeAnUploadWritesNothing() throws IOException {
        Path source = file(noise(9000));
        List<DeviceFiles.UploadCheck> checks = device.files().checkUpload(source, FIRMWARE);
        assertTrue(checks.stream().allMatch(DeviceFiles.UploadCheck::passed), checks::toString);
        assertTrue(checks.stream().anyMatch(check -> check.evidence().equals("4096 bytes: 3 parts")), checks::toString);
        assertEquals(0, device.files().sizeBytes(FIRMWARE).orElseThrow());
    }

    @Test
    void aLookBeforeAnUploadFindsWhatIsWrong() throws IOException {
        device.nodes().integer("TLParamsLocked").set(1);
        List<String> failed = device.files().checkUpload(file(new byte[0]), "Kernel").stream()
                .filter(check -> !check.passed())
                .map(DeviceFiles.UploadCheck::what)
                .toList();
        assertEquals(List.of("file on this host", "file in the device", "no stream"), failed);
    }

    @Test
    void whatWasWrittenWithoutBeingClosedIsNotKept() throws IOException {
        OutputStream out = device.files().write(USER_FILE);
        out.write(noise(5000));
        out.flush();
        device.close();
        device = factory.open(factory.find("PG-53"));
        assertEquals(0, device.files().sizeBytes(USER_FILE).orElseThrow());
        assertFalse(device.files().names().isEmpty());
    }

    @Test
    void aMissingSourceIsCalledSo() {
        Path missing = folder.resolve("gone");
        DeviceException refusal = assertThrows(
                DeviceException.class, () -> device.files().upload(missing, USER_FILE, DeviceFiles.Progress.NONE));
        assertEquals(missing + " cannot be copied to " + USER_FILE + ": there is no such file", refusal.getMessage());
    }

    @Test
    void aMissingTargetDirectoryIsCalledSo() {
        Path missing = folder.resolve("gone");
        DeviceException refusal = assertThrows(
                DeviceException.class,
                () -> device.files().download(USER_FILE, missing.resolve("back"), DeviceFiles.Progress.NONE));
        assertEquals(
                USER_FILE + " cannot be copied to " + missing.resolve("back") + ": there is no directory " + missing,
                refusal.getMessage());
    }
}
