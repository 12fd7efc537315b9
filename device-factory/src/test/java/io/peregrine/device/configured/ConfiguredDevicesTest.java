package io.peregrine.device.configured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peregrine.testing.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of configured devices: what is in it, and what is refused. */
class ConfiguredDevicesTest {
    private static final ConfiguredDevice LEFT = new ConfiguredDevice(
            "left", "02:00:00:00:00:01", "PG-1", "192.0.2.7:3956", Map.of("UseRdma", "1", "PacketSize", "1500"));

    private static final int CHANGES = 100;

    @TempDir
    Path folder;

    private ConfiguredDevices devices;

    @BeforeEach
    void name() {
        devices = ConfiguredDevices.in(folder.resolve("new").resolve("devices.json"));
    }

    private String refusal(String text) throws IOException {
        Files.createDirectories(devices.file().getParent());
        Files.writeString(devices.file(), text);
        return assertThrows(ConfiguredDevicesException.class, devices::list).getMessage();
    }

    @Test
    void aFileThatIsMissingHasNone() {
        assertEquals(List.of(), devices.list());
    }

    @Test
    void whatIsPutIsReadAgain() {
        devices.put(LEFT);
        assertEquals(List.of(LEFT), ConfiguredDevices.in(devices.file()).list());
    }

    @Test
    void theFileIsReadableByHumans() throws IOException {
        devices.put(new ConfiguredDevice("left", "", "PG-1", "", Map.of("UseRdma", "1")));
        assertEquals(
                "{\"devices\":[{\"name\":\"left\",\"serial\":\"PG-1\",\"parameters\":{\"UseRdma\":\"1\"}}]}",
                Files.readString(devices.file()).replaceAll("\\s", ""));
    }

    @Test
    void aChangedFileStaysReadableForThoseWhoCouldReadIt() throws IOException {
        assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"));
        devices.put(LEFT);
        Files.setPosixFilePermissions(devices.file(), PosixFilePermissions.fromString("rw-r-----"));
        devices.remove("left");
        assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(devices.file())));
    }

    @Test
    void oneOfTheSameNameTakesThePlaceOfTheOld() {
        devices.put(LEFT);
        devices.put(new ConfiguredDevice("right", "", "PG-2", "", Map.of()));
        ConfiguredDevice other = new ConfiguredDevice("left", "", "PG-3", "", Map.of());
        devices.put(other);
        assertEquals(other, devices.list().get(0));
    }

    @Test
    void aRemovedOneIsGone() {
        devices.put(LEFT);
        assertTrue(devices.remove("left"));
        assertEquals(List.of(), devices.list());
    }

    @Test
    void whatIsNotThereIsNotRemoved() {
        assertFalse(devices.remove("left"));
    }

    @Test
    void noDraftStaysBesideTheFile() throws IOException {
        devices.put(LEFT);
        try (Stream<Path> files = Files.list(devices.file().getParent())) {
            assertEquals(
                    List.of("devices.json", "devices.json.lock"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    /** What another program does meanwhile, with the file as argument. */
    static final class OtherProgram {
        public static void main(String[] arguments) {
            ConfiguredDevices devices = ConfiguredDevices.in(Path.of(arguments[0]));
            System.out.println("begins");
            putAll(devices, "other");
        }
    }

    private static void putAll(ConfiguredDevices devices, String prefix) {
        for (int i = 0; i < CHANGES; i++) {
            devices.put(new ConfiguredDevice(prefix + i, "", "PG-" + i, "", Map.of()));
        }
    }

    @Test
    void twoProgramsThatWriteAtOnceLoseNothing() {
        try (ChildProcess other = ChildProcess.start(ChildProcess.java(
                List.of(), OtherProgram.class.getName(), List.of(devices.file().toString())))) {
            other.awaitLine("the start", Duration.ofSeconds(60), "begins"::equals);
            putAll(devices, "this");
            other.succeeds(Duration.ofSeconds(60));
        }
        assertEquals(2 * CHANGES, devices.list().size());
    }

    @Test
    void aFileThatCannotBeUsedStaysAsItIs() throws IOException {
        refusal("{");
        assertThrows(ConfiguredDevicesException.class, () -> devices.put(LEFT));
        assertEquals("{", Files.readString(devices.file()));
    }

    @Test
    void aRefusalNamesTheFile() throws IOException {
        assertTrue(refusal("{").contains(devices.file().toString()));
    }

    @Test
    void aRefusalNamesTheLine() throws IOException {
        assertTrue(refusal("{\n\"devices\": [}").contains("line 2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"devices\":{}}",
                "{\"devices\":[]} {}",
                "{\"devices\":[\"left\"]}",
                "{\"devices\":[{\"serial\":\"1\"}]}",
                "{\"devices\":[{\"name\":\"left\"}]}",
                "{\"devices\":[{\"name\":7,\"serial\":\"1\"}]}",
                "{\"devices\":[{\"name\":\"left\",\"serial\":\"1\",\"colour\":\"red\"}]}",
                "{\"devices\":[{\"name\":\"left\",\"serial\":\"1\",\"parameters\":{\"UseRdma\":1}}]}",
                "{\"devices\":[{\"name\":\"left\",\"serial\":\"1\"},{\"name\":\"left\",\"serial\":\"2\"}]}",
                "{\"devices\":[{\"name\":\"left\",\"mac\":\"02:00\"}]}",
                "{\"devices\":[{\"name\":\"left\",\"address\":\"example.org:80\"}]}"
            })
    void whatIsNoConfiguredDeviceIsRefused(String text) throws IOException {
        refusal(text);
    }

    @Test
    void aFileThatIsTooLargeIsRefused() throws IOException {
        assertTrue(refusal(" ".repeat((1 << 20) + 1)).contains("larger"));
    }

    @Test
    void deepNestingIsRefused() throws IOException {
        refusal("[".repeat(100_000));
    }

    @Test
    void bytesThatAreNoTextAreRefused() throws IOException {
        Files.createDirectories(devices.file().getParent());
        Files.write(devices.file(), new byte[] {'{', '"', (byte) 0xC3, 0x28, '"', ':', '1', '}'});
        assertThrows(ConfiguredDevicesException.class, devices::list);
    }

    @Test
    void aFolderIsNoFile() throws IOException {
        Files.createDirectories(devices.file());
        assertThrows(ConfiguredDevicesException.class, devices::list);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " left", "../left", "a/b", "a\nb", "gev://1", "192.0.2.7", "02:00:00:00:00:01"})
    void whatMeansSomethingElseIsNoName(String name) {
        assertFalse(ConfiguredDevice.isName(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"left", "Kamera über Band 2", "PG-1", "1.2"})
    void aNameIsMadeOfLettersAndDigits(String name) {
        assertTrue(ConfiguredDevice.isName(name));
    }

    @Test
    void theMacAddressCountsMoreThanTheSerialNumber() {
        assertFalse(LEFT.means("02:00:00:00:00:02", "PG-1"));
    }

    @Test
    void withoutMacAddressTheSerialNumberCounts() {
        assertTrue(new ConfiguredDevice("left", "", "PG-1", "", Map.of()).means("02:00:00:00:00:02", "PG-1"));
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, XDG_CONFIG_HOME, /c, /c/peregrine/devices.json",
        "Linux, APPDATA, /c, /home/u/.config/peregrine/devices.json",
        "Windows 11, APPDATA, /c, /c/peregrine/devices.json"
    })
    void theFolderIsThatOfTheSystem(String system, String variable, String value, String expected) {
        assertEquals(Path.of(expected), ConfiguredDevices.defaultFile(Map.of(variable, value), "/home/u", system));
    }
}
