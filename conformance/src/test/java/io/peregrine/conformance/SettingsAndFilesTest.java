package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Capture;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import io.peregrine.testing.VirtualFirmware;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Settings and files of a camera in one namespace, saved and loaded by programs in the other. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class SettingsAndFilesTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String FAR = NetworkNamespace.Cable.CAMERA_ADDRESS;

    @TempDir
    private Path directory;

    @Test
    @EnabledIfPeers({"arv-tool-0.8", "tshark"})
    void settingsAndFilesOutliveARestartAndAllPacketsDecode() throws IOException {
        byte[] content = new byte[9_001];
        new Random(1).nextBytes(content);
        Path table = Files.write(directory.resolve("table"), content);
        Path back = directory.resolve("back");
        Path settings = directory.resolve("settings.txt");
        Path firmware = Files.write(directory.resolve("camera.fw"), VirtualFirmware.of(program(5_000)));
        Path file = directory.resolve("session.pcapng");
        Capture capture;
        try (NetworkNamespace.Cable cable = NetworkNamespace.Cable.lay();
                ChildProcess camera = CameraProcess.virtual(cable.camera(), FAR);
                Capture recording = Capture.start(cable.host(), "host0", file, "-f", "udp")) {
            capture = recording;
            peregrine(cable, "set", FAR, "Width=320", "Gain=6", "UserSetSelector=UserSet1", "UserSetSave=1");
            peregrine(cable, "settings", "save", FAR, settings.toString());
            peregrine(cable, "files", "put", FAR, table.toString(), "UserFile1", "--verify");
            peregrine(cable, "set", FAR, "UserSetDefault=UserSet1", "Width=64", "DeviceReset=1");
            // Aravis knows the sets as features.
            String byAravis = cable.host()
                    .run(
                            LIMIT,
                            "arv-tool-0.8",
                            "-a",
                            FAR,
                            "control",
                            "Width",
                            "UserSetSelector=Default",
                            "UserSetLoad",
                            "Width",
                            "UserSetSelector=UserSet1",
                            "UserSetLoad",
                            "Width");
            assertEquals(
                    List.of("320", "640", "320"),
                    byAravis.lines()
                            .filter(line -> line.startsWith("Width = "))
                            .map(line -> line.split(" ", -1)[2])
                            .toList(),
                    byAravis);
            peregrine(cable, "files", "get", FAR, "UserFile1", back.toString());
            assertEquals(-1, Files.mismatch(table, back));
            peregrine(cable, "set", FAR, "Width=64", "Gain=0");
            String loaded = peregrine(cable, "settings", "load", FAR, settings.toString());
            assertTrue(loaded.contains("0 failures"), loaded);
            assertEquals("320", peregrine(cable, "get", FAR, "Width").strip());
            String look = peregrine(cable, "files", "firmware", FAR, firmware.toString(), "--dry-run");
            assertTrue(look.contains("nothing was written") && !look.contains("FAIL"), look);
            String files = peregrine(cable, "files", "list", FAR);
            assertTrue(files.lines().anyMatch(line -> line.matches(" *0  Firmware")), files);
            String written = peregrine(cable, "files", "firmware", FAR, firmware.toString());
            assertTrue(written.contains("written; "), written);
            peregrine(cable, "set", FAR, "DeviceReset=1");
            assertEquals("2.7", peregrine(cable, "get", FAR, "DeviceVersion").strip());
            recording.end(FAR);
            assertTrue(camera.output().contains(FAR), camera::output);
        }
        int writes = capture.decode("gvcp.cmd.command == 0x0086").size();
        assertTrue(writes > 9, () -> writes + " writes");
        // Each description was found by the manifest table (GigE Vision 2.2, 0x9000).
        int manifests =
                capture.decode("gvcp.cmd.readmem.bootstrapregister == 0x9000").size();
        assertTrue(manifests > 5, () -> manifests + " manifests");
        assertEquals(List.of(), capture.doubtful("gvcp"));
    }

    @Test
    @EnabledIfPeers("arv-fake-gv-camera-0.8")
    void settingsOfTheFakeCameraOfAravisAreLoadedAgain() {
        Path settings = directory.resolve("settings.json");
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback()) {
            CameraProcess.aravis(namespace, "127.0.0.1", "GV55");
            String saved =
                    namespace.run(LIMIT, CameraProcess.command("settings", "save", "127.0.0.1", settings.toString()));
            String loaded =
                    namespace.run(LIMIT, CameraProcess.command("settings", "load", "127.0.0.1", settings.toString()));
            assertEquals(saved.strip().replace("saved", "loaded"), loaded.strip());
            assertTrue(loaded.contains("0 failures"), loaded);
        }
    }

    private static byte[] program(int bytes) {
        byte[] program = new byte[bytes];
        new Random(2).nextBytes(program);
        return program;
    }

    private static String peregrine(NetworkNamespace.Cable cable, String... arguments) {
        return cable.host().run(LIMIT, CameraProcess.command(arguments));
    }
}
