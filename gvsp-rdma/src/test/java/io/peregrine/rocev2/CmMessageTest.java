package io.peregrine.rocev2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CmMessageTest {
    private static final int MAD_OFFSET = 48;
    private static final int TO_CM_BYTES = MAD_OFFSET + CmMessage.LENGTH_BYTES + 4;
    private static final int UD_SEND_ONLY = 0x64;

    @Test
    void everyCapturedMessageIsWrittenAsItWasRead() {
        Map<String, Integer> seen = new TreeMap<>();
        for (byte[] mad : captured()) {
            CmMessage message = decode(mad);
            seen.merge(message.getClass().getSimpleName().substring("Cm".length()), 1, Integer::sum);
            assertArrayEquals(mad, encode(message), message::toString);
        }
        assertEquals("[Drep, Dreq, Mra, Rej, Rep, Req, Rtu]", seen.keySet().toString());
    }

    @Test
    void requestOfLinux() {
        CmReq req = (CmReq) golden("01-cm-req");
        assertEquals(0x00000002d03ae546L, req.header().transactionId());
        assertEquals(0x46e53ad0, req.localId());
        assertTrue(req.isTcpPort());
        assertEquals(7174, req.port());
        assertEquals(0xc45cf4fffe70389bL, req.caGuid());
        assertEquals(0x13, req.queuePairNumber());
        assertEquals(1, req.responderResources());
        assertEquals(1, req.initiatorDepth());
        assertEquals(20, req.remoteResponseTimeout());
        assertEquals(20, req.localResponseTimeout());
        assertEquals(0x428ee7, req.startingPsn());
        assertEquals(7, req.retryCount());
        assertEquals(0xFFFF, req.partitionKey());
        assertEquals(5, req.pathMtuCode());
        assertEquals(7, req.rnrRetryCount());
        assertEquals(15, req.maxRetries());
        assertEquals("::ffff:10.10.0.1", req.primary().localGid().toString());
        assertEquals("::ffff:10.20.0.1", req.primary().remoteGid().toString());
        assertEquals(0xc43c4, req.primary().flowLabel());
        assertEquals(64, req.primary().hopLimit());
        assertEquals(19, req.primary().ackTimeoutExponent());
        assertEquals(CmPath.NONE, req.alternate());
        assertEquals(CmAddress.ipv4(0xe882, 0x0a0a0001, 0x0a140001), req.address());
    }

    @Test
    void privateDataOfARequestFollowsItsAddresses() {
        CmReq req = (CmReq) golden("06-cm-req-user");
        assertEquals("hello", new String(req.userData(), StandardCharsets.US_ASCII).replace("\0", ""));
        assertEquals(CmReq.USER_DATA_BYTES, req.userData().length);
        assertEquals(req.privateData(), req.address().with("hello".getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void replyOfLinux() {
        CmRep rep = (CmRep) golden("02-cm-rep");
        assertEquals(0x45e53ad0, rep.localId());
        assertEquals(0x46e53ad0, rep.remoteId());
        assertEquals(0x13, rep.queuePairNumber());
        assertEquals(0x2cba5d, rep.startingPsn());
        assertEquals(15, rep.ackDelay());
        assertEquals(7, rep.rnrRetryCount());
        assertEquals(0x20a177fffea948afL, rep.caGuid());
    }

    @Test
    void readyToUseOfLinux() {
        CmMessage rtu = golden("03-cm-rtu");
        assertEquals("RTU local id 46e53ad0 remote id 45e53ad0 []", rtu.toString());
    }

    @Test
    void disconnectRequestOfLinux() {
        CmMessage dreq = golden("04-cm-dreq");
        assertEquals("DREQ local id 46e53ad0 remote id 45e53ad0 queue pair 000013 []", dreq.toString());
    }

    @Test
    void disconnectReplyOfLinux() {
        CmMessage drep = golden("05-cm-drep");
        assertEquals("DREP local id 45e53ad0 remote id 46e53ad0 []", drep.toString());
    }

    @Test
    void refusalsOfLinux() {
        assertEquals(
                "REJ local id 00000000 remote id 4e354ea7 reason 8 about 0 information [] []",
                golden("08-cm-rej-8").toString());
        assertEquals(
                "REJ local id 00000000 remote id 4e354ea9 reason 12 about 0 information"
                        + " [fe8000000000000004c838fffe2f0e72] []",
                golden("10-cm-rej-12").toString());
        assertEquals(
                "REJ local id 9fe77bf7 remote id 00000000 reason 4 about 2 information [80371dfffefed141] []",
                golden("12-cm-rej-4").toString());
    }

    @Test
    void lengthOfTheInformationOfARefusal() {
        assertEquals(16, ((CmRej) golden("10-cm-rej-12")).informationBytes());
    }

    @Test
    void messageReceivedOfLinux() {
        assertEquals(
                "MRA local id eabf3f81 remote id 40dfe4aa about 0 service timeout 24 []",
                golden("13-cm-mra").toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16})
    void everyBitIsKept(int attribute) {
        Random random = new Random(attribute);
        for (int round = 0; round < 200; round++) {
            byte[] mad = randomMad(random, attribute);
            assertArrayEquals(mad, encode(decode(mad)));
        }
    }

    @Test
    void otherMessagesOfTheConnectionManagerAreEmpty() {
        byte[] mad = randomMad(new Random(1), 0x17);
        assertTrue(CmMessage.fits(ByteBuffer.wrap(mad), 0, mad.length));
        assertTrue(CmMessage.decode(ByteBuffer.wrap(mad), 0).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void anotherVersionClassOrMethodDoesNotFit(int offset) {
        byte[] mad = randomMad(new Random(1), 0x10);
        mad[offset] ^= 1;
        assertFalse(CmMessage.fits(ByteBuffer.wrap(mad), 0, mad.length));
    }

    @Test
    void anotherLengthDoesNotFit() {
        byte[] mad = Arrays.copyOf(randomMad(new Random(1), 0x10), 300);
        assertFalse(CmMessage.fits(ByteBuffer.wrap(mad), 0, 200));
        assertFalse(CmMessage.fits(ByteBuffer.wrap(mad), 0, 260));
        assertFalse(CmMessage.fits(ByteBuffer.wrap(mad), 100, 256));
    }

    @Test
    void byteOrderAndPositionOfTheBufferDoNotMatter() {
        byte[] mad = randomMad(new Random(5), 0x10);
        ByteBuffer packet = ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN);
        packet.put(77, mad).position(300);
        CmMessage message = CmMessage.decode(packet, 77).orElseThrow();
        assertEquals(decode(mad), message);
        ByteBuffer out = ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN).position(300);
        message.encode(out, 33);
        assertArrayEquals(mad, Arrays.copyOfRange(out.array(), 33, 33 + 256));
    }

    @Test
    void aFieldThatCannotHoldItsValueIsRefused() {
        CmBytes none = CmBytes.padded(new byte[0], CmDreq.PRIVATE_DATA_BYTES);
        CmHeader header = CmHeader.of(CmMessage.ATTRIBUTE_DREQ, 1);
        assertThrows(IllegalArgumentException.class, () -> new CmDreq(header, 1, 2, 1 << 24, 0, none));
    }

    @Test
    void tooMuchPrivateDataIsRefused() {
        CmAddress address = CmAddress.ipv4(1, 2, 3);
        assertThrows(IllegalArgumentException.class, () -> address.with(new byte[57]));
    }

    private static byte[] randomMad(Random random, int attribute) {
        byte[] mad = new byte[CmMessage.LENGTH_BYTES];
        random.nextBytes(mad);
        ByteBuffer.wrap(mad).putInt(0, 0x01070203).putShort(16, (short) attribute);
        return mad;
    }

    private static List<byte[]> captured() {
        List<byte[]> mads = new ArrayList<>();
        for (Path capture : Pcap.files()) {
            for (byte[] packet : Pcap.ipv4Packets(capture)) {
                if (packet[28] == UD_SEND_ONLY && packet.length == TO_CM_BYTES) {
                    mads.add(mad(packet));
                }
            }
        }
        return mads;
    }

    private static CmMessage golden(String name) {
        return decode(mad(Pcap.hex(Pcap.file("golden/" + name + ".hex"))));
    }

    private static byte[] mad(byte[] packet) {
        return Arrays.copyOfRange(packet, MAD_OFFSET, MAD_OFFSET + CmMessage.LENGTH_BYTES);
    }

    private static CmMessage decode(byte[] mad) {
        ByteBuffer packet = ByteBuffer.wrap(mad);
        assertTrue(CmMessage.fits(packet, 0, mad.length));
        return CmMessage.decode(packet, 0).orElseThrow();
    }

    private static byte[] encode(CmMessage message) {
        ByteBuffer mad = ByteBuffer.allocate(CmMessage.LENGTH_BYTES);
        Arrays.fill(mad.array(), (byte) 0x55);
        message.encode(mad, 0);
        return mad.array();
    }
}
