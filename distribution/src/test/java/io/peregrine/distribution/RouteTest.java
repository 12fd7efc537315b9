package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.aeron.ChannelUri;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {
    private final DistributionSettings settings =
            DistributionSettings.load(Optional.empty(), key -> null, Path.of("/nonexistent"));

    private static Map<String, String> parts(String channel) {
        ChannelUri uri = ChannelUri.parse(channel);
        Map<String, String> parts = new TreeMap<>();
        uri.forEachParameter(parts::put);
        parts.put("media", uri.media());
        return parts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ipc", "239.192.7.1:40456", "10.0.0.7:40456", "from:10.0.0.5:40456"})
    void itIsWrittenAsItIsRead(String text) {
        assertEquals(text, Route.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "IPC",
                "10.0.0.7",
                "10.0.0.7:0",
                "10.0.0.7:70000",
                "300.0.0.7:1",
                "host:5",
                "from:239.192.7.1:40456",
                "10.0.0.7:1|fc=max",
                "aeron:ipc"
            })
    void whatIsNoRouteIsRefused(String text) {
        assertThrows(DistributionException.class, () -> Route.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "embedded, 10.0.0.7:40456, 64768",
        "external-runs, 10.0.0.7:40456, 64768",
        "external, 10.0.0.7:40456, 1408",
        "embedded, ipc, 1408"
    })
    void framesGoInRunsWhereTheMediaDriverCutsThem(String driver, String route, String bytes) {
        DistributionSettings now = settings.with(DistributionSettings.DRIVER, driver);
        assertEquals(bytes, parts(Route.parse(route).publication(now)).get("mtu"));
    }

    @Test
    void onlyConsumersThatMustHaveEachFramePaceAGroup() {
        Route route = Route.parse("239.192.7.1:40456");
        assertEquals("tagged,g:1,t:2000ms", parts(route.publication(settings)).get("fc"));
        assertEquals(
                Map.of("media", "udp", "endpoint", "239.192.7.1:40456", "session-id", "5"),
                parts(route.frames(settings, "", 5)));
        assertEquals(
                "1",
                parts(route.frames(settings.with(DistributionSettings.SLOW, "wait"), "", 5))
                        .get("gtag"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"239.192.7.1:40456", "from:10.0.0.5:40456"})
    void announcementsAndFramesAreReceivedInTheSameGroup(String text) {
        Route route = Route.parse(text);
        DistributionSettings mustHave = settings.with(DistributionSettings.SLOW, "wait");
        String local = "10.0.0.9:5000";
        assertEquals("1", parts(route.announcements(mustHave, local)).get("gtag"));
        assertEquals("1", parts(route.frames(mustHave, local, 5)).get("gtag"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"239.192.7.1:40456", "from:10.0.0.5:40456"})
    void aConsumerThatIsSilentHoldsUpOthersForTheTimeOfTheSettings(String text) {
        DistributionSettings patient = settings.with(DistributionSettings.GONE_AFTER, "30s");
        assertEquals(
                "tagged,g:1,t:30000ms",
                parts(Route.parse(text).publication(patient)).get("fc"));
    }

    @Test
    void announcementsOnSharedMemoryWaitForNobody() {
        DistributionSettings mustHave = settings.with(DistributionSettings.SLOW, "wait");
        assertEquals(
                "false", parts(Route.parse("ipc").announcements(mustHave, "")).get("tether"));
    }

    @Test
    void consumersRegisterAtThePublisher() {
        Route route = Route.parse("from:10.0.0.5:40456");
        assertEquals("dynamic", parts(route.publication(settings)).get("control-mode"));
        assertEquals(
                Map.of(
                        "media",
                        "udp",
                        "control",
                        "10.0.0.5:40456",
                        "control-mode",
                        "dynamic",
                        "endpoint",
                        "10.0.0.9:5000"),
                parts(route.announcements(settings, "10.0.0.9:5000")));
    }

    @Test
    void packetsAndTermsAreThoseOfTheSettings() {
        DistributionSettings larger =
                settings.with(DistributionSettings.MTU, "8928").with(DistributionSettings.TERM, "4m");
        Map<String, String> parts = parts(Route.parse("ipc").publication(larger));
        assertEquals("8928 4m", parts.get("mtu") + " " + parts.get("term-length"));
    }

    @Test
    void aGroupIsJoinedAtTheInterfaceOfTheSettings() {
        Route route = Route.parse("239.192.7.1:40456");
        DistributionSettings there = settings.with(DistributionSettings.INTERFACE, "10.0.0.9");
        assertEquals("10.0.0.9", parts(route.announcements(there, "")).get("interface"));
        assertEquals("10.0.0.9", parts(route.publication(there)).get("interface"));
    }
}
