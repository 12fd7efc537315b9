package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistributionSettingsTest {
    @TempDir
    private Path directory;

    private DistributionSettings load(String text, Map<String, String> system) throws IOException {
        Files.writeString(directory.resolve("distribution.properties"), text);
        return DistributionSettings.load(Optional.empty(), system::get, directory);
    }

    @Test
    void noRouteIsSetAtFirst() {
        assertEquals(
                0,
                DistributionSettings.load(Optional.empty(), key -> null, directory)
                        .routes()
                        .size());
    }

    @Test
    void aSystemPropertyHidesTheFile() throws IOException {
        DistributionSettings settings = load(
                "distribution.routes = ipc, 239.192.7.1:40456\ndistribution.mtu=8928\n",
                Map.of(DistributionSettings.MTU, "4096"));
        assertEquals("[ipc, 239.192.7.1:40456]", settings.routes().toString());
        assertEquals(4096, settings.mtuBytes());
    }

    @Test
    void aMisspeltKeyIsRefused() {
        DistributionException refusal =
                assertThrows(DistributionException.class, () -> load("distribution.route=ipc", Map.of()));
        assertTrue(refusal.getMessage().contains("distribution.routes"), refusal.getMessage());
    }

    /** All but the last had no effect. */
    @Test
    void aKeyThatStandsTwiceIsRefused() {
        DistributionException refusal = assertThrows(
                DistributionException.class,
                () -> load("distribution.routes=ipc\ndistribution.routes=239.192.7.1:40456\n", Map.of()));
        assertTrue(
                refusal.getMessage().startsWith("distribution.routes stands more than once in the settings "),
                refusal.getMessage());
    }

    @Test
    void aNamedFileThatIsMissingIsRefused() {
        assertThrows(
                DistributionException.class,
                () -> DistributionSettings.load(Optional.of("missing.properties"), key -> null, directory));
    }

    @Test
    void aDatagramMayFitIntoATunnel() {
        DistributionSettings settings = DistributionSettings.load(Optional.empty(), key -> null, directory)
                .with(DistributionSettings.MTU, "1376");
        assertEquals(1376, settings.mtuBytes());
    }

    @Test
    void sizesAndTimesHaveUnits() {
        DistributionSettings settings = DistributionSettings.load(Optional.empty(), key -> null, directory)
                .with(DistributionSettings.TERM, "1g")
                .with(DistributionSettings.LOST_AFTER, "500ms");
        assertEquals(1 << 30, settings.termBytes());
        assertEquals(Duration.ofMillis(500), settings.lostAfter());
    }

    @ParameterizedTest
    @CsvSource({
        "distribution.mtu, 1500",
        "distribution.mtu, 1184",
        "distribution.mtu, 100000",
        "distribution.term, 3m",
        "distribution.term, 99999999999",
        "distribution.window, 2k",
        "distribution.driver, none",
        "distribution.whenSlow, never",
        "distribution.lostAfter, 5",
        "distribution.goneAfter, 499ms",
        "distribution.goneAfter, 61s",
        "distribution.routes, nowhere"
    })
    void aValueThatIsNotPossibleIsRefused(String key, String value) {
        DistributionSettings settings = DistributionSettings.load(Optional.empty(), name -> null, directory);
        assertThrows(DistributionException.class, () -> settings.with(key, value));
    }
}
