package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.ExternalFlowSetPool;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.genapi.CategoryNode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Settings;
import io.peregrine.recording.Camera;
import io.peregrine.recording.Recorder;
import io.peregrine.recording.RecorderSettings;
import io.peregrine.recording.RecorderSettings.Form;
import io.peregrine.stream.MemoryFile;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.testing.Needs;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A recording of the virtual camera, opened as a device. */
@Timeout(60)
class ReplayDeviceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int FRAMES = 3;

    @TempDir
    private Path directory;

    private Path path;
    private final List<String> recorded = new ArrayList<>();
    private Map<String, String> features;
    private byte[] xml;

    @BeforeEach
    void recordTheVirtualCamera() {
        path = directory.resolve("run.pgr");
        record(path, Form.FILE);
    }

    private void record(Path target, Form form) {
        record(target, form, snapshot -> snapshot);
    }

    private void record(Path target, Form form, UnaryOperator<Camera> known) {
        recorded.clear();
        Scenario scenario = Scenario.builder()
                .bindAddress("127.41.0.1")
                .serial("REC-1")
                .size(32, 8)
                .frameRate(200)
                .build();
        try (VirtualCamera camera = VirtualCamera.start(scenario);
                Device device = DeviceFactory.open(camera.address().getAddress().getHostAddress() + ":"
                        + camera.address().getPort())) {
            device.nodes().integer("Width").set(16);
            RecorderSettings settings =
                    RecorderSettings.defaults().withForm(form).withCamera(known.apply(device.snapshot()));
            features = values(device.nodes());
            xml = device.xml();
            try (Recorder recorder = Recorder.start(target, settings);
                    CompositeStream stream = device.stream(CompositeStream.class, 0)) {
                stream.start();
                for (int i = 0; i < FRAMES; i++) {
                    try (Composite composite = ((WaitResult.Ok) stream.waitFor(PATIENCE)).composite()) {
                        recorded.add(describe(composite));
                        assertTrue(recorder.record(composite));
                    }
                }
            }
        }
    }

    @Test
    void framesOfARecordingAreReplayedIntoMemoryOfTheUser() {
        Needs.that(System.getProperty("os.name").equals("Linux"), "Linux, for memory files");
        List<String> released = new ArrayList<>();
        try (MemoryFile file = MemoryFile.create(directory.resolve("flows"), 4 * 8192);
                Device device = open(path);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            assertTrue(stream.flowSetInfo().get(0).sizeBytes() <= 8192, stream.flowSetInfo()::toString);
            ExternalFlowSetPool.Builder pool = ExternalFlowSetPool.builder().onRelease(any -> released.add("once"));
            for (int set = 0; set < 4; set++) {
                pool.add(file.flow(set * 8192L, 8192));
            }
            stream.registerExternalFlowSetPool(pool.build());
            stream.start();
            for (int i = 0; i < FRAMES; i++) {
                try (Composite composite = ((WaitResult.Ok) stream.waitFor(PATIENCE)).composite()) {
                    assertEquals(recorded.get(i), describe(composite));
                    for (Item item : composite.items()) {
                        long at = item.address().orElseThrow() - file.address();
                        assertEquals(item.data(), file.buffer(at, (int) item.sizeBytes()));
                    }
                }
            }
        }
        assertEquals(List.of("once"), released);
    }

    private static Map<String, String> values(NodeMap nodes) {
        Map<String, String> values = new TreeMap<>();
        for (Node node : nodes.features()) {
            if (!(node instanceof CategoryNode) && !(node instanceof CommandNode)) {
                values.put(node.name(), value(node));
            }
        }
        return values;
    }

    private static String value(Node node) {
        try {
            return node.readable() ? node.valueAsText() : "not readable";
        } catch (GenApiException e) {
            return "error";
        }
    }

    private static String describe(Composite composite) {
        StringBuilder text = new StringBuilder()
                .append(composite)
                .append(composite.blockId())
                .append(' ')
                .append(composite.timestamp())
                .append(composite.descriptor());
        for (Item item : composite.parts()) {
            ByteBuffer data = item.data();
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            text.append('\n').append(item).append(java.util.HexFormat.of().formatHex(bytes));
        }
        return text.toString();
    }

    private static List<String> replay(Device device) {
        List<String> replayed = new ArrayList<>();
        try (CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (Composite composite : stream) {
                try (composite) {
                    replayed.add(describe(composite));
                }
            }
        }
        return replayed;
    }

    private static Devices factory(String... files) {
        return DeviceFactory.create(PeregrineSettings.load()
                .with(PeregrineSettings.FILES, String.join(",", files))
                .with(OpenParameter.REPLAY_RATE.settingsKey(), "max")
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
    }

    private static Device open(Path path) {
        return factory().open("file:" + path);
    }

    // ---- Discovery

    @Test
    void recordingsAreListedOnRequest() {
        List<DiscoveryInformation> found =
                factory(directory.toString()).discover(DiscoverFlags.INCLUDE_FILES, Duration.ofMillis(1));
        assertEquals(1, found.size());
        assertEquals("REC-1", found.get(0).serialNumber());
        assertEquals("File", found.get(0).properties().get("DeviceTransportLayerType"));
    }

    @Test
    void recordingsAreNotListedUnasked() {
        assertEquals(List.of(), factory(directory.toString()).discover(DiscoverFlags.FIND_ALL, Duration.ofMillis(1)));
    }

    @Test
    @ExpectedWarning("The recording .* cannot be read, and is skipped")
    void aRecordingThatCannotBeReadIsSkippedAlone() throws IOException {
        Files.createFile(Files.createDirectory(directory.resolve("0 cut short")).resolve("recording.pgr"));
        List<DiscoveryInformation> found =
                factory(directory.toString()).discover(DiscoverFlags.INCLUDE_FILES, Duration.ofMillis(1));
        assertEquals(
                List.of("REC-1"),
                found.stream().map(DiscoveryInformation::serialNumber).toList());
    }

    @Test
    void aPathThatIsNotThereIsLeftOut() {
        assertEquals(
                1,
                factory(directory.resolve("gone").toString(), path.toString())
                        .discover(DiscoverFlags.INCLUDE_FILES, Duration.ofMillis(1))
                        .size());
    }

    @Test
    void anAccessTokenOpensTheRecordingAgain() {
        String token = factory().find("file:" + path).accessToken();
        try (Device device = factory().open(token)) {
            assertEquals("REC-1", device.info().serialNumber());
        }
    }

    @Test
    void aRecordingThatIsNotThereIsNotFound() {
        assertThrows(DeviceNotFoundException.class, () -> open(directory.resolve("gone")));
    }

    // ---- Streaming

    @Test
    void aRecordingStreamsWhatTheCameraSent() {
        try (Device device = open(path)) {
            assertEquals(recorded, replay(device));
        }
    }

    @Test
    void aDirectoryStreamsTheSame() {
        Path run = directory.resolve("run");
        record(run, Form.DIRECTORY);
        try (Device device = open(run)) {
            assertEquals(recorded, replay(device));
        }
    }

    @Test
    void aLoopDoesNotEnd() {
        DiscoveryInformation info = factory().find("file:" + path).setParameter("PlaybackMode", "Loop");
        try (Device device = factory().open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (int i = 0; i < 2 * FRAMES; i++) {
                try (Composite composite = assertInstanceOf(WaitResult.Ok.class, stream.waitFor(PATIENCE))
                        .composite()) {
                    assertEquals(recorded.get(i % FRAMES), describe(composite));
                }
            }
        }
    }

    @Test
    void wrongParametersAreRefused() {
        for (String[] wrong :
                new String[][] {{"ReplayRate", "fast"}, {"ReplayRate", "-1"}, {"PlaybackMode", "Twice"}}) {
            DiscoveryInformation info = factory().find("file:" + path).setParameter(wrong[0], wrong[1]);
            DeviceException refused =
                    assertThrows(DeviceException.class, () -> factory().open(info));
            assertTrue(refused.getMessage().contains(wrong[0]), refused.getMessage());
        }
    }

    @Test
    void closingTheDeviceEndsItsStream() {
        Device device = open(path);
        CompositeStream stream = device.stream(CompositeStream.class, 0);
        stream.start();
        device.close();
        assertInstanceOf(WaitResult.Abort.class, stream.waitFor(PATIENCE));
        assertTrue(stream.closed());
    }

    // ---- Features

    @Test
    void featuresHaveTheValuesOfTheCamera() {
        assertEquals("16", features.get("Width"));
        try (Device device = open(path)) {
            assertEquals(features, values(device.nodes()));
        }
    }

    @Test
    void settingsAreLoadedWhereRegistersAreNotKnown() {
        Path other = directory.resolve("other.pgr");
        record(
                other,
                Form.FILE,
                camera -> new Camera(
                        camera.properties(),
                        "# {05D8C294-F295-4dfb-9D01-096BD04049F4}\nDeviceUserID\tbench\n",
                        Optional.empty(),
                        camera.xml()));
        try (Device device = open(other)) {
            assertEquals("bench", device.nodes().node("DeviceUserID").valueAsText());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Width=8", "Gain=3", "PixelFormat=Mono16", "DeviceUserID=other", "AcquisitionStart=1"})
    void whatARecordingCannotChangeIsRefusedWithTheReason(String assignment) {
        String name = assignment.substring(0, assignment.indexOf('='));
        String value = assignment.substring(assignment.indexOf('=') + 1);
        try (Device device = open(path)) {
            GenApiException refused = assertThrows(
                    GenApiException.class, () -> device.nodes().node(name).setFromText(value));
            assertEquals(
                    "Node " + name + " cannot be written: this is a recording, whose frames and settings are what they"
                            + " were; open the camera itself to change it",
                    refused.getMessage());
            assertEquals(features, values(device.nodes()));
        }
    }

    @Test
    void aFeatureThatIsToBeSetAtOpeningIsRefused() {
        DiscoveryInformation info = factory().find("file:" + path).setGenApiFeature(Device.DEVICE, "Width", "32");
        assertThrows(GenApiException.class, () -> factory().open(info).close());
    }

    /** The device has one register for both selections: what it held for the other one is known from the settings. */
    @Test
    void aSelectorShowsTheValuesThatWereRecorded() {
        Path other = directory.resolve("other.pgr");
        String description =
                "<RegisterDescription SchemaMajorVersion=\"1\" SchemaMinorVersion=\"1\" ModelName=\"Test\">"
                        + "<Integer Name=\"Bank\"><Value>0</Value><Max>1</Max><pSelected>Level</pSelected></Integer>"
                        + "<Integer Name=\"Level\"><Streamable>Yes</Streamable><Value>5</Value></Integer>"
                        + "</RegisterDescription>";
        record(
                other,
                Form.FILE,
                camera -> new Camera(
                        camera.properties(),
                        "Level\t{Bank=0}\t5\nLevel\t{Bank=1}\t7\n",
                        Optional.empty(),
                        Optional.of(description.getBytes(StandardCharsets.UTF_8))));
        try (Device device = open(other)) {
            device.nodes().integer("Bank").set(1);
            assertEquals(7, device.nodes().integer("Level").value());
            device.nodes().integer("Bank").set(0);
            assertEquals(5, device.nodes().integer("Level").value());
        }
    }

    @Test
    void theSettingsOfARecordingCanBeSaved() {
        try (Device device = open(path)) {
            Settings settings = device.settings().read();
            assertEquals(List.of(), settings.failures());
            assertTrue(settings.toText().contains("\nWidth\t16\n"), settings::toText);
        }
    }

    @Test
    void theDescriptionIsThatOfTheCamera() {
        try (Device device = open(path)) {
            assertArrayEquals(xml, device.xml());
        }
    }

    @Test
    void containersWithoutACameraHaveASmallNodeMap() throws IOException {
        Path run = directory.resolve("run");
        record(run, Form.DIRECTORY);
        Files.delete(run.resolve("recording.pgr"));
        try (Device device = open(run)) {
            assertEquals("3", device.nodes().node("RecordingFrameCount").valueAsText());
            assertEquals("run", device.nodes().string("DeviceUserID").value());
        }
    }

    @Test
    void theTransportLayerSaysThatItIsAFile() {
        try (Device device = open(path)) {
            NodeMap nodes = device.nodeMap(Device.TL_DEVICE);
            assertEquals("File", nodes.node("GevDataStreamingMode").valueAsText());
            assertEquals("File", nodes.node("DeviceStreamProtocol").valueAsText());
            assertEquals(StreamingMode.Protocol.FILE, device.streamingMode().protocol());
        }
    }

    @Test
    void countersOfTheStreamAreInItsNodeMap() {
        try (Device device = open(path)) {
            replay(device);
            NodeMap stream = device.nodeMap(Device.TL_DATASTREAM);
            assertEquals(FRAMES, stream.integer("StreamFramesComplete").value());
        }
    }
}
