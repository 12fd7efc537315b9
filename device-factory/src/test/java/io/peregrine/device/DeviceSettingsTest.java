package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompositeStream;
import io.peregrine.genapi.Settings;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DeviceSettingsTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private VirtualCamera camera;
    private Devices factory;

    @BeforeEach
    void start() {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.52.0.1")
                .port(0)
                .serial("PG-52")
                .size(320, 240)
                .components(Set.of(ComponentKind.values()))
                .build());
        factory = DeviceFactory.create(PeregrineSettings.load()
                .with(
                        PeregrineSettings.DISCOVERY_ADDRESSES,
                        "127.52.0.1:" + camera.address().getPort())
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private Device open() {
        return factory.open(factory.find("PG-52"));
    }

    private static List<String> refused(Device device, String line) {
        return device.settings().apply(Settings.parse(line)).stream()
                .map(Settings.Failure::feature)
                .toList();
    }

    @Test
    void aCommandIsRefusedAndNotExecuted() {
        AtomicInteger executed = new AtomicInteger();
        try (Device device = open()) {
            device.nodes().onWrite(node -> executed.incrementAndGet());
            assertEquals(List.of("DeviceReset"), refused(device, "DeviceReset\t1"));
            assertEquals(List.of("Width"), refused(device, "Width\t{DeviceReset=1}\t64"));
        }
        assertEquals(0, executed.get());
    }

    private static void setUp(Device device) {
        device.nodes().integer("Width").set(200);
        device.nodes().integer("OffsetX").set(40);
        device.nodes().floating("Gain").set(12.5);
        device.nodes().enumeration("ComponentSelector").set("Range");
        device.nodes().bool("ComponentEnable").set(false);
        device.nodes().enumeration("EventSelector").set("Test");
        device.nodes().enumeration("EventNotification").set("On");
    }

    private static String summary(Device device) {
        device.nodes().enumeration("ComponentSelector").set("Range");
        device.nodes().enumeration("EventSelector").set("Test");
        return device.nodes().integer("Width").value() + " "
                + device.nodes().integer("OffsetX").value() + " "
                + device.nodes().floating("Gain").value() + " "
                + device.nodes().bool("ComponentEnable").value() + " "
                + device.nodes().enumeration("EventNotification").value();
    }

    @ParameterizedTest
    @ValueSource(strings = {"settings.txt", "settings.json"})
    void savedSettingsAreLoadedAgain(String name) {
        Path file = folder.resolve(name);
        try (Device device = open()) {
            setUp(device);
            assertEquals(List.of(), device.settings().save(file).failures());
            device.userSets().load("Default");
            assertEquals("320 0 0.0 true Off", summary(device));
            assertEquals(List.of(), device.settings().load(file));
            assertEquals("200 40 12.5 false On", summary(device));
        }
    }

    @Test
    void settingsAreSavedWhileAnotherApplicationStreams() {
        try (Device controller = open()) {
            setUp(controller);
            try (CompositeStream stream = controller.stream(CompositeStream.class, 0);
                    Device reader = factory.open(factory.find("PG-52").setParameter("AccessMode", "ReadOnly"))) {
                stream.start();
                Settings saved = reader.settings().read();
                assertEquals(List.of(), saved.failures());
                assertEquals(Set.copyOf(controller.settings().read().settings()), Set.copyOf(saved.settings()));
            }
        }
    }

    @Test
    void savingWithReadAccessMovesNoSelectorOfTheController() {
        try (Device controller = open();
                Device reader = factory.open(factory.find("PG-52").setParameter("AccessMode", "ReadOnly"))) {
            setUp(controller);
            reader.settings().read();
            controller.nodes().invalidateAll();
            assertEquals(
                    "Range", controller.nodes().enumeration("ComponentSelector").value());
        }
    }

    @Test
    void theTextIsTheOneThatGenicamToolsExchange() throws IOException {
        Path file = folder.resolve("camera.gcs");
        try (Device device = open()) {
            setUp(device);
            device.settings().save(file);
        }
        List<String> lines = Files.readAllLines(file);
        assertEquals("# {05D8C294-F295-4dfb-9D01-096BD04049F4}", lines.get(0));
        assertTrue(lines.contains("Width\t200"), lines::toString);
        assertTrue(lines.contains("ComponentEnable\t{ComponentSelector=Range}\t0"), lines::toString);
        assertTrue(lines.contains("EventNotification\t{EventSelector=Test}\tOn"), lines::toString);
    }

    @Test
    void savingLeavesNoHalfFileBeside() throws IOException {
        try (Device device = open()) {
            device.settings().save(folder.resolve("a.txt"));
        }
        try (var files = Files.list(folder)) {
            assertEquals(List.of(folder.resolve("a.txt")), files.toList());
        }
    }

    @Test
    void whatCannotBeSetIsToldAndTheRestIsSet() throws IOException {
        Path file = folder.resolve("settings.txt");
        Files.writeString(file, "OffsetX\t250\nNoSuchFeature\t1\nWidth\t48\nGain\t99\nHeight\t100\n");
        try (Device device = open()) {
            List<Settings.Failure> failures = device.settings().load(file);
            assertEquals(
                    Set.of("NoSuchFeature", "Gain"),
                    Set.copyOf(failures.stream().map(Settings.Failure::feature).toList()));
            assertEquals(48, device.nodes().integer("Width").value());
            assertEquals(250, device.nodes().integer("OffsetX").value());
            assertEquals(100, device.nodes().integer("Height").value());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "# no more\n", "{\"features\": []}"})
    void aFileWithoutAValueIsRefused(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("settings.txt"), text);
        try (Device device = open()) {
            DeviceSettings settings = device.settings();
            assertThrows(RuntimeException.class, () -> settings.load(file));
        }
    }

    @Test
    void aFileThatIsNoTextIsRefused() throws IOException {
        Path file = folder.resolve("settings.txt");
        Files.write(file, new byte[] {(byte) 0xFF, (byte) 0xFE, 0});
        try (Device device = open()) {
            DeviceSettings settings = device.settings();
            DeviceException refusal = assertThrows(DeviceException.class, () -> settings.load(file));
            assertTrue(refusal.getMessage().contains("UTF-8"), refusal.getMessage());
        }
    }

    @Test
    void aSavedUserSetIsLoadedAgain() {
        try (Device device = open()) {
            setUp(device);
            device.userSets().save("UserSet1");
            device.userSets().load("Default");
            assertEquals("320 0 0.0 true Off", summary(device));
            device.userSets().load("UserSet1");
            assertEquals("200 40 12.5 false On", summary(device));
        }
    }

    @Test
    void aUserSetOutlivesARestartAndIsUsedFromTheStart() {
        try (Device device = open()) {
            setUp(device);
            device.userSets().save("UserSet2");
            device.userSets().atStart("UserSet2");
            device.nodes().integer("Width").set(64);
            device.nodes().command("DeviceReset").execute();
        }
        factory.await("PG-52", LONG);
        try (Device device = open()) {
            assertEquals("200 40 12.5 false On", summary(device));
            assertEquals("UserSet2", device.userSets().atStart().orElseThrow());
        }
    }

    @Test
    void theFactorysSetCannotBeChanged() {
        try (Device device = open()) {
            UserSets sets = device.userSets();
            assertEquals(List.of("Default", "UserSet1", "UserSet2"), sets.names());
            DeviceException refusal = assertThrows(DeviceException.class, () -> sets.save("Default"));
            assertTrue(refusal.getMessage().contains("UserSetSave"), refusal.getMessage());
            assertFalse(refusal.getMessage().isBlank());
        }
    }

    @Test
    void aUserSetThatTheDeviceLacksIsRefusedWithThoseItHas() {
        try (Device device = open()) {
            UserSets sets = device.userSets();
            DeviceException refusal = assertThrows(DeviceException.class, () -> sets.load("UserSet9"));
            assertTrue(refusal.getMessage().contains("UserSet2"), refusal.getMessage());
        }
    }

    @Test
    void noUserSetIsLoadedWhileTheStreamIsLocked() {
        try (Device device = open()) {
            device.nodes().integer("TLParamsLocked").set(1);
            UserSets sets = device.userSets();
            DeviceException refusal = assertThrows(DeviceException.class, () -> sets.load("UserSet1"));
            assertTrue(refusal.getMessage().contains("Stop the streams"), refusal.getMessage());
        }
    }
}
