package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ScenarioTest {
    @Test
    void aFileSetsEveryValue(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("scenario.json");
        Files.writeString(file, """
                {"bindAddress": "127.30.3.1", "port": 4000, "serial": "A1", "userName": "top", "width": 2048,
                 "height": 1000, "frameRate": 12.5, "pixelFormat": "Mono16", "components": ["Intensity", "Range"],
                 "content": "variableHeight", "payload": "imageWithChunks",
                 "flows": "perComponent", "descriptorWithData": true, "genDcMode": "on", "packetSizeBytes": 9000,
                 "firstBlockId": 7,
                 "linkSpeedMegabits": 0, "resendBlocks": 3, "multicastTtl": 4, "zippedXml": true,
                 "listenForBroadcast": false,
                 "faults": {"seed": 5, "lossPerMille": 1.5, "delayPerMille": 2, "delayMilliseconds": 0.5}}
                """);
        Scenario scenario = Scenario.read(file);
        assertEquals("127.30.3.1", scenario.bindAddress().getHostAddress());
        assertEquals(2048, scenario.sensorWidth(), "the sensor grows with the image");
        assertEquals(0x01100007, scenario.pixelFormat());
        assertEquals(Set.of(ComponentKind.INTENSITY, ComponentKind.RANGE), scenario.components());
        assertEquals(Content.VARIABLE_HEIGHT, scenario.content());
        assertEquals(StreamPayload.IMAGE_WITH_CHUNKS, scenario.payload());
        assertEquals(Scenario.Flows.PER_COMPONENT, scenario.flows());
        assertTrue(scenario.descriptorWithData());
        assertEquals(4, scenario.multicastTtl());
        assertEquals(Scenario.GenDcMode.ON, scenario.genDcMode());
        assertEquals(1.5, scenario.faults().lossPerMille());
        assertEquals(Duration.ofNanos(500_000), scenario.faults().delay());
        assertEquals(scenario, scenario.toBuilder().build());
    }

    @Test
    void aFileSaysWhoTheCameraIs() {
        Scenario scenario = Scenario.parse("""
                {"vendor": "Basler", "model": "acA2440", "macAddress": "00:30:53:0A:0B:0c", "markResentPackets": false}
                """);
        assertEquals("Basler", scenario.vendor());
        assertEquals("acA2440", scenario.model());
        assertEquals("00:30:53:0A:0B:0c", scenario.macAddress());
        assertFalse(scenario.markResentPackets());
        assertEquals(scenario, scenario.toBuilder().build());
        assertMessage("macAddress must be six bytes", "{\"macAddress\": \"00-30-53-0A-0B-0C\"}");
    }

    @Test
    void aFileSetsRdma() {
        Scenario scenario = Scenario.parse("""
                {"rdmaProvider": "software", "rdmaPort": 20049,
                 "faults": {"rdmaDropPerMille": 1, "rdmaReorderPerMille": 2, "rdmaDuplicatePerMille": 3,
                            "rdmaCorruptPerMille": 4, "rdmaNotReadyPerMille": 10,
                            "rdmaVanishEveryBlocks": 5, "rdmaVanishForGoodAtBlock": 6,
                            "rdmaWrongSetIdEveryBlocks": 7, "rdmaWrongLengthEveryBlocks": 8,
                            "rdmaErrorStatusEveryBlocks": 9}}
                """);
        assertEquals("software", scenario.rdmaProvider());
        assertEquals(20049, scenario.rdmaPort());
        assertEquals(
                new FaultPlan.Rdma(1, 2, 3, 4, 10, 5, 6, 7, 8, 9),
                scenario.faults().rdma());
        assertEquals(scenario, scenario.toBuilder().build());
    }

    @Test
    void aFileSetsHowPacketsAreSent() {
        Scenario scenario = Scenario.parse("""
                {"sending": "verbs", "sendBufferBytes": 65536, "sendCompletionVector": -1, "sendMaxPoll": 3}
                """);
        assertEquals(new Scenario.Sending(Scenario.Sending.Way.VERBS, 65536, -1, 3), scenario.sending());
        assertEquals(scenario, scenario.toBuilder().build());
        assertEquals(Scenario.Sending.SOCKET, Scenario.parse("{}").sending());
    }

    @Test
    void aFileSaysWhatGoesWrongWithFiles() {
        Scenario scenario = Scenario.parse("{\"faults\": {\"lossPerMille\": 1, \"files\": \"readFails\"}}");
        assertEquals(FaultPlan.FileFault.READ_FAILS, scenario.faults().files());
        assertEquals(1, scenario.faults().lossPerMille());
        assertEquals(FaultPlan.FileFault.NONE, Scenario.parse("{}").faults().files());
    }

    @Test
    void mistakesAreNamed() {
        assertMessage("unknown property colour", "{\"colour\": 1}");
        assertMessage("unknown property faults.gain", "{\"faults\": {\"gain\": 1}}");
        assertMessage("width must be a whole number", "{\"width\": \"wide\"}");
        assertMessage("height must be between", "{\"height\": 1}");
        assertMessage("pixelFormat must be one of", "{\"pixelFormat\": \"Mono9\"}");
        assertMessage("content must be one of", "{\"content\": \"all\"}");
        assertMessage("payload must be one of", "{\"payload\": \"udp\"}");
        assertMessage("flows must be one of", "{\"flows\": \"many\"}");
        assertMessage("lossPerMille must be between", "{\"faults\": {\"lossPerMille\": 1001}}");
        assertMessage("rdmaPort must be between", "{\"rdmaPort\": 65536}");
        assertMessage("rdmaDropPerMille must be between", "{\"faults\": {\"rdmaDropPerMille\": -1}}");
        assertMessage("rdmaVanishEveryBlocks must not be negative", "{\"faults\": {\"rdmaVanishEveryBlocks\": -1}}");
        assertMessage("faults.files must be one of", "{\"faults\": {\"files\": \"lost\"}}");
        assertMessage("multicastTtl must be between", "{\"multicastTtl\": 256}");
        assertMessage("sending must be one of", "{\"sending\": \"rdma\"}");
        assertMessage("sendMaxPoll must be at least 1", "{\"sendMaxPoll\": 0}");
        assertMessage("sendBufferBytes must be at least 4096", "{\"sendBufferBytes\": 4095}");
        assertMessage("not valid JSON", "{");
        assertMessage("a JSON object is needed", "[]");
    }

    private static void assertMessage(String part, String json) {
        String message = assertThrows(VirtualCameraException.class, () -> Scenario.parse(json))
                .getMessage();
        assertTrue(message.contains(part), message);
    }

    @Test
    void aMissingFileIsCalledSo() {
        VirtualCameraException refusal =
                assertThrows(VirtualCameraException.class, () -> Scenario.read(Path.of("no-such.json")));
        assertEquals("There is no scenario no-such.json: check the name", refusal.getMessage());
    }

    @Test
    void aPlaceThatIsNoJsonIsNamed() {
        VirtualCameraException refusal =
                assertThrows(VirtualCameraException.class, () -> Scenario.parse("{\"width\":\n  rubbish}"));
        assertTrue(refusal.getMessage().endsWith(" is not valid JSON: look at line 2, column 3"), refusal.getMessage());
    }
}
