package io.peregrine.rocev2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Messages of the connection manager laid out byte by byte from the tables of the InfiniBand architecture. */
class CmMessageLayoutTest {
    private static final int BODY = 24;

    /** A datagram with its header; the rest is zero. */
    private static ByteBuffer mad(int attribute) {
        ByteBuffer mad = ByteBuffer.allocate(256);
        // Base version, class, class version, method; transaction id; attribute.
        return mad.putInt(0, 0x01070203).putLong(8, 0x1122334455667788L).putShort(16, (short) attribute);
    }

    /** A datagram whose message begins with the ids of both sides. */
    private static ByteBuffer withIds(int attribute) {
        return mad(attribute).putInt(BODY, 0xA1A2A3A4).putInt(BODY + 4, 0xB1B2B3B4);
    }

    private static CmMessage read(ByteBuffer mad) {
        assertTrue(CmMessage.fits(mad, 0, 256));
        return CmMessage.decode(mad, 0).orElseThrow();
    }

    private static ByteBuffer request() {
        ByteBuffer mad = mad(0x10).putInt(BODY, 0xA1A2A3A4);
        // Port space TCP, port 7000; GUID; queue pair and reads to serve, reads to ask for.
        mad.putLong(BODY + 8, 0x01061B58).putLong(BODY + 16, 0x0102030405060708L);
        mad.putInt(BODY + 32, 0x000013_02).put(BODY + 39, (byte) 3);
        // Response timeout of the asked side, reliable; sequence number, own response timeout, 6 retries.
        mad.put(BODY + 43, (byte) (20 << 3)).putInt(BODY + 44, 0x123456 << 8 | 21 << 3 | 6);
        // Partition, path MTU of 4096, 5 retries for lack of a receive, 15 of the connection manager.
        mad.putShort(BODY + 48, (short) 0xFFFF).put(BODY + 50, (byte) 0x55).put(BODY + 51, (byte) 0xF0);
        return mad;
    }

    @Test
    void requestToConnect() {
        CmReq req = (CmReq) read(request());

        assertEquals(0x1122334455667788L, req.header().transactionId());
        assertEquals(0xA1A2A3A4, req.localId());
        assertTrue(req.isTcpPort());
        assertEquals(7000, req.port());
        assertEquals(0x0102030405060708L, req.caGuid());
        assertEquals(0x13, req.queuePairNumber());
        assertEquals(2, req.responderResources());
        assertEquals(3, req.initiatorDepth());
        assertEquals(20, req.remoteResponseTimeout());
        assertEquals(0, req.transportType());
        assertFalse(req.flowControl());
        assertEquals(0x123456, req.startingPsn());
        assertEquals(21, req.localResponseTimeout());
        assertEquals(6, req.retryCount());
        assertEquals(0xFFFF, req.partitionKey());
        assertEquals(5, req.pathMtuCode());
        assertEquals(5, req.rnrRetryCount());
        assertEquals(15, req.maxRetries());
        assertFalse(req.sharedReceiveQueue());
        assertEquals(CmPath.NONE, req.alternate());
    }

    @Test
    void transportOfARequest() {
        CmReq req = (CmReq) read(request().put(BODY + 43, (byte) (3 << 1 | 1)));

        assertEquals(0, req.remoteResponseTimeout());
        assertEquals(3, req.transportType());
        assertTrue(req.flowControl());
    }

    @Test
    void pathOfARequest() {
        ByteBuffer mad = request();
        // LIDs; GIDs ::ffff:10.0.0.1 and ::ffff:10.0.0.2.
        mad.putInt(BODY + 52, 0xFFFFEEEE);
        mad.putLong(BODY + 64, 0x0000FFFF_0A000001L).putLong(BODY + 80, 0x0000FFFF_0A000002L);
        // Flow label, 6 reserved bits, packet rate; traffic class, hop limit, service level, acknowledge timeout.
        mad.putInt(BODY + 88, 0xABCDE << 12 | 7).putInt(BODY + 92, 0x2040_5000 | 19 << 3);
        CmPath path = ((CmReq) read(mad)).primary();

        assertEquals(0xFFFF, path.localLid());
        assertEquals(0xEEEE, path.remoteLid());
        assertEquals("::ffff:10.0.0.1", path.localGid().toString());
        assertEquals("::ffff:10.0.0.2", path.remoteGid().toString());
        assertEquals(0xABCDE, path.flowLabel());
        assertEquals(7, path.packetRate());
        assertEquals(0x20, path.trafficClass());
        assertEquals(64, path.hopLimit());
        assertEquals(5, path.serviceLevel());
        assertFalse(path.subnetLocal());
        assertEquals(19, path.ackTimeoutExponent());
    }

    @Test
    void addressesAndPrivateDataOfARequest() {
        ByteBuffer mad = request();
        // Version 0, IPv4, port; addresses in the last four of 16 bytes.
        mad.putInt(BODY + 140, 0x0040C123).putInt(BODY + 140 + 16, 0x0A000001).putInt(BODY + 140 + 32, 0x0A000002);
        mad.put(BODY + 176, "hello".getBytes(StandardCharsets.US_ASCII));
        CmReq req = (CmReq) read(mad);

        assertEquals(CmAddress.ipv4(0xC123, 0x0A000001, 0x0A000002), req.address());
        assertEquals(56, req.userData().length);
        assertEquals("hello", new String(req.userData(), 0, 5, StandardCharsets.US_ASCII));
    }

    @Test
    void replyToARequest() {
        ByteBuffer mad = withIds(0x13).putInt(BODY + 12, 0x000014 << 8).putInt(BODY + 20, 0x654321 << 8);
        // Reads to serve and to ask for, acknowledge delay, retries for lack of a receive; GUID.
        mad.putInt(BODY + 24, 0x0203_00C0 | 15 << 11).putLong(BODY + 28, 0x1112131415161718L);
        CmRep rep = (CmRep) read(mad.put(BODY + 36, (byte) 0x77));

        assertEquals(0xA1A2A3A4, rep.localId());
        assertEquals(0xB1B2B3B4, rep.remoteId());
        assertEquals(0x14, rep.queuePairNumber());
        assertEquals(0x654321, rep.startingPsn());
        assertEquals(2, rep.responderResources());
        assertEquals(3, rep.initiatorDepth());
        assertEquals(15, rep.ackDelay());
        assertEquals(0, rep.failover());
        assertEquals(6, rep.rnrRetryCount());
        assertEquals(0x1112131415161718L, rep.caGuid());
        assertEquals("[77]", rep.privateData().toString());
    }

    @Test
    void readyToUse() {
        assertEquals(
                "RTU local id a1a2a3a4 remote id b1b2b3b4 [77]",
                read(withIds(0x14).put(BODY + 8, (byte) 0x77)).toString());
    }

    @Test
    void requestToDisconnect() {
        assertEquals(
                "DREQ local id a1a2a3a4 remote id b1b2b3b4 queue pair 000013 [77]",
                read(withIds(0x15).putInt(BODY + 8, 0x13 << 8).put(BODY + 12, (byte) 0x77))
                        .toString());
    }

    @Test
    void replyToARequestToDisconnect() {
        assertEquals(
                "DREP local id a1a2a3a4 remote id b1b2b3b4 [77]",
                read(withIds(0x16).put(BODY + 8, (byte) 0x77)).toString());
    }

    @Test
    void refusal() {
        // About a reply; 16 bytes of information; reason; information and private data.
        ByteBuffer mad = withIds(0x12).putInt(BODY + 8, 0x40_20_000C).put(BODY + 12, (byte) 0xFE);
        CmRej rej = (CmRej) read(mad.put(BODY + 84, (byte) 0x77));

        assertEquals(
                "REJ local id a1a2a3a4 remote id b1b2b3b4 reason 12 about 1 information [fe] [77]", rej.toString());
        assertEquals(16, rej.informationBytes());
    }

    @Test
    void messageReceived() {
        // About a reply; the answer comes within time code 24.
        assertEquals(
                "MRA local id a1a2a3a4 remote id b1b2b3b4 about 1 service timeout 24 [77]",
                read(withIds(0x11)
                                .put(BODY + 8, (byte) 0x40)
                                .put(BODY + 9, (byte) (24 << 3))
                                .put(BODY + 10, (byte) 0x77))
                        .toString());
    }
}
