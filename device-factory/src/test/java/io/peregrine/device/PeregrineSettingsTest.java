package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeregrineSettingsTest {
    @TempDir
    Path directory;

    @Test
    void builtInDefaultsApplyWhenNothingElseIsSet() {
        assertEquals(Duration.ofMillis(300), load(Map.of(), Map.of()).duration(PeregrineSettings.DISCOVERY_WINDOW));
    }

    @Test
    void fileHidesDefaults() throws IOException {
        Files.writeString(directory.resolve("peregrine.properties"), "peregrine.discovery.window=2s\n");
        assertEquals(Duration.ofSeconds(2), load(Map.of(), Map.of()).duration(PeregrineSettings.DISCOVERY_WINDOW));
    }

    @Test
    void xmlFileIsReadWithItsRootAsFirstPartOfTheKey() throws IOException {
        Files.writeString(
                directory.resolve("peregrine.xml"),
                "<peregrine><discovery><window>1s</window></discovery></peregrine>");
        assertEquals(Duration.ofSeconds(1), load(Map.of(), Map.of()).duration(PeregrineSettings.DISCOVERY_WINDOW));
    }

    @Test
    void environmentHidesFile() throws IOException {
        Files.writeString(directory.resolve("peregrine.properties"), "peregrine.discovery.port=1\n");
        assertEquals(
                2, load(Map.of(), Map.of("PEREGRINE_DISCOVERY_PORT", "2")).number(PeregrineSettings.DISCOVERY_PORT));
    }

    @Test
    void systemPropertyHidesEnvironment() {
        assertEquals(
                3,
                load(Map.of("peregrine.discovery.port", "3"), Map.of("PEREGRINE_DISCOVERY_PORT", "2"))
                        .number(PeregrineSettings.DISCOVERY_PORT));
    }

    @Test
    void valueSetByProgramHidesEverything() {
        PeregrineSettings settings = load(Map.of("peregrine.discovery.port", "3"), Map.of());
        assertEquals(4, settings.with(PeregrineSettings.DISCOVERY_PORT, "4").number(PeregrineSettings.DISCOVERY_PORT));
    }

    @Test
    void camelCaseKeyIsFoundInTheEnvironment() {
        assertEquals(
                "1",
                load(Map.of(), Map.of("PEREGRINE_USERDMA", "1"))
                        .value(PeregrineSettings.USE_RDMA)
                        .orElseThrow());
    }

    @Test
    void listIsSplitAtCommas() {
        assertEquals(
                List.of("10.0.0.1", "10.0.0.2"),
                load(Map.of("peregrine.discovery.addresses", "10.0.0.1, 10.0.0.2"), Map.of())
                        .list(PeregrineSettings.DISCOVERY_ADDRESSES));
    }

    @Test
    void wrongValueIsRefusedWithKeyAndForm() {
        PeregrineSettings settings = load(Map.of("peregrine.discovery.window", "soon"), Map.of());
        DeviceException e =
                assertThrows(DeviceException.class, () -> settings.duration(PeregrineSettings.DISCOVERY_WINDOW));
        assertTrue(e.getMessage().contains("peregrine.discovery.window is 'soon'"), e.getMessage());
    }

    @Test
    void missingNamedFileIsAnError() {
        assertThrows(DeviceException.class, () -> load(Map.of("peregrine.config", "absent.properties"), Map.of()));
    }

    private PeregrineSettings load(Map<String, String> systemProperties, Map<String, String> environment) {
        return PeregrineSettings.load(systemProperties, environment, directory);
    }
}
