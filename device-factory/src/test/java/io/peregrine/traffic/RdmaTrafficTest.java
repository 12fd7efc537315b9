package io.peregrine.traffic;

import static io.peregrine.traffic.Packets.hex;
import static io.peregrine.traffic.Packets.join;
import static io.peregrine.traffic.Packets.lines;
import static io.peregrine.traffic.Packets.recorder;
import static io.peregrine.traffic.Packets.roce;
import static io.peregrine.traffic.Packets.toCamera;
import static io.peregrine.traffic.Packets.toHost;
import static io.peregrine.traffic.Packets.words;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.peregrine.testing.TestData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What is written of RoCEv2. Opcodes are those of the InfiniBand architecture. */
class RdmaTrafficTest {
    private static final int SEND_FIRST = 0x00;
    private static final int SEND_MIDDLE = 0x01;
    private static final int SEND_LAST = 0x02;
    private static final int SEND_ONLY = 0x04;
    private static final int WRITE_ONLY_IMMEDIATE = 0x0B;
    private static final int ACKNOWLEDGE = 0x11;
    private static final int QUEUE_PAIR = 0x13;

    private static JsonNode flow(TrafficRecorder recorder) {
        return lines(recorder, "flow").get(0);
    }

    // ---- A session of rping between two Soft-RoCE devices; values as Wireshark shows them

    private static TrafficRecorder rping() throws IOException {
        TrafficRecorder recorder = new TrafficRecorder();
        recorder.read(TestData.file("rocev2/rdma_cm_rping.pcap"));
        return recorder;
    }

    private static JsonNode message(int index) throws IOException {
        return lines(rping(), "cm").get(index);
    }

    @Test
    void theMessagesOfTheConnectionManagerAreInTheirOrder() throws IOException {
        assertEquals(
                List.of("REQ", "REP", "RTU", "DREQ", "DREP"),
                lines(rping(), "cm").stream()
                        .map(line -> line.get("cm").asText())
                        .toList());
    }

    @Test
    void aRequestHasAllItsFields() throws IOException {
        JsonNode req = message(0);

        assertEquals(0x46E53AD0L, req.get("localCommId").asLong());
        assertEquals("0x0000000001061C06", req.get("serviceId").asText());
        assertEquals("0x00000002D03AE546", req.get("transactionId").asText());
        assertEquals(0x13, req.get("queuePair").asInt());
        assertEquals(1, req.get("responderResources").asInt());
        assertEquals(1, req.get("initiatorDepth").asInt());
        assertEquals(0x14, req.get("remoteResponseTimeout").asInt());
        assertEquals(0x428EE7, req.get("startingPsn").asInt());
        assertEquals(7, req.get("retryCount").asInt());
        assertEquals(4096, req.get("pathMtuBytes").asInt());
        assertEquals(7, req.get("rnrRetryCount").asInt());
        assertEquals(15, req.get("maxCmRetries").asInt());
        // The bytes are c4 3c 40 00; Wireshark reads this word otherwise.
        assertEquals(0xC43C4, req.get("flowLabel").asInt());
        assertEquals(0, req.get("packetRate").asInt());
        assertEquals(0x40, req.get("hopLimit").asInt());
        assertEquals(0x13, req.get("ackTimeout").asInt());
        assertEquals(4, req.get("ipVersion").asInt());
        assertEquals(0xE882, req.get("sourcePort").asInt());
        assertEquals("", req.get("privateData").asText());
    }

    @Test
    void aReplyHasAllItsFields() throws IOException {
        JsonNode rep = message(1);

        assertEquals(0x45E53AD0L, rep.get("localCommId").asLong());
        assertEquals(0x46E53AD0L, rep.get("remoteCommId").asLong());
        assertEquals(0x13, rep.get("queuePair").asInt());
        assertEquals(0x2CBA5D, rep.get("startingPsn").asInt());
        assertEquals(0xF, rep.get("ackDelay").asInt());
        assertEquals(7, rep.get("rnrRetryCount").asInt());
        assertEquals(55410, rep.get("udpSourcePort").asInt());
    }

    @Test
    void hostsAndAdaptersAreNamedInAllMessagesAlike() throws IOException {
        JsonNode req = message(0);
        JsonNode rep = message(1);

        assertEquals("address-1", req.get("from").asText());
        assertEquals("address-2", req.get("to").asText());
        assertEquals("<address-1>", req.get("localGid").asText());
        assertEquals("<address-2>", req.get("remoteGid").asText());
        assertEquals("<address-1>", req.get("source").asText());
        assertEquals("<guid-1>", req.get("caGuid").asText());
        assertEquals("<guid-2>", rep.get("caGuid").asText());
    }

    @Test
    void neitherAddressesNorGuidsAreInIt() throws IOException {
        String written = Packets.written(rping()).toLowerCase(Locale.ROOT);

        for (String personal :
                List.of("0a0a0001", "0a140001", "10.10.", "10.20.", "c45cf4", "c65cf4", "70389b", "20a177", "22a177")) {
            assertFalse(written.contains(personal), personal);
        }
    }

    @Test
    void packetsAreCountedByOperationForEachDirection() throws IOException {
        List<JsonNode> flows = lines(rping(), "flow").stream()
                .filter(flow -> flow.get("queuePair").asInt() == QUEUE_PAIR)
                .toList();

        assertEquals(2, flows.size());
        assertEquals(
                "{\"SEND_ONLY\":4,\"READ_RESPONSE_ONLY\":2,\"ACKNOWLEDGE\":6}",
                flows.get(0).get("packets").toString());
        assertEquals(
                "{\"SEND_ONLY\":4,\"WRITE_ONLY\":2,\"READ_REQUEST\":2,\"ACKNOWLEDGE\":4}",
                flows.get(1).get("packets").toString());
    }

    // ---- Messages

    @Test
    void aMessageOfSeveralPacketsIsOneLine() {
        JsonNode message = lines(
                        recorder(
                                toHost(roce(SEND_FIRST, QUEUE_PAIR, 100, new byte[1024])),
                                toHost(roce(SEND_MIDDLE, QUEUE_PAIR, 101, new byte[1024])),
                                toHost(roce(SEND_LAST, QUEUE_PAIR, 102, new byte[512]))),
                        "rdma")
                .get(0);

        assertEquals("SEND", message.get("rdma").asText());
        assertEquals(2560, message.get("bytes").asInt());
        assertEquals(3, message.get("packets").asInt());
        assertEquals(100, message.get("psn").asInt());
        assertEquals(QUEUE_PAIR, message.get("queuePair").asInt());
        assertFalse(message.has("content"), message::toString);
    }

    @Test
    void smallMessagesAreKeptLargerOnesAreNot() {
        List<JsonNode> messages = lines(
                recorder(
                        toCamera(roce(SEND_ONLY, QUEUE_PAIR, 1, hex("0102030405060708"))),
                        toCamera(roce(SEND_ONLY, QUEUE_PAIR, 2, new byte[132]))),
                "rdma");

        assertEquals("0102030405060708", messages.get(0).get("content").asText());
        assertFalse(messages.get(1).has("content"));
    }

    @Test
    void aWriteHasItsTargetAndItsImmediateData() {
        byte[] target = join(words(0x7F00, 0x12345678, 0x00000241, 8), words(0xCAFE));

        JsonNode message = lines(
                        recorder(toHost(roce(WRITE_ONLY_IMMEDIATE, QUEUE_PAIR, 5, join(target, new byte[8])))), "rdma")
                .get(0);

        assertEquals("WRITE", message.get("rdma").asText());
        assertEquals("0x00007F0012345678", message.get("address").asText());
        assertEquals("0x00000241", message.get("key").asText());
        assertEquals(8, message.get("length").asInt());
        assertEquals("0x0000CAFE", message.get("immediate").asText());
    }

    @Test
    void theHeaderOfAContainerIsShownWithoutWhatFollows() {
        ByteBuffer container = ByteBuffer.allocate(1024).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        container.put(0, "GNDC".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        container.put(4, (byte) 1).put(5, (byte) 1).putShort(8, (short) 0x1000).putInt(12, 64);
        container.putLong(16, 77).putShort(24, (short) 0x20).putLong(32, 900).putLong(40, 124);
        container.putInt(48, 124).putInt(52, 1);

        JsonNode gendc = lines(recorder(toHost(roce(SEND_ONLY, QUEUE_PAIR, 1, container.array()))), "rdma")
                .get(0)
                .get("gendc");

        assertEquals("1.1.0", gendc.get("version").asText());
        assertEquals(77, gendc.get("id").asInt());
        assertEquals(900, gendc.get("dataBytes").asInt());
        assertEquals(124, gendc.get("descriptorBytes").asInt());
        assertEquals("0x0020", gendc.get("variableFields").asText());
    }

    @Test
    void packetsThatAreSentAgainMakeNoSecondMessage() {
        TrafficRecorder recorder = recorder(
                toHost(roce(SEND_ONLY, QUEUE_PAIR, 0xFFFFFF, new byte[4])),
                toHost(roce(SEND_ONLY, QUEUE_PAIR, 0xFFFFFF, new byte[4])),
                toHost(roce(SEND_ONLY, QUEUE_PAIR, 0, new byte[4])));

        assertEquals(2, lines(recorder, "rdma").size());
        assertEquals(1, flow(recorder).get("packetsSentAgain").asInt());
        assertEquals(0, flow(recorder).get("gaps").asInt());
    }

    @Test
    void aMessageWithAMissingPacketIsNone() {
        TrafficRecorder recorder = recorder(
                toHost(roce(SEND_FIRST, QUEUE_PAIR, 1, new byte[256])),
                toHost(roce(SEND_LAST, QUEUE_PAIR, 3, new byte[256])),
                toHost(roce(SEND_ONLY, QUEUE_PAIR, 4, new byte[256])));

        assertEquals(1, lines(recorder, "rdma").size());
        assertEquals(1, flow(recorder).get("gaps").asInt());
    }

    @Test
    void aMessageThatBeganBeforeTheRecordingIsNone() {
        assertEquals(List.of(), lines(recorder(toHost(roce(SEND_LAST, QUEUE_PAIR, 3, new byte[256]))), "rdma"));
    }

    @Test
    void acknowledgementsAreCountedByTheirSyndrome() {
        TrafficRecorder recorder = recorder(
                toCamera(roce(ACKNOWLEDGE, QUEUE_PAIR, 1, words(0x1F000001))),
                toCamera(roce(ACKNOWLEDGE, QUEUE_PAIR, 2, words(0x1F000002))),
                toCamera(roce(ACKNOWLEDGE, QUEUE_PAIR, 3, words(0x2E000002))));

        assertEquals(
                "{\"0x1F\":2,\"0x2E\":1}",
                flow(recorder).get("acknowledgements").toString());
    }

    @Test
    void onlyTheFirstMessagesAreLinesAndAllAreCounted() {
        ByteBuffer[] packets = new ByteBuffer[1000];
        for (int i = 0; i < packets.length; i++) {
            packets[i] = toHost(roce(SEND_ONLY, QUEUE_PAIR, i, new byte[4 * (i % 100)]));
        }
        TrafficRecorder recorder = recorder(packets);

        assertEquals(256, lines(recorder, "rdma").size());
        assertEquals(1000, flow(recorder).get("messages").asInt());
        assertEquals(10, flow(recorder).get("messagesByBytes").get("0").asInt());
        assertEquals(360, flow(recorder).get("messagesByBytes").get("other").asInt());
    }

    @Test
    void aPacketThatIsCutAfterItsHeadersCountsWithItsWholeLength() {
        ByteBuffer whole = toHost(roce(SEND_ONLY, QUEUE_PAIR, 1, new byte[4096]));

        TrafficRecorder recorder = recorder(whole.slice(0, 640));

        assertEquals(4096, flow(recorder).get("payloadBytes").get("SEND_ONLY").asInt());
    }

    @Test
    void aPacketThatIsTooShortForItsHeadersIsCountedOnly() {
        List<ByteBuffer> packets = new ArrayList<>();
        ByteBuffer whole = toHost(roce(WRITE_ONLY_IMMEDIATE, QUEUE_PAIR, 1, new byte[24]));
        for (int length = 28; length < 28 + 12 + 20; length++) {
            packets.add(whole.slice(0, length));
        }
        TrafficRecorder recorder = recorder(packets.toArray(ByteBuffer[]::new));

        assertEquals(List.of(), lines(recorder, "flow"));
        assertEquals(
                packets.size(),
                lines(recorder, "sums")
                        .get(0)
                        .get("sums")
                        .get("malformedPackets")
                        .asInt());
        assertTrue(packets.size() > 10);
    }
}
