package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ExpectedWarning;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExpectedWarning("is no setting and has no effect")
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

    @ParameterizedTest
    @ValueSource(strings = {"configuration", "Peregrine", "peregrine.discovery"})
    void anXmlFileWithAnotherRootIsRefusedWithTheRootToUse(String root) throws IOException {
        Path file = Files.writeString(
                directory.resolve("peregrine.xml"),
                "<" + root + "><peregrine><discovery><window>1s</window></discovery></peregrine></" + root + ">");
        DeviceException refused = assertThrows(DeviceException.class, () -> load(Map.of(), Map.of()));
        assertEquals(
                "The configuration file " + file + " has the root element " + root + ": it must be peregrine, as in"
                        + " <peregrine><discovery><port>3956</port></discovery></peregrine>",
                refused.getMessage());
    }

    /** All but the first had no effect. */
    @Test
    void aKeyThatStandsTwiceInAnXmlFileIsRefused() throws IOException {
        Path file = Files.writeString(
                directory.resolve("peregrine.xml"),
                "<peregrine><discovery><addresses>10.0.0.1</addresses><addresses>10.0.0.2</addresses></discovery>"
                        + "</peregrine>");
        DeviceException refused = assertThrows(DeviceException.class, () -> load(Map.of(), Map.of()));
        assertEquals(
                "peregrine.discovery.addresses stands 2 times in the configuration file " + file
                        + ": write it once, with commas between several values",
                refused.getMessage());
    }

    @Test
    void aKeyThatStandsTwiceInAPropertiesFileIsRefused() throws IOException {
        Files.writeString(
                directory.resolve("peregrine.properties"),
                "peregrine.discovery.window=1s\nperegrine.discovery.window=2s\n");
        DeviceException refused = assertThrows(DeviceException.class, () -> load(Map.of(), Map.of()));
        assertTrue(refused.getMessage().startsWith("peregrine.discovery.window stands 2 times"), refused::getMessage);
    }

    @Test
    void theXmlFileOnThePageOfSettingsIsRead() throws IOException {
        String page = Files.readString(Path.of("../docs/settings.md"));
        int start = page.indexOf("```xml\n") + "```xml\n".length();
        Files.writeString(directory.resolve("peregrine.xml"), page.substring(start, page.indexOf("```", start)));
        assertEquals(
                List.of("192.168.10.20", "192.168.10.21"),
                load(Map.of(), Map.of()).list(PeregrineSettings.DISCOVERY_ADDRESSES));
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
                        .value(OpenParameter.USE_RDMA.settingsKey())
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

    // ---- Misspelt settings

    private List<String> warned(Map<String, String> systemProperties, Map<String, String> environment) {
        List<String> warnings = new ArrayList<>();
        Logger logger = Logger.getLogger(PeregrineSettings.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                warnings.add(entry.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            load(systemProperties, environment);
        } finally {
            logger.removeHandler(handler);
        }
        return warnings;
    }

    @Test
    void aMisspeltEnvironmentVariableIsReportedWithTheNearest() {
        assertEquals(
                List.of("The environment variable PEREGRINE_DISCOVERY_ADRESSES is no setting and has no effect."
                        + " Did you mean PEREGRINE_DISCOVERY_ADDRESSES?"),
                warned(Map.of(), Map.of("PEREGRINE_DISCOVERY_ADRESSES", "10.0.0.1")));
    }

    @Test
    void anEnvironmentVariableInLowerCaseIsReported() {
        assertEquals(
                List.of("The environment variable peregrine_discovery_port is no setting and has no effect."
                        + " Did you mean PEREGRINE_DISCOVERY_PORT?"),
                warned(Map.of(), Map.of("peregrine_discovery_port", "1")));
    }

    @Test
    void aMisspeltSystemPropertyIsReportedWithTheNearest() {
        assertEquals(
                List.of("The system property peregrine.userdma is no setting and has no effect."
                        + " Did you mean peregrine.useRdma?"),
                warned(Map.of("peregrine.userdma", "1"), Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"peregrine.stream.resendTrys", "peregrine.stream.resend_tries", "stream.resendTries"})
    void aMisspeltKeyOfAFileIsReportedWithFileAndNearest(String key) throws IOException {
        Path file = Files.writeString(directory.resolve("peregrine.properties"), key + "=3\n");
        assertEquals(
                List.of("The key " + key + " in " + file + " is no setting and has no effect."
                        + " Did you mean peregrine.stream.resendTries?"),
                warned(Map.of(), Map.of()));
    }

    @Test
    void aMisspeltElementOfAnXmlFileIsReported() throws IOException {
        Path file = Files.writeString(
                directory.resolve("peregrine.xml"),
                "<peregrine><discovery><windwo>1s</windwo></discovery></peregrine>");
        assertEquals(
                List.of("The key peregrine.discovery.windwo in " + file + " is no setting and has no effect."
                        + " Did you mean peregrine.discovery.window?"),
                warned(Map.of(), Map.of()));
    }

    @Test
    void aKeyOfAFileThatIsLikeNoneIsReportedToo() throws IOException {
        Path file = Files.writeString(directory.resolve("peregrine.properties"), "colour=blue\n");
        assertEquals(
                List.of("The key colour in " + file
                        + " is no setting and has no effect. Remove it or correct its name"),
                warned(Map.of(), Map.of()));
    }

    @Test
    void aMisspeltSettingIsReportedOnce() {
        Map<String, String> environment = Map.of("PEREGRINE_REPLAY_RAET", "max");
        assertEquals(1, warned(Map.of(), environment).size());
        assertEquals(List.of(), warned(Map.of(), environment));
    }

    @Test
    void whatIsSetRightOrIsSomethingElseIsNotReported() throws IOException {
        Files.writeString(directory.resolve("peregrine.properties"), "peregrine.useRdma=1\nPEREGRINE_FILES=a\n");
        assertEquals(
                List.of(),
                warned(
                        Map.of(
                                "peregrine.discovery.port",
                                "1",
                                "peregrine.skipRigs",
                                "true",
                                "peregrine.debug",
                                "true"),
                        Map.of("PEREGRINE_RDMA_COMP_VECTOR", "1", "PEREGRINE_HOME", "/opt")));
    }

    @Test
    void aProgramCannotSetWhatIsNoSetting() {
        PeregrineSettings settings = load(Map.of(), Map.of());
        DeviceException refused =
                assertThrows(DeviceException.class, () -> settings.with("peregrine.discovery.prot", "1"));
        assertEquals(
                "There is no setting peregrine.discovery.prot. Did you mean peregrine.discovery.port?",
                refused.getMessage());
    }

    @Test
    void anXmlFileThatIsNoXmlIsRefusedWithItsName() throws IOException {
        Files.writeString(directory.resolve("peregrine.xml"), "<peregrine><discovery>");
        DeviceException refused = assertThrows(DeviceException.class, () -> load(Map.of(), Map.of()));
        assertTrue(
                refused.getMessage().matches("The configuration file .*peregrine\\.xml cannot be read: line 1: .*")
                        && !refused.getMessage().contains("Exception"),
                refused.getMessage());
    }

    /** Counts who connects, and hangs up. */
    private static void count(ServerSocket server, AtomicInteger asked) {
        try {
            while (true) {
                server.accept().close();
                asked.incrementAndGet();
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    /** Entities, parameter entities and external subsets are the ways by which a document asks for another. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE peregrine [<!ENTITY own SYSTEM 'URL'>]>"
                        + "<peregrine><discovery><interfaces>&own;</interfaces></discovery></peregrine>",
                "<!DOCTYPE peregrine [<!ENTITY % all SYSTEM 'URL'> %all;]><peregrine/>",
                "<!DOCTYPE peregrine SYSTEM 'URL'><peregrine/>"
            })
    void noServerIsAskedForWhatAnXmlFileNames(String xml) throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> count(server, asked), "server");
            thread.setDaemon(true);
            thread.start();
            String url = "http://127.0.0.1:" + server.getLocalPort() + "/other";
            Files.writeString(directory.resolve("peregrine.xml"), xml.replace("URL", url));
            assertThrows(DeviceException.class, () -> load(Map.of(), Map.of()));
        }
        assertEquals(0, asked.get());
    }

    @Test
    void anXmlFileWithADocumentTypeIsRefusedByName() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "10.9.8.7");
        Path file = Files.writeString(
                directory.resolve("peregrine.xml"),
                "<!DOCTYPE peregrine [<!ENTITY own SYSTEM '" + secret.toUri() + "'>]>"
                        + "<peregrine><discovery><addresses>&own;</addresses></discovery></peregrine>");
        DeviceException refused = assertThrows(DeviceException.class, () -> load(Map.of(), Map.of()));
        assertTrue(
                refused.getMessage().contains(file.toString())
                        && refused.getMessage().contains("DOCTYPE"),
                refused.getMessage());
    }

    @Test
    void aFileIncludesNoOther() throws IOException {
        Path other = Files.writeString(directory.resolve("other"), "peregrine.discovery.interfaces=eth9");
        Files.writeString(directory.resolve("peregrine.properties"), "include = " + other.toUri());
        assertEquals(
                "",
                load(Map.of(), Map.of())
                        .value(PeregrineSettings.DISCOVERY_INTERFACES)
                        .orElse(""));
    }

    @Test
    void aVariableInAFileDoesNotBecomeTheTextOfAnotherFile() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "10.9.8.7");
        String variable = "${file:UTF-8:" + secret + "}";
        Files.writeString(directory.resolve("peregrine.properties"), "peregrine.discovery.interfaces=" + variable);
        assertEquals(
                variable,
                load(Map.of(), Map.of())
                        .value(PeregrineSettings.DISCOVERY_INTERFACES)
                        .orElseThrow());
    }

    @Test
    void aVariableInAnXmlFileDoesNotBecomeTheTextOfAnotherFile() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "10.9.8.7");
        String variable = "${file:UTF-8:" + secret + "}";
        Files.writeString(
                directory.resolve("peregrine.xml"),
                "<peregrine><discovery><interfaces>" + variable + "</interfaces></discovery></peregrine>");
        assertEquals(
                variable,
                load(Map.of(), Map.of())
                        .value(PeregrineSettings.DISCOVERY_INTERFACES)
                        .orElseThrow());
    }

    private PeregrineSettings load(Map<String, String> systemProperties, Map<String, String> environment) {
        return PeregrineSettings.load(systemProperties, environment, directory);
    }
}
