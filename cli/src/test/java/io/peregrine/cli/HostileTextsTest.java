package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.virtualcamera.DeviceFeature;
import io.peregrine.virtualcamera.VirtualDevice;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands against a camera whose texts are made for terminals. */
@Timeout(60)
class HostileTextsTest {
    private static final String NOTE = "\u001B]0;gone\u0007\u009B2J\u007F\u202E\u2066\u2028\u061C\nforged";

    @TempDir
    private Path folder;

    private VirtualDevice camera;
    private String address;

    @BeforeEach
    void startCamera() {
        camera = VirtualDevice.builder("\u001B[2JMaker\u202E", "\u009B1mModel\u2067")
                .bindAddress("127.44.0.1")
                .port(0)
                .serial("EVIL-1")
                .userName("\u202Eresu\u001B[m")
                .category(
                        "Control",
                        DeviceFeature.string("Note", 64).initial(NOTE),
                        DeviceFeature.floating("Level").unit("\u202EV").initial(0.5),
                        DeviceFeature.integer("Stubborn").set(HostileTextsTest::refuse))
                .frames(16, 8, "Mono8", 100, (blockId, frame) -> {})
                .start();
        address = camera.address().getAddress().getHostAddress() + ":"
                + camera.address().getPort();
    }

    private static void refuse(long value) {
        throw new IllegalStateException("not now");
    }

    @AfterEach
    void stopCamera() {
        camera.close();
    }

    private Cli run(String line) {
        return Cli.run(Arrays.stream(line.split(" "))
                .map(word -> word.replace("CAMERA", address).replace("FOLDER", folder.toString()))
                .toArray(String[]::new));
    }

    private static boolean clean(String text) {
        String shown = text.replace("\n", "").replace("\t", "");
        return shown.equals(TerminalText.line(shown));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "list --address CAMERA",
                "info CAMERA",
                "get CAMERA Note",
                "get CAMERA DeviceVendorName DeviceUserID",
                "get CAMERA --node-map TLDevice DeviceModelName",
                "set CAMERA Note=\u001B[2J",
                "xml CAMERA",
                "xml CAMERA --check",
                "doctor CAMERA --network --seconds 0"
            })
    void whatACommandPrintsOfACameraLeavesTheTerminalAlone(String line) {
        Cli result = run(line);
        assertTrue((result.out() + result.err()).contains("\uFFFD"), result.out() + result.err());
        assertTrue(clean(result.out() + result.err()), result.out() + result.err());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "list --address CAMERA --json",
                "info CAMERA --json",
                "get CAMERA Note --json",
                "xml CAMERA --json",
                "xml CAMERA --check --json",
                "settings save CAMERA FOLDER/a.txt",
                "settings save CAMERA FOLDER/a.txt --json",
                "set CAMERA Stubborn=1",
                "get CAMERA \u001B[2J",
                "files list CAMERA",
                "files list CAMERA --json",
                "events CAMERA --count 1 --event-timeout 0.1",
                "ip CAMERA",
                "ptp CAMERA",
                "stream CAMERA --frames 1",
                "stream CAMERA --frames 1 --json",
                "report CAMERA --address CAMERA --output FOLDER/a.zip",
                "report CAMERA --address CAMERA --output FOLDER/a.zip --json"
            })
    void whateverACommandSaysLeavesTheTerminalAlone(String line) {
        Cli result = run(line);
        assertTrue(clean(result.out() + result.err()), result.out() + result.err());
    }

    @Test
    void aRecordingOfACameraLeavesTheTerminalAlone() {
        assertEquals(0, run("record CAMERA FOLDER/a --count 2").exitCode());
        Cli result = run("replay FOLDER/a --rate max --list");
        assertTrue(result.out().contains("\uFFFD") && clean(result.out() + result.err()), result.out());
    }

    @Test
    void aTextWithLineEndsIsOneLine() {
        assertEquals(1, run("get CAMERA Note").out().lines().count());
    }

    @Test
    void jsonGivesTheTextAsItIs() {
        assertEquals(NOTE, run("get CAMERA Note --json").json().get("Note").asText());
    }
}
