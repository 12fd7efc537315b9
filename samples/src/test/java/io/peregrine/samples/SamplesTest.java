package io.peregrine.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DeviceNotFoundException;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Content;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.Scenario.Clock.PtpPort;
import io.peregrine.virtualcamera.ScenarioBuilder;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExpectedWarning("Connection to .*: LOST")
@ExpectedWarning("UseRdma=\\w+ is not met")
@Timeout(60)
class SamplesTest {
    private interface Program {
        void run() throws Exception;
    }

    @TempDir
    Path folder;

    private VirtualCamera camera;

    @BeforeEach
    void start() {
        start(scenario().components(Set.of(ComponentKind.values())).flows(Scenario.Flows.PER_COMPONENT));
    }

    private static ScenarioBuilder scenario() {
        return Scenario.builder()
                .bindAddress("127.60.0.1")
                .port(0)
                .serial("SAMPLE")
                .size(128, 96)
                .frameRate(100);
    }

    private void start(ScenarioBuilder scenario) {
        camera = VirtualCamera.start(scenario.build());
        System.setProperty(
                "peregrine.discovery.addresses",
                "127.60.0.1:" + camera.address().getPort());
        System.setProperty("peregrine.discovery.broadcast", "false");
    }

    @AfterEach
    void stop() {
        System.clearProperty("peregrine.discovery.addresses");
        System.clearProperty("peregrine.discovery.broadcast");
        camera.close();
    }

    private static String outputOf(Program program) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            program.run();
        } finally {
            System.setOut(before);
        }
        return output.toString(StandardCharsets.UTF_8);
    }

    @Test
    void camerasAreListed() throws Exception {
        assertTrue(outputOf(() -> ListCameras.main(new String[0])).contains("SAMPLE"));
    }

    @Test
    void aListWithoutCamerasSaysSo() throws Exception {
        camera.close();
        assertTrue(outputOf(() -> ListCameras.main(new String[0])).startsWith("No camera answered"));
    }

    static List<Program> programs() {
        String[] none = {};
        return List.of(
                () -> StreamComposites.main(none),
                () -> ReadAndSetFeatures.main(none),
                () -> ResizeFlowSetPool.main(none),
                () -> SaveFramesAsPng.main(none),
                () -> SavePointCloud.main(none),
                () -> ReconnectingAcquisition.main(none),
                () -> ForeignSubnet.main(none));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void aProgramWithoutACameraFailsAndSaysWhatWasAsked(Program program) {
        camera.close();
        String text = assertThrows(DeviceNotFoundException.class, program::run).getMessage();
        assertTrue(text.startsWith("No camera answered within "), text);
        assertTrue(text.contains("directly at 127.60.0.1:"), text);
    }

    @Test
    void aProgramThatGetsNoFrameFailsAndSaysWhy() throws Exception {
        try (Device device = DeviceFactory.open(DeviceFactory.first())) {
            device.nodes().enumeration("TriggerMode").set("On");
        }
        IllegalStateException thrown =
                assertThrows(IllegalStateException.class, () -> SaveFramesAsPng.main(new String[] {folder.toString()}));
        assertTrue(thrown.getMessage().startsWith("No frame came, Timeout"), thrown::getMessage);
        assertTrue(thrown.getMessage().contains("TriggerMode is On"), thrown::getMessage);
    }

    @Test
    void compositesAreStreamed() throws Exception {
        String output = outputOf(() -> StreamComposites.main(new String[] {"20"}));
        assertEquals(
                20, output.lines().filter(line -> line.startsWith("frame ")).count(), output);
    }

    @Test
    void featuresAreReadAndSet() throws Exception {
        assertTrue(outputOf(() -> ReadAndSetFeatures.main(new String[0])).contains("Width = 128"));
    }

    @Test
    void aLightingControllerOfOnesOwnIsADevice() throws Exception {
        PrintStream before = System.out;
        CompletableFuture<String> started = new CompletableFuture<>();
        System.setOut(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                started.complete(line);
            }
        });
        Thread program = new Thread(() -> assertThrows(
                InterruptedException.class, () -> LightingController.main(new String[] {"127.60.0.9", "0"})));
        program.start();
        try {
            String line = started.get(30, TimeUnit.SECONDS);
            String port = line.substring(line.lastIndexOf(':') + 1);
            try (Device device = DeviceFactory.open("127.60.0.9:" + port)) {
                device.nodes().enumeration("LightControllerSelector").set("Right");
                device.nodes().floating("LightBrightness").set(50);
                assertEquals(0, device.nodes().floating("LightPower").value());
                device.nodes().bool("LightEnable").set(true);
                assertEquals(10, device.nodes().floating("LightPower").value());
                CompletableFuture<Integer> flash = new CompletableFuture<>();
                device.events()
                        .onEvent(
                                "LightFlash",
                                event -> flash.complete(event.data().getInt(4)));
                device.events().enable("LightFlash");
                device.nodes().command("LightStrobe").execute();
                assertEquals(1, flash.get(30, TimeUnit.SECONDS));
            }
        } finally {
            program.interrupt();
            program.join(30_000);
            System.setOut(before);
        }
        assertFalse(program.isAlive());
    }

    @Test
    void manyFramesAreHeld() throws Exception {
        assertTrue(outputOf(() -> ResizeFlowSetPool.main(new String[0])).contains("Holding 20 frames"));
    }

    @Test
    void picturesAreSaved() throws Exception {
        outputOf(() -> SaveFramesAsPng.main(new String[] {folder.toString()}));
        assertTrue(Files.size(folder.resolve("intensity.png")) > 0);
        assertTrue(Files.size(folder.resolve("range.png")) > 0);
    }

    @Test
    void fourCamerasTakeTheirFramesTogether() throws Exception {
        List<VirtualCamera> others = new ArrayList<>();
        try {
            StringBuilder addresses = new StringBuilder(System.getProperty("peregrine.discovery.addresses"));
            for (int i = 2; i <= 4; i++) {
                VirtualCamera other = VirtualCamera.start(scenario()
                        .bindAddress("127.60.0." + i)
                        .serial("SAMPLE" + i)
                        .clock(new Scenario.Clock(20 * i, PtpPort.SLAVE))
                        .build());
                others.add(other);
                addresses.append(",127.60.0." + i + ":" + other.address().getPort());
            }
            System.setProperty("peregrine.discovery.addresses", addresses.toString());
            String output = outputOf(() -> SynchronisedStart.main(new String[] {"3"}));
            assertEquals(
                    4,
                    output.lines().filter(line -> line.contains("port=SLAVE")).count(),
                    output);
            assertEquals(
                    3,
                    output.lines()
                            .filter(line -> line.startsWith("4 frames, the first "))
                            .count(),
                    output);
            assertTrue(output.contains("largest skew "), output);
            // A camera whose clock ran on its own would be off by the years since its start.
            assertTrue(output.lines().noneMatch(line -> line.matches(".*\\d{7,} us.*")), output);
        } finally {
            others.forEach(VirtualCamera::close);
        }
    }

    @Test
    void acquisitionGoesOnWhenTheCameraHasRestarted() throws Exception {
        camera.close();
        // Too slow to deliver all frames before it restarts.
        start(scenario().frameRate(1));
        int port = camera.address().getPort();
        VirtualCamera first = camera;
        CompletableFuture<VirtualCamera> restart = CompletableFuture.supplyAsync(() -> {
            try {
                assertTrue(first.awaitStreaming(true, Duration.ofSeconds(30)));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            first.close();
            return VirtualCamera.start(scenario().port(port).build());
        });
        String output = outputOf(() -> ReconnectingAcquisition.main(new String[] {"50"}));
        camera = restart.get(30, TimeUnit.SECONDS);
        assertEquals(
                50, output.lines().filter(line -> line.startsWith("frame ")).count(), output);
        assertTrue(output.contains("LOST 127.60.0.1: "), output);
        assertTrue(output.lines().anyMatch("CONNECTED 127.60.0.1"::equals), output);
    }

    @Test
    void coordinatesOfTheCameraAreSavedAsTheyAre() throws Exception {
        camera.close();
        start(scenario().content(Content.COORDINATES));
        outputOf(() -> SavePointCloud.main(new String[] {folder.toString()}));
        byte[] file = Files.readAllBytes(folder.resolve("points.pcd"));
        // By the pattern of the camera, A of neighbours differs by half a unit, and B not at all.
        ByteBuffer points =
                ByteBuffer.wrap(file, file.length - 128 * 96 * 20, 40).slice().order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(0.5f, points.getFloat(20) - points.getFloat(0));
        assertEquals(points.getFloat(4), points.getFloat(24));
    }

    @Test
    void aPointCloudIsSavedWithIntensityAndConfidence() throws Exception {
        outputOf(() -> SavePointCloud.main(new String[] {folder.toString()}));
        String header = new String(Files.readAllBytes(folder.resolve("points.pcd")), 0, 200, StandardCharsets.US_ASCII);
        assertTrue(header.contains("FIELDS x y z intensity confidence\n"), header);
        assertTrue(header.contains("WIDTH 128\nHEIGHT 96\n"), header);
    }
}
