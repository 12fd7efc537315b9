package io.peregrine.rdma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.RdmaMode;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes and registers, written down by hand from the description of the mapping. */
class InterimMappingTest {
    private static final long A = 0xB000;
    private static final InetSocketAddress ENDPOINT = new InetSocketAddress("127.0.0.2", 7471);

    private final InterimMapping mapping = InterimMapping.at(A);
    private final Registers registers = new Registers();

    private static final class Registers implements RegisterAccess {
        final Map<Long, Integer> values = new HashMap<>(Map.of(A, 0x47565230, A + 4, 0, A + 8, 3, A + 12, 7471));
        final List<String> writes = new ArrayList<>();

        @Override
        public int read(long address) {
            return values.getOrDefault(address, 0);
        }

        @Override
        public void write(long address, int value) {
            writes.add(Long.toHexString(address) + "=" + Integer.toHexString(value));
            values.put(address, value);
        }
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static String text(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    // ---- registers

    @Test
    void markedDeviceOffersItsModes() {
        assertEquals(
                Set.of(RdmaMode.SEND, RdmaMode.WRITE), mapping.probe(registers).modes());
    }

    @ParameterizedTest
    @CsvSource({"0,0x47565231", "0,0", "4,1", "8,0", "8,4", "12,0"})
    void deviceThatIsNotQuiteMarkedIsNotUsable(long offset, String value) {
        registers.values.put(A + offset, Integer.decode(value));
        GvrspMapping.Probe probe = mapping.probe(registers);
        assertEquals(Set.of(), probe.modes());
        assertNotEquals("", probe.reason());
    }

    @Test
    void probingWritesNothing() {
        mapping.probe(registers);
        assertEquals(List.of(), registers.writes);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 0x0D00, 0x9FFC, 0xA002, 0xFFFF_FFFCL, 0x1_0000_0000L, -4})
    void markerInTheSpaceOfTheStandardIsRefused(long address) {
        assertThrows(RdmaException.class, () -> InterimMapping.at(address));
    }

    @Test
    void nonceIsWrittenBeforeTheMode() {
        long nonce = mapping.configure(registers, 1, RdmaMode.WRITE);
        assertEquals(
                List.of(
                        "b060=" + Integer.toHexString((int) (nonce >>> 32)),
                        "b064=" + Integer.toHexString((int) nonce),
                        "b050=2"),
                registers.writes);
    }

    @Test
    void anotherConnectionGetsANonceOfItsOwnAndNoOtherMode() {
        long nonce = mapping.renew(registers, 1);
        assertEquals(
                List.of(
                        "b060=" + Integer.toHexString((int) (nonce >>> 32)),
                        "b064=" + Integer.toHexString((int) nonce)),
                registers.writes);
    }

    @Test
    void everySessionHasANonceOfItsOwn() {
        assertNotEquals(mapping.configure(registers, 0, RdmaMode.SEND), mapping.configure(registers, 0, RdmaMode.SEND));
    }

    @Test
    void closingTurnsTheModeOff() {
        mapping.close(registers, 0);
        assertEquals(List.of("b010=0"), registers.writes);
    }

    @Test
    void droppedBlocksAreUnsigned() {
        registers.values.put(A + 0x14, -1);
        assertEquals(0xFFFF_FFFFL, mapping.blocksDropped(registers, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 0x10000})
    void impossiblePortIsRefused(int port) {
        registers.values.put(A + 12, port);
        assertThrows(RdmaException.class, () -> mapping.endpoint(registers, 0));
    }

    // ---- private data

    @Test
    void requestIsAsDescribed() {
        GvrspSession session = new GvrspSession(3, RdmaMode.WRITE, 0x1122334455667788L, ENDPOINT);
        assertEquals(
                text(bytes("47565230 0000 0300 0200 0500 0a000000 8877665544332211 0000000000000000")),
                text(mapping.requestPrivateData(session, 5, 10)));
    }

    @Test
    void paddedReplyIsRead() {
        byte[] reply = new byte[196];
        System.arraycopy(bytes("47565230 0000 0000 6c01000000000000"), 0, reply, 0, 16);
        assertEquals(364, mapping.parseReply(reply));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "47565230",
                "30525647 0000 0000 6c01000000000000",
                "47565230 0100 0000 6c01000000000000",
                "47565230 0000 0680 6c01000000000000",
                "47565230 0000 0000 0000000000000000",
                "47565230 0000 0000 00000000000000ff"
            })
    void replyThatIsNoneIsRefused(String hex) {
        byte[] reply = bytes(hex);
        assertThrows(RdmaException.class, () -> mapping.parseReply(reply));
    }

    @ParameterizedTest
    @CsvSource({"0680,nonce", "0280,flow count", "0780,busy", "0180,0x8001"})
    void rejectionIsToldInWords(String status, String word) {
        ConnectionRejectedException rejection =
                new ConnectionRejectedException("no", 28, bytes("47565230" + status + "0000"));
        assertTrue(mapping.explain(rejection).getMessage().contains(word));
    }

    @Test
    void rejectionByOthersIsToldToo() {
        assertTrue(mapping.explain(new ConnectionRejectedException("nobody is there", 8, new byte[148]))
                .getMessage()
                .contains("nobody is there"));
    }

    // ---- messages

    private record Flow(RdmaMemory memory, long remoteAddress, int remoteKey) implements MemoryRegion {
        @Override
        public void close() {}
    }

    private static Flow flow(int length, long address, int key) {
        return new Flow(RdmaMemory.of(ByteBuffer.allocateDirect(length)), address, key);
    }

    private byte[] announcement(RdmaMode mode, MemoryRegion... flows) {
        ByteBuffer target = ByteBuffer.allocate(mapping.announcementBytes(mode, flows.length));
        mapping.announcement(target, mode, 0x01020304, flows);
        assertEquals(0, target.remaining());
        return target.array();
    }

    @Test
    void announcementForSendsIsACredit() {
        assertArrayEquals(bytes("04030201 0000 0000"), announcement(RdmaMode.SEND, flow(8, 1, 2), flow(8, 3, 4)));
    }

    @Test
    void announcementForWritesTellsWhere() {
        assertEquals(
                text(bytes("04030201 0200 0000"
                        + "8877665544332211 04030201 00000000 0800000000000000"
                        + "0100000000000080 ffffffff 00000000 0005000000000000")),
                text(announcement(
                        RdmaMode.WRITE,
                        flow(8, 0x1122334455667788L, 0x01020304),
                        flow(0x500, 0x8000000000000001L, -1))));
    }

    @Test
    void flowsThatAreSentNeedNoOtherMessages() {
        assertEquals(0, mapping.messageBytes(RdmaMode.SEND, 5));
    }

    private static final class Recorded implements GvrspEvents {
        final List<String> events = new ArrayList<>();

        @Override
        public void flowDone(long setId, int flow, long lengthBytes) {
            events.add("flow " + setId + " " + flow + " " + lengthBytes);
        }

        @Override
        public void blockReported(long setId, int status, long blockId, long totalBytes, long blocksDropped) {
            events.add("report " + setId + " " + status + " " + blockId + " " + totalBytes + " " + blocksDropped);
        }

        @Override
        public void blockDone(long setId) {
            events.add("done " + setId);
        }

        @Override
        public void broken(String reason) {
            events.add("broken");
        }
    }

    private List<String> message(String hex) {
        byte[] bytes = bytes(hex);
        Recorded recorded = new Recorded();
        mapping.onMessage(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), bytes.length, 2, recorded);
        return recorded.events;
    }

    @Test
    void endOfABlockIsRead() {
        assertEquals(
                List.of("flow 1 0 300", "flow 1 1 64", "report 1 0 7 364 5", "done 1"),
                message("01000000 0000 0200 0700000000000000 6c01000000000000 0500000000000000"
                        + "2c01000000000000 4000000000000000"));
    }

    @Test
    void lengthBeyond63BitsStaysBeyondEveryFlow() {
        assertEquals(
                "flow 4294967295 0 " + Long.MAX_VALUE,
                message("ffffffff 0000 0200 0700000000000000 6c01000000000000 0500000000000000"
                                + "ffffffffffffffff 4000000000000000")
                        .get(0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "01000000",
                "01000000 0000 0200 0700000000000000 6c01000000000000 0500000000000000 2c01000000000000",
                "01000000 0000 0300 0700000000000000 6c01000000000000 0500000000000000 2c01000000000000"
                        + " 4000000000000000"
            })
    void messageOfAnotherShapeBreaksTheProtocol(String hex) {
        assertEquals(List.of("broken"), message(hex));
    }

    @Test
    void lastFlowEndsTheBlockThatIsSent() {
        Recorded recorded = new Recorded();
        mapping.onFlow(4, 0, 2, 300, recorded);
        mapping.onFlow(4, 1, 2, 0, recorded);
        assertEquals(List.of("flow 4 0 300", "flow 4 1 0", "done 4"), recorded.events);
    }
}
