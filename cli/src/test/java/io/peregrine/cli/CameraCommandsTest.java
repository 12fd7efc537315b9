package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands against a virtual camera, in this process. */
@ExpectedWarning("Connection to .*: LOST")
@Timeout(60)
class CameraCommandsTest {
    private static final AtomicInteger HOST = new AtomicInteger(1);

    private VirtualCamera camera;
    private String address;

    @BeforeEach
    void startCamera() {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.40.0." + HOST.getAndIncrement())
                .serial("CLI-1")
                .userName("bench")
                .size(64, 48)
                .frameRate(100)
                .build());
        address = camera.address().getAddress().getHostAddress() + ":"
                + camera.address().getPort();
    }

    @AfterEach
    void stopCamera() {
        camera.close();
    }

    @Test
    void listShowsTheCameraAtAnAddress() {
        Cli result = Cli.run("list", "--address", address);
        assertEquals(0, result.exitCode(), result.err());
        assertTrue(result.out().contains("CLI-1"), result.out());
        assertTrue(result.out().contains(address), result.out());
    }

    @Test
    void listGivesJson() {
        JsonNode devices = Cli.run("list", "--address", address, "--json").json();
        assertEquals(1, devices.size());
        assertEquals("CLI-1", devices.get(0).get("DeviceSerialNumber").asText());
        assertEquals("bench", devices.get(0).get("DeviceUsername").asText());
    }

    @Test
    void infoTellsPropertiesAndFeatures() {
        Cli text = Cli.run("info", address);
        assertEquals(0, text.exitCode(), text.err());
        assertTrue(text.out().contains("VirtualCamera"), text.out());
        JsonNode info = Cli.run("info", "CLI-1", "--address", address, "--json").json();
        assertEquals("64", info.get("Features").get("Width").get("value").asText());
        assertEquals("1", info.get("StreamCount").asText());
    }

    @Test
    void getReadsOneFeatureAsPlainText() {
        Cli result = Cli.run("get", address, "Width");
        assertEquals(0, result.exitCode(), result.err());
        assertEquals("64", result.out().strip());
    }

    @Test
    void getReadsSeveralFeatures() {
        Cli result = Cli.run("get", "bench", "--address", address, "Width", "Height", "--json");
        assertEquals(0, result.exitCode(), result.err());
        assertEquals("64", result.json().get("Width").asText());
        assertEquals("48", result.json().get("Height").asText());
    }

    @Test
    void setWritesFeatures() {
        Cli result = Cli.run("set", address, "Width=32", "Height=16");
        assertEquals(0, result.exitCode(), result.err());
        assertEquals("32", Cli.run("get", address, "Width").out().strip());
        assertEquals("16", Cli.run("get", address, "Height").out().strip());
    }

    @Test
    void settingsAreSavedAndLoaded(@TempDir Path folder) {
        String file = folder.resolve("camera.json").toString();
        Cli.run("set", address, "Width=32", "Gain=3.5");
        Cli saved = Cli.run("settings", "save", address, file, "--json");
        assertEquals(0, saved.exitCode(), saved.err());
        assertTrue(saved.json().get("saved").asInt() > 30, saved.out());
        Cli.run("set", address, "Width=48", "Gain=0");
        Cli loaded = Cli.run("settings", "load", address, file);
        assertEquals(0, loaded.exitCode(), loaded.out() + loaded.err());
        assertEquals("32", Cli.run("get", address, "Width").out().strip());
    }

    @Test
    void aSettingThatTheCameraRefusesIsExitCodeOne(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("camera.txt"), "Width\t32\nGain\t1000\n");
        Cli loaded = Cli.run("settings", "load", address, file.toString());
        assertEquals(1, loaded.exitCode(), loaded.out());
        assertTrue(loaded.out().contains("Gain: cannot be set to 1000"), loaded.out());
        assertEquals("32", Cli.run("get", address, "Width").out().strip());
    }

    @Test
    void filesAreWrittenListedReadAndDeleted(@TempDir Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "a table".repeat(1000));
        Path back = folder.resolve("back");
        Cli put = Cli.run("files", "put", address, source.toString(), "UserFile1", "--verify");
        assertEquals(0, put.exitCode(), put.err());
        assertEquals("wrote and compared UserFile1, 7000 bytes", put.out().strip());
        assertEquals(
                7000,
                Cli.run("files", "list", address, "--json")
                        .json()
                        .get(0)
                        .get("bytes")
                        .asInt());
        assertEquals(
                0,
                Cli.run("files", "get", address, "UserFile1", back.toString()).exitCode());
        assertEquals(-1, Files.mismatch(source, back));
        assertEquals(0, Cli.run("files", "delete", address, "UserFile1").exitCode());
        assertEquals(
                0,
                Cli.run("files", "list", address, "--json")
                        .json()
                        .get(0)
                        .get("bytes")
                        .asInt());
    }

    @Test
    void aDryRunOfFirmwareLooksAndWritesNothing(@TempDir Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "no firmware");
        Cli dry = Cli.run("files", "firmware", address, source.toString(), "--dry-run", "--json");
        assertEquals(0, dry.exitCode(), dry.err());
        assertFalse(dry.json().get("written").asBoolean());
        assertEquals("Firmware", dry.json().get("file").asText());
    }

    @Test
    void firmwareThatTheCameraRefusesIsExitCodeOne(@TempDir Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "no firmware");
        Cli refused = Cli.run("files", "firmware", address, source.toString());
        assertEquals(1, refused.exitCode(), refused.out());
        assertTrue(refused.err().contains("could not Close Firmware"), refused.err());
    }

    @Test
    void eventsPrintsEachEventWithItsFeatures() {
        Cli result = Cli.run("events", address, "Test", "--execute", "TestEventGenerate", "--count", "1", "--json");
        assertEquals(0, result.exitCode(), result.err());
        assertEquals("Test", result.json().get("event").asText());
        assertEquals("36864", result.json().get("features").get("EventTest").asText());
        assertEquals(
                result.json().get("timestampTicks").asText(),
                result.json().get("features").get("EventTestTimestamp").asText());
    }

    @Test
    void eventsOfFramesComeWhileFramesAreReceived() {
        Cli result = Cli.run("events", address, "ExposureEnd", "--stream", "--count", "3");
        assertEquals(0, result.exitCode(), result.err());
        assertTrue(result.out().contains("ExposureEnd  block 3 "), result.out());
        assertTrue(result.out().contains("EventExposureEndFrameID=3"), result.out());
    }

    @Test
    void eventsThatDoNotComeAreAFailure() {
        Cli result = Cli.run("events", address, "Test", "--count", "1", "--event-timeout", "0.2");
        assertEquals(1, result.exitCode());
        assertTrue(result.err().contains("no event came"), result.err());
    }

    @Test
    void eventsOfOtherNamesAreNeitherPrintedNorCounted() {
        Cli.run("set", address, "EventSelector=FrameStart", "EventNotification=On");
        Cli result = Cli.run("events", address, "ExposureEnd", "--stream", "--count", "2");
        assertEquals(0, result.exitCode(), result.err());
        assertEquals(
                List.of("ExposureEnd", "ExposureEnd", "2"),
                result.out()
                        .lines()
                        .map(line -> line.substring(0, line.indexOf(' ')))
                        .toList(),
                result.out());
    }

    @Test
    void eventsLeavesSelectorAndNotificationAsTheyWere() {
        Cli.run("set", address, "EventSelector=Test", "EventNotification=On", "EventSelector=FrameStart");
        Cli.run("events", address, "Test", "ExposureEnd", "--stream", "--count", "2");
        assertEquals(
                "FrameStart", Cli.run("get", address, "EventSelector").out().strip());
        assertEquals("On", notification("Test"));
        assertEquals("Off", notification("ExposureEnd"));
    }

    private String notification(String event) {
        Cli.run("set", address, "EventSelector=" + event);
        return Cli.run("get", address, "EventNotification").out().strip();
    }

    @Test
    void eventsThatFailOnTheirWayLeaveNothingSwitchedOn() {
        Cli result = Cli.run("events", address, "Test", "--execute", "NoSuchCommand");
        assertEquals(1, result.exitCode(), result.out());
        assertEquals("Off", notification("Test"));
    }

    @Test
    void setKeepsTheOrderAlsoOfAFeatureThatIsSetTwice() {
        Cli.run("set", address, "EventSelector=Test", "EventNotification=On", "EventSelector=FrameEnd");
        assertEquals("FrameEnd", Cli.run("get", address, "EventSelector").out().strip());
        assertEquals("On", notification("Test"));
    }

    @Test
    void valuesInJsonAreNumbersAndBooleans() {
        JsonNode values = Cli.run(
                        "get", address, "Width", "Gain", "ChunkModeActive", "PixelFormat", "GevMACAddress", "--json")
                .json();
        assertTrue(values.get("Width").isIntegralNumber(), values::toString);
        assertTrue(values.get("Gain").isFloatingPointNumber(), values::toString);
        assertTrue(values.get("ChunkModeActive").isBoolean(), values::toString);
        assertTrue(values.get("PixelFormat").isTextual(), values::toString);
        assertTrue(values.get("GevMACAddress").isTextual(), values::toString);
    }

    @Test
    void setGivesNumbersAndBooleansInJsonToo() {
        JsonNode values = Cli.run("set", address, "Width=32", "ChunkModeActive=1", "--json")
                .json();
        assertEquals("{\"Width\":32,\"ChunkModeActive\":true}", values.toString());
    }

    @Test
    void infoGivesNumbersAndBooleansInJsonToo() {
        JsonNode info = Cli.run("info", address, "--json").json();
        assertEquals(1, info.get("StreamCount").numberValue());
        assertEquals(camera.address().getPort(), info.get("DevicePort").numberValue());
        assertFalse(info.get("ForeignSubnet").booleanValue());
        assertTrue(info.get("Features").get("Gain").get("value").isNumber(), info::toString);
        assertTrue(info.get("Features").get("ChunkModeActive").get("value").isBoolean(), info::toString);
    }

    @Test
    void eventsGivesNumbersInJsonToo() {
        JsonNode event = Cli.run("events", address, "Test", "--execute", "TestEventGenerate", "--count", "1", "--json")
                .json();
        assertTrue(event.get("blockId").isNumber(), event::toString);
        assertTrue(event.get("features").get("EventTestTimestamp").isNumber(), event::toString);
    }

    @Test
    void whatWasReadBeforeAnErrorIsInTheJson() {
        Cli result = Cli.run("get", address, "Width", "Widht", "--json");
        assertEquals(1, result.exitCode());
        assertEquals(
                "{\"Width\":64,\"error\":\"There is no feature Widht. Did you mean Width?\"}",
                result.json().toString());
    }

    @Test
    void whatWasSetBeforeAnErrorIsInTheJson() {
        Cli result = Cli.run("set", address, "Height=32", "Width=33", "--json");
        assertEquals(1, result.exitCode());
        assertEquals(32, result.json().get("Height").asInt());
        assertTrue(result.json().get("error").asText().contains("in steps of 2 px"), result.out());
    }

    @Test
    void aWrongCommandLineIsAnErrorInJsonToo() {
        Cli result = Cli.run("get", address, "--json");
        assertEquals(2, result.exitCode());
        assertEquals(
                "Missing required parameter: 'FEATURE'",
                result.json().get("error").asText());
    }

    @Test
    void onlyWhatWasSetIsCountedAsLoaded(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("camera.txt"), "Width\t32\nGain\t1000\nFoo\t1\nBar\t2\n");
        Cli loaded = Cli.run("settings", "load", address, file.toString());
        assertEquals(
                "loaded 1 of 4 values, 3 failures",
                loaded.out().lines().findFirst().orElse(""));
        JsonNode json =
                Cli.run("settings", "load", address, file.toString(), "--json").json();
        assertEquals(1, json.get("loaded").asInt());
        assertEquals(4, json.get("values").asInt());
    }

    @Test
    void settingsAreSavedWhileAnotherApplicationStreams(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("camera.txt");
        try (Device controller = DeviceFactory.open(address);
                CompositeStream stream = controller.stream(CompositeStream.class, 0)) {
            stream.start();
            Cli saved = Cli.run("settings", "save", address, file.toString());
            assertEquals(0, saved.exitCode(), saved.out() + saved.err());
        }
        assertTrue(Files.readString(file).contains("\nWidth\t64\n"), Files.readString(file));
    }

    // ---- Progress

    @Test
    void filesShowsProgressOnATerminal(@TempDir Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "a table".repeat(10_000));
        Cli put = Cli.runAtTerminal("files", "put", address, source.toString(), "UserFile1");
        assertTrue(put.err().contains("\rwrite UserFile1") && put.err().contains("100%"), put.err());
        Cli get = Cli.runAtTerminal(
                "files", "get", address, "UserFile1", folder.resolve("back").toString());
        assertTrue(get.err().contains("\rread UserFile1") && get.err().contains("68/68 KiB"), get.err());
    }

    @Test
    void filesShowsNoProgressWithoutATerminal(@TempDir Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "a table".repeat(10_000));
        assertEquals(
                "",
                Cli.run("files", "put", address, source.toString(), "UserFile1").err());
    }

    @Test
    void xmlShowsProgressOnATerminal() {
        Cli result = Cli.runAtTerminal("xml", address, "--check");
        assertTrue(result.err().contains("\rread description"), result.err());
        assertTrue(result.err().contains("\rread features 100%"), result.err());
    }

    /** The line is overwritten by blanks. */
    @Test
    void progressIsGoneAtTheEnd() {
        Cli result = Cli.runAtTerminal("xml", address, "--check");
        String[] lines = result.err().split("\r", -1);
        assertEquals("", lines[lines.length - 1], result.err());
        assertTrue(lines[lines.length - 2].isBlank(), result.err());
    }

    @Test
    void anUnknownFeatureFails() {
        Cli result = Cli.run("get", address, "NoSuchFeature");
        assertEquals(1, result.exitCode());
        assertTrue(result.err().contains("NoSuchFeature"), result.err());
    }

    @Test
    void aValueOutOfRangeFails() {
        assertEquals(1, Cli.run("set", address, "Width=100000000").exitCode());
    }

    @Test
    void aCameraThatDoesNotAnswerIsNotFound() {
        Cli result = Cli.run("info", "127.40.255.254", "--timeout", "50ms");
        assertEquals(3, result.exitCode());
        assertTrue(result.err().contains("127.40.255.254"), result.err());
        assertEquals(3, Cli.run("get", "nobody", "--address", address, "Width").exitCode());
        assertEquals(
                3,
                Cli.run("list", "--address", "127.40.255.254", "--timeout", "50ms")
                        .exitCode());
    }

    @Test
    void aCameraUnderForeignControlRefusesAccess() {
        try (Device controller = DeviceFactory.open(address)) {
            assertTrue(controller.connection().connected());
            Cli result = Cli.run("set", address, "Width=32");
            assertEquals(4, result.exitCode(), result.err());
            assertEquals(0, Cli.run("get", address, "Width").exitCode());
        }
    }

    @Test
    void streamVerifiesEveryByte() {
        Cli result = Cli.run("stream", address, "--frames", "5", "--verify");
        assertEquals(0, result.exitCode(), result.out() + result.err());
        assertTrue(result.out().matches("(?s).*frames complete +5\\R.*"), result.out());
        assertTrue(result.out().matches("(?s).*bad bytes +0\\R.*"), result.out());
        assertTrue(result.out().matches("(?s).*PACKETS_RECEIVED +[1-9].*"), result.out());
    }

    @Test
    void streamGivesJsonWithEveryCounter() {
        Cli result = Cli.run(
                "stream",
                address,
                "--frames",
                "3",
                "--verify",
                "--json",
                "--param",
                "Payload=Image",
                "--packet-size",
                "1400",
                "--set",
                "Width=32");
        assertEquals(0, result.exitCode(), result.out() + result.err());
        JsonNode report = result.json();
        assertEquals(3, report.get("framesComplete").asLong());
        assertEquals(0, report.get("badBytes").asLong());
        assertEquals(3 * 32 * 48, report.get("payloadBytes").asLong());
        assertTrue(report.get("counters").get("PACKETS_RECEIVED").asLong() >= 9, result.out());
    }

    @Test
    void streamSaysAtTheStartHowFramesTravel() {
        Cli result = Cli.run("stream", address, "--frames", "1");
        assertTrue(result.err().startsWith("peregrine: streaming by GVSP"), result.err());
        Cli json = Cli.run("stream", address, "--frames", "1", "--json");
        assertTrue(json.err().startsWith("peregrine: streaming by GVSP"), json.err());
        assertEquals("GVSP", json.json().get("streamingMode").asText());
    }

    @Test
    void streamSavesPictures(@TempDir Path directory) throws IOException {
        Cli result = Cli.run("stream", address, "--frames", "1", "--save", directory.toString());
        assertEquals(0, result.exitCode(), result.out() + result.err());
        File[] files = directory.toFile().listFiles();
        Arrays.sort(files);
        assertTrue(files.length > 0);
        for (File file : files) {
            BufferedImage picture = ImageIO.read(file);
            assertEquals(64, picture.getWidth());
            assertEquals(48, picture.getHeight());
        }
        assertTrue(Arrays.stream(files).anyMatch(file -> file.getName().contains("intensity")));
    }

    @Test
    void streamReportsWhatItHasWhenTheCameraIsLost() throws InterruptedException {
        Thread end = new Thread(() -> {
            try {
                camera.awaitStreaming(true, Duration.ofSeconds(30));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            camera.close();
        });
        end.start();
        Cli result = Cli.run("stream", address, "--frames", "0", "--json", "--frame-timeout", "30");
        end.join();
        assertEquals(4, result.exitCode(), result.out() + result.err());
        assertTrue(result.json().get("error").asText().contains("lost"), result.out());
    }

    @Test
    void streamRefusesAnUnknownParameter() {
        Cli result = Cli.run("stream", address, "--param", "NoSuch=1");
        assertEquals(2, result.exitCode());
        assertTrue(result.err().contains("NoSuch"), result.err());
    }

    @Test
    void xmlPrintsTheDescription() {
        Cli result = Cli.run("xml", address);
        assertEquals(0, result.exitCode(), result.err());
        assertTrue(result.out().contains("<RegisterDescription"), result.out());
        assertFalse(Cli.run("xml", address, "--json")
                .json()
                .get(0)
                .get("xml")
                .asText()
                .isEmpty());
    }

    @Test
    void xmlChecksTheDescriptionOfACamera() {
        Cli result = Cli.run("xml", address, "--check", "--json");
        assertEquals(0, result.exitCode(), result.out());
        assertTrue(result.json().get(0).get("nodes").asInt() > 10);
        assertEquals(
                "64",
                result.json().get(0).get("values").get("Width").get("value").asText());
    }
}
