package io.peregrine.traffic;

import static io.peregrine.traffic.Packets.answer;
import static io.peregrine.traffic.Packets.command;
import static io.peregrine.traffic.Packets.hex;
import static io.peregrine.traffic.Packets.join;
import static io.peregrine.traffic.Packets.lines;
import static io.peregrine.traffic.Packets.recorder;
import static io.peregrine.traffic.Packets.text;
import static io.peregrine.traffic.Packets.words;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What is written of control messages. Codes and layouts are those of GigE Vision 2.2. */
class ControlTrafficTest {
    private static final int XML_ADDRESS = 0xB000;
    private static final String XML = """
            <RegisterDescription ModelName="M" VendorName="V" SchemaMajorVersion="1" SchemaMinorVersion="1"
             SchemaSubMinorVersion="0" xmlns="http://www.genicam.org/GenApi/Version_1_1">
            <Category Name="Root"><pFeature>RdmaEnable</pFeature><pFeature>DeviceOwner</pFeature></Category>
            <Integer Name="RdmaEnable"><pValue>RdmaEnableReg</pValue></Integer>
            <IntReg Name="RdmaEnableReg"><Address>0xA100</Address><IntSwissKnife Name="Offset">
            <Formula>4 * 3</Formula></IntSwissKnife><Length>4</Length><AccessMode>RW</AccessMode><pPort>Device</pPort>
            <Sign>Unsigned</Sign><Endianess>BigEndian</Endianess></IntReg>
            <StringReg Name="DeviceOwner"><Address>0xA200</Address><Length>16</Length><AccessMode>RW</AccessMode>
            <pPort>Device</pPort></StringReg>
            <Port Name="Device"/></RegisterDescription>
            """;

    private static JsonNode only(List<JsonNode> lines, int index) {
        return lines.get(index);
    }

    @Test
    void aWriteHasAddressNameAndValue() {
        List<JsonNode> lines = lines(recorder(command(0x82, 7, words(0x0D04, 0x40000000 | 9000))), "gvcp");

        JsonNode line = only(lines, 0);
        assertEquals("WRITEREG_CMD", line.get("gvcp").asText());
        assertEquals(7, line.get("id").asInt());
        assertEquals("host-1", line.get("from").asText());
        assertEquals("camera-1", line.get("to").asText());
        JsonNode access = line.get("access").get(0);
        assertEquals("0x0D04", access.get("address").asText());
        assertTrue(access.get("name").asText().contains("stream channel 0"), access::toString);
        assertEquals("0x40002328", access.get("value").asText());
    }

    @Test
    void anAnswerGetsTheAddressesOfItsCommand() {
        List<JsonNode> lines =
                lines(recorder(command(0x80, 9, words(0x0000, 0xA100)), answer(0x81, 9, words(0x30000, 5))), "gvcp");

        JsonNode line = only(lines, 1);
        assertEquals("READREG_ACK", line.get("gvcp").asText());
        assertEquals("SUCCESS", line.get("status").asText());
        assertEquals("0x0000", line.get("access").get(0).get("address").asText());
        assertEquals("Version", line.get("access").get(0).get("name").asText());
        assertEquals("0x00030000", line.get("access").get(0).get("value").asText());
        assertEquals("0xA100", line.get("access").get(1).get("address").asText());
        assertEquals("0x00000005", line.get("access").get(1).get("value").asText());
    }

    @Test
    void anAnswerWithoutItsCommandHasNoAddress() {
        JsonNode access = only(lines(recorder(answer(0x81, 9, words(5))), "gvcp"), 0)
                .get("access")
                .get(0);

        assertEquals("unknown", access.get("address").asText());
        assertEquals("0x00000005", access.get("value").asText());
    }

    @Test
    void aRefusalNamesItsStatus() {
        List<JsonNode> lines = lines(
                recorder(
                        command(0x82, 3, words(0xA100, 1)),
                        Packets.udp(
                                Packets.CAMERA,
                                Packets.GVCP_PORT,
                                Packets.HOST,
                                Packets.HOST_PORT,
                                Packets.message(0x8006, 0x83, 3, words(0)))),
                "gvcp");

        assertEquals("ACCESS_DENIED", only(lines, 1).get("status").asText());
        assertEquals(
                "0xA100", only(lines, 1).get("access").get(0).get("address").asText());
    }

    @Test
    void aCommandThatNoVersionKnowsIsKeptAsItIs() {
        JsonNode line = only(lines(recorder(command(0x0200, 4, hex("00010002 0badcafe"))), "gvcp"), 0);

        assertEquals("0x0200", line.get("gvcp").asText());
        assertEquals("000100020badcafe", line.get("payload").asText());
    }

    @Test
    void longMemoryIsShownInItsBeginning() {
        JsonNode access = only(lines(recorder(answer(0x85, 1, join(words(0xC000), new byte[500]))), "gvcp"), 0)
                .get("access")
                .get(0);

        assertEquals(500, access.get("bytes").asInt());
        assertEquals("00".repeat(64), access.get("value").asText());
        assertEquals(436, access.get("bytesNotShown").asInt());
    }

    @Test
    void manufacturerAndModelStay() {
        byte[] device = new byte[248];
        System.arraycopy(text("Somebody", 32), 0, device, 72, 32);
        System.arraycopy(text("Atlas 10", 32), 0, device, 104, 32);
        device[1] = 3;

        JsonNode line =
                only(lines(recorder(answer(0x03, 1, device)), "gvcp"), 0).get("device");

        assertEquals("Somebody", line.get("manufacturer").asText());
        assertEquals("Atlas 10", line.get("model").asText());
        assertEquals("0x00030000", line.get("version").asText());
    }

    @Test
    void requestsForResendingAreCountedOnly() {
        TrafficRecorder recorder = recorder(command(0x40, 5, words(0, 1, 2)), command(0x40, 6, words(0, 1, 2)));

        assertEquals(List.of(), lines(recorder, "gvcp"));
        assertEquals(
                2,
                lines(recorder, "sums").get(0).get("sums").get("resendRequests").asInt());
    }

    @Test
    void aMessageThatContradictsItselfIsCountedOnly() {
        byte[] longerThanItIs = hex("4201 0082 0010 0001 00000a00");

        TrafficRecorder recorder = recorder(
                Packets.udp(Packets.HOST, Packets.HOST_PORT, Packets.CAMERA, Packets.GVCP_PORT, longerThanItIs));

        assertEquals(List.of(), lines(recorder, "gvcp"));
        assertEquals(
                1,
                lines(recorder, "sums")
                        .get(0)
                        .get("sums")
                        .get("malformedPackets")
                        .asInt());
    }

    private static TrafficRecorder withDescription() {
        byte[] xml = XML.getBytes(StandardCharsets.US_ASCII);
        TrafficRecorder recorder = new TrafficRecorder();
        recorder.accept(0, command(0x82, 1, words(0xA10C, 1)), Packets.NO_MAC);
        String url = String.format(Locale.ROOT, "Local:cam.xml;%X;%X", XML_ADDRESS, xml.length);
        recorder.accept(1, answer(0x85, 2, join(words(0x200), text(url, 512))), Packets.NO_MAC);
        for (int at = 0; at < xml.length; at += 256) {
            byte[] piece = java.util.Arrays.copyOfRange(xml, at, Math.min(xml.length, at + 256));
            recorder.accept(2, command(0x84, 3, words(XML_ADDRESS + at, piece.length)), Packets.NO_MAC);
            recorder.accept(3, answer(0x85, 3, join(words(XML_ADDRESS + at), piece)), Packets.NO_MAC);
        }
        recorder.accept(4, command(0x86, 4, join(words(0xA200), text("Jane", 16))), Packets.NO_MAC);
        return recorder;
    }

    @Test
    void registersHaveTheNamesOfTheDescriptionThatWasRead() {
        JsonNode access =
                only(lines(withDescription(), "gvcp"), 0).get("access").get(0);

        assertEquals("RdmaEnable", access.get("feature").asText());
    }

    @Test
    void theDescriptionItselfIsOneLine() {
        TrafficRecorder recorder = withDescription();

        JsonNode description = only(lines(recorder, "description"), 0);
        assertEquals(XML.length(), description.get("bytes").asInt());
        assertEquals(XML.length(), description.get("bytesSeen").asInt());
        assertEquals("camera-1", description.get("description").asText());
        assertTrue(description.get("namedRegisters").asInt() >= 2, description::toString);
        assertFalse(Packets.written(recorder).contains("RegisterDescription"));
    }

    @Test
    void aFeatureWithAPersonalNameIsReplaced() {
        TrafficRecorder recorder = withDescription();

        JsonNode access = lines(recorder, "gvcp").stream()
                .filter(line -> line.get("gvcp").asText().equals("WRITEMEM_CMD"))
                .findFirst()
                .orElseThrow()
                .get("access")
                .get(0);
        assertEquals("<DeviceOwner>", access.get("value").asText());
    }

    @Test
    void aGivenDescriptionNamesRegistersToo() {
        TrafficRecorder recorder = recorder(command(0x82, 1, words(0xA10C, 1)));
        recorder.description(XML.getBytes(StandardCharsets.US_ASCII));

        assertEquals(
                "RdmaEnable",
                only(lines(recorder, "gvcp"), 0)
                        .get("access")
                        .get(0)
                        .get("feature")
                        .asText());
    }
}
