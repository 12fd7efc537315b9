package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gendc.GenDcContainer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StreamTest {
    private static final int MONO8 = 0x01080001;

    private static ScenarioBuilder scenario() {
        return Scenario.builder().bindAddress("127.30.2.1").port(0).size(64, 32).frameRate(200);
    }

    private VirtualCamera camera;
    private Client client;

    /** Starts a camera, and a client without control, in place of those before. */
    private void start(ScenarioBuilder scenario) throws IOException {
        stop();
        camera = VirtualCamera.start(scenario.build());
        client = new Client(camera);
    }

    /** Starts the acquisition of a single frame. */
    private void acquireOne() throws IOException {
        client.write(0xA080, 1);
        client.start();
    }

    /** Starts a finite acquisition. */
    private void acquire(int frames) throws IOException {
        client.write(0xA080, 2);
        client.write(0xA090, frames);
        client.start();
    }

    @AfterEach
    void stop() {
        if (client != null) {
            client.close();
        }
        if (camera != null) {
            camera.close();
        }
    }

    private static String hex(ByteBuffer packet, int from, int to) {
        byte[] part = new byte[to - from];
        packet.get(from, part);
        return HexFormat.of().formatHex(part);
    }

    @Test
    void anImageIsALeaderDataAndATrailer() throws Exception {
        start(scenario());
        client.openStream(1036); // 1000 bytes of data a packet
        client.write(0xA080, 1);
        assertEquals(5, client.read(0x0D30), "packets of a block");
        assertEquals(2048, client.read(0x0D38), "bytes of a block");
        client.start();

        ByteBuffer leader = client.packet();
        assertEquals(8 + 36, leader.remaining());
        assertEquals("0000" + "0001" + "01" + "000000" + "0000" + "0001", hex(leader, 0, 12));
        assertTrue(leader.getLong(12) > 0, "timestamp");
        assertEquals(
                "01080001" + "00000040" + "00000020" + "00000000" + "00000000" + "0000" + "0000", hex(leader, 20, 44));

        ByteBuffer image = ByteBuffer.allocate(2048);
        for (int id = 1; id <= 3; id++) {
            ByteBuffer data = client.packet();
            assertEquals("0000" + "0001" + "03" + "00000" + id, hex(data, 0, 8));
            image.put(data.position(8));
        }
        assertEquals(0, image.remaining());
        assertEquals(0, TestPattern.countBadBytes(1, MONO8, 1, 64, 32, image.flip()));

        ByteBuffer trailer = client.packet();
        assertEquals("0000" + "0001" + "02" + "000004" + "0000" + "0001" + "00000020", hex(trailer, 0, 16));
        assertEquals(16, trailer.remaining());
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)), "a single frame");
    }

    @Test
    void extendedIdsHaveTwentyByteHeaders() throws Exception {
        start(scenario());
        client.openStream(1048);
        client.write(0x0960, 0x40000000);
        acquireOne();
        assertEquals("0000" + "0000" + "81" + "000000" + "0000000000000001" + "00000000", hex(client.packet(), 0, 20));
        ByteBuffer data = client.packet();
        assertEquals("0000" + "0000" + "83" + "000000" + "0000000000000001" + "00000001", hex(data, 0, 20));
        assertEquals(1020, data.remaining());
    }

    @Test
    void sixteenBitBlockIdsSkipZero() throws Exception {
        start(scenario().firstBlockId(65534));
        client.openStream(8000);
        acquire(4);
        List<Integer> ids = new ArrayList<>();
        while (ids.size() < 4) {
            ByteBuffer packet = client.packet();
            if (packet.get(4) == 1) {
                ids.add(packet.getShort(2) & 0xFFFF);
            }
        }
        assertEquals(List.of(65534, 65535, 1, 2), ids);
    }

    @Test
    void softwareTriggersMakeFrames() throws Exception {
        start(scenario());
        client.openStream(8000);
        client.write(0xA0AC, 1);
        client.start();
        client.write(0xA0B4, 1);
        client.write(0xA0B4, 1);
        for (int block = 1; block <= 2; block++) {
            for (int i = 0; i < 3; i++) {
                assertEquals(block, client.packet().getShort(2));
            }
        }
        client.stop();
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        // A block counts once its last packet has left, which the client may see first.
        assertEquals(2, camera.statistics().blocksSent());
    }

    private void assertBlock(int block) throws IOException {
        for (int i = 0; i < 3; i++) {
            assertEquals(block, client.packet().getShort(2));
        }
    }

    @Test
    void theTriggerModeChangesWhileAcquiring() throws Exception {
        start(scenario());
        client.openStream(8000);
        client.write(0xA0AC, 1);
        client.start();
        client.write(0xA0B4, 1);
        assertBlock(1);
        client.write(0xA0AC, 0);
        assertBlock(2);
        assertBlock(3);
    }

    @Test
    void aTriggerBeforeTheTriggerModeIsOnStartsNothing() throws Exception {
        start(scenario().frameRate(0.1));
        client.openStream(8000);
        client.start();
        assertBlock(1);
        client.write(0xA0B4, 1);
        client.write(0xA0AC, 1);
        client.write(0xA0B4, 1);
        assertBlock(2);
        client.stop();
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        assertEquals(2, camera.statistics().blocksSent());
    }

    @Test
    void theEdgeThatIsChosenOfTheLineThatIsChosenTriggers() throws Exception {
        start(scenario());
        client.openStream(8000);
        client.write(0xA0AC, 1);
        client.write(0xA0B0, 4); // Line1
        client.start();
        camera.setLine(0, true);
        camera.setLine(1, true);
        assertBlock(1);
        assertEquals(3, client.read(0xA13C), "levels of both lines");
        client.write(0xA0E8, 1); // FallingEdge
        camera.setLine(1, false);
        assertBlock(2);
        client.write(0xA0E8, 2); // AnyEdge
        camera.setLine(1, true);
        camera.setLine(1, true);
        camera.setLine(1, false);
        assertBlock(3);
        assertBlock(4);
        client.stop();
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        assertEquals(4, camera.statistics().blocksSent());
    }

    @Test
    void aPacketThatIsSentAgainNeedNotSaySo() throws Exception {
        start(scenario().markResentPackets(false));
        client.openStream(8000);
        acquireOne();
        assertBlock(1);
        client.send("42 00 0040 000c 0009 0000 0001 00000001 00000001");
        assertEquals("0000" + "0001" + "03" + "000001", hex(client.packet(), 0, 8));
    }

    @Test
    void theBlocksOfAQuarterOfASecondAreKept() throws Exception {
        start(scenario().frameRate(160));
        client.openStream(8000);
        acquire(41);
        for (int block = 1; block <= 41; block++) {
            assertBlock(block);
        }
        client.send("42 00 0040 000c 0009 0000 0001 00000001 00000001");
        assertEquals("800c" + "0001", hex(client.packet(), 0, 4));
        client.send("42 00 0040 000c 0009 0000 0002 00000001 00000001");
        assertEquals("0100" + "0002", hex(client.packet(), 0, 4));
    }

    @Test
    void aPacketIsSentAgainOnRequest() throws Exception {
        start(scenario());
        client.openStream(1036);
        acquireOne();
        List<ByteBuffer> packets = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            packets.add(client.packet());
        }
        client.send("42 00 0040 000c 0009 0000 0001 00000002 00ffffff");
        for (int id = 2; id <= 4; id++) {
            ByteBuffer again = client.packet();
            assertEquals("0100" + "0001" + (id == 4 ? "02" : "03") + "00000" + id, hex(again, 0, 8));
            ByteBuffer first = packets.get(id);
            assertEquals(hex(first, 8, first.limit()), hex(again, 8, again.limit()), "packet " + id);
        }
        client.send("42 00 0040 000c 0009 0000 0777 00000002 00000002");
        assertEquals("800c" + "0777" + "03" + "000002", hex(client.packet(), 0, 8));
    }

    @Test
    void aPacketWithExtendedIdsIsSentAgainWithItsFlag() throws Exception {
        start(scenario());
        client.openStream(8000);
        client.write(0x0960, 0x40000000);
        acquireOne();
        for (int i = 0; i < 3; i++) {
            client.packet();
        }
        client.send("42 10 0040 0014 0009 0000 0000 00000001 00000001 0000000000000001");
        assertEquals("0000" + "0001" + "83" + "000000" + "0000000000000001" + "00000001", hex(client.packet(), 0, 20));
        client.send("42 10 0040 0014 0009 0000 0000 00000001 00000001 0000000100000001");
        assertEquals("800c" + "0000" + "83" + "000000" + "0000000100000001" + "00000001", hex(client.packet(), 0, 20));
    }

    @Test
    void lossesFollowFromTheSeed() throws Exception {
        List<String> once = lossyRun(5);
        assertEquals(once, lossyRun(5));
        assertNotEquals(once, lossyRun(6));
        assertTrue(once.size() < 20 * 34, "some packets are missing");
    }

    private List<String> lossyRun(long seed) throws IOException, InterruptedException {
        List<String> seen = new ArrayList<>();
        start(scenario());
        camera.faults().seed(seed).lossPerMille(200).reorderPerMille(50).duplicatePerMille(50);
        client.openStream(220);
        acquire(20);
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(20)));
        long sent = camera.statistics().packetsSent();
        for (long i = 0; i < sent; i++) {
            seen.add(hex(client.packet(), 2, 8));
        }
        return seen;
    }

    @Test
    void aStalledBlockEndsInItsMiddle() throws Exception {
        start(scenario());
        camera.faults().stallEveryBlocks(2);
        client.openStream(1036);
        acquire(3);
        StringBuilder formats = new StringBuilder();
        for (int i = 0; i < 5 + 2 + 5; i++) {
            formats.append(client.packet().get(4));
        }
        assertEquals("13332" + "13" + "13332", formats.toString());
    }

    @Test
    void genDcFillsTheFlowsItAnnounced() throws Exception {
        start(scenario().flows(Scenario.Flows.PER_COMPONENT));
        client.openStream(1064); // 1000 bytes of data a packet
        client.write(0x0D24, 0x80);
        assertEquals(1, client.read(0xA10C), "GenDCStreamingStatus");
        assertEquals(0x40000000, client.read(0x0960), "GenDC needs extended ids");
        ByteBuffer bootstrap = ByteBuffer.wrap(client.readMemory(client.read(0x0D3C), 16));
        byte[] prefetch = client.readMemory(bootstrap.getInt(0), bootstrap.getInt(4));
        ByteBuffer flowTable = ByteBuffer.wrap(client.readMemory(bootstrap.getInt(8), bootstrap.getInt(12)))
                .order(ByteOrder.LITTLE_ENDIAN);
        int descriptorBytes = prefetch.length;
        assertEquals(80 + 3 * (56 + 56), descriptorBytes);
        assertEquals("00700000" + "28000000" + "0100" + "0000" + "03000000", hex(flowTable, 0, 16));
        long[] flowBytes = {descriptorBytes + 2048, 4096, 2048};
        for (int flow = 0; flow < 3; flow++) {
            assertEquals(flowBytes[flow], flowTable.getLong(16 + 8 * flow));
        }
        int containerBytes = descriptorBytes + 2048 + 4096 + 2048;
        assertEquals(containerBytes, client.read(0xA104), "PayloadSize");
        acquireOne();

        ByteBuffer leader = client.packet();
        assertEquals("0000" + "0000" + "81" + "000000" + "0000000000000001" + "00000000", hex(leader, 0, 20));
        assertEquals("0000" + "000b", hex(leader, 20, 24));
        assertEquals(containerBytes, leader.getLong(32));
        assertEquals(0, leader.get(40), "no preliminary descriptor");
        assertEquals(descriptorBytes, leader.getInt(44));
        assertEquals(48, leader.remaining());

        byte[][] flows = {new byte[(int) flowBytes[0]], new byte[4096], new byte[2048]};
        StringBuilder flags = new StringBuilder();
        int packetId = 1;
        ByteBuffer packet = client.packet();
        while (packet.get(4) == (byte) 0x88) {
            assertEquals(packetId++, packet.getInt(16));
            int bytes = packet.getInt(20);
            assertEquals(packet.remaining() - 36, bytes);
            int flow = packet.getShort(34);
            packet.get(36, flows[flow], (int) packet.getLong(24), bytes);
            flags.append(hex(packet, 32, 36)).append(' ');
            packet = client.packet();
        }
        // Descriptor: final, start, end; first of flow 0. Then 3 packets of intensity, 5 of range, 3 of confidence.
        assertEquals(
                "70800000 00000000 00000000 00400000 "
                        + "00800001 00000001 00000001 00000001 00400001 "
                        + "00800002 00000002 00400002 ",
                flags.toString());
        assertEquals("82", hex(packet, 4, 5));
        assertEquals("0000" + "000b", hex(packet, 20, 24));
        assertEquals(24, packet.remaining());

        byte[] sent = Arrays.copyOf(flows[0], descriptorBytes);
        ByteBuffer descriptor = ByteBuffer.wrap(sent).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(0x43444E47, descriptor.getInt(0));
        assertEquals(1, descriptor.getLong(16), "container id");
        assertEquals(0, descriptor.getShort(24), "final");
        assertEquals(0x20, prefetch[24], "the timestamp may change");
        for (int component = 0; component < 3; component++) {
            int at = (int) descriptor.getLong(56 + 8 * component);
            assertEquals(leader.getLong(24), descriptor.getLong(at + 24), "timestamp");
            descriptor.putLong(at + 24, 0);
        }
        descriptor.putLong(16, 0);
        descriptor.put(24, (byte) 0x20);
        assertArrayEquals(prefetch, sent);

        ByteBuffer intensity = ByteBuffer.wrap(flows[0], descriptorBytes, 2048);
        assertEquals(0, TestPattern.countBadBytes(1, MONO8, 1, 64, 32, intensity));
        assertEquals(0, TestPattern.countBadBytes(4, 0x011000B8, 1, 64, 32, ByteBuffer.wrap(flows[1])));
        assertEquals(0, TestPattern.countBadBytes(6, 0x010800C6, 1, 64, 32, ByteBuffer.wrap(flows[2])));
    }

    @Test
    void oneFlowHoldsTheWholeContainer() throws Exception {
        start(scenario().pixelFormat("Mono16").genDcMode(Scenario.GenDcMode.ON));
        client.openStream(600);
        acquireOne();
        ByteBuffer container = ByteBuffer.allocate((int) client.packet().getLong(32));
        int missing = container.capacity();
        ByteBuffer packet = client.packet();
        while (packet.get(4) == (byte) 0x88) {
            assertEquals(0, packet.getShort(34), "flow");
            byte[] data = new byte[packet.getInt(20)];
            packet.get(36, data);
            container.put((int) packet.getLong(24), data);
            missing -= data.length;
            packet = client.packet();
        }
        assertEquals(0, missing);
        GenDcContainer parsed = GenDcContainer.parse(container);
        assertEquals(List.of(), parsed.problems());
        assertEquals(3, parsed.components().size());
        long[] types = {1, 4, 6};
        int[] formats = {0x01100007, 0x011000B8, 0x010800C6};
        for (int i = 0; i < 3; i++) {
            var component = parsed.components().get(i);
            assertEquals(types[i], component.typeId());
            assertEquals(formats[i], component.format());
            var part = component.parts().get(0);
            ByteBuffer data = container.slice((int) part.dataOffset(), (int) part.dataSize());
            assertEquals(0, TestPattern.countBadBytes(types[i], formats[i], 1, 64, 32, data));
        }
    }

    @Test
    void closingLeavesNoThreadAndNoSocket() throws Exception {
        Scenario scenario = scenario().bindAddress("127.30.2.9").port(3956).build();
        for (int run = 0; run < 2; run++) {
            try (VirtualCamera camera = VirtualCamera.start(scenario);
                    Client client = new Client(camera)) {
                client.openStream(8000);
                client.start();
                client.packet();
            }
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                assertFalse(thread.getName().contains("127.30.2.9"), thread.getName());
            }
        }
    }

    @Test
    void genDcIsSwitchedByTheFeatureAsWell() throws Exception {
        start(scenario());
        client.openStream(8000);
        client.write(0xA108, 1);
        assertEquals(0x80, client.read(0x0D24));
        client.write(0xA108, 0);
        assertEquals(0, client.read(0x0D24));
        assertEquals(0, client.read(0x0960));
        client.write(0xA044, 0); // no intensity: the range is the image
        assertEquals(4096, client.read(0xA104));
        client.write(0xA050, 0);
        assertEquals(0x8002, client.writeStatus(0xA058, 0), "the last component stays");
        client.write(0xA108, 1);
        client.write(0x0A00, 0);
        assertEquals(0, client.read(0xA10C), "an application that leaves takes its choice along");
    }

    @Test
    void aWrongDescriptorHasNoSignature() throws Exception {
        start(scenario().genDcMode(Scenario.GenDcMode.ON).faults(FaultPlan.NONE));
        camera.faults().wrongDescriptorEveryBlocks(2);
        client.openStream(60000);
        acquire(2);
        List<Boolean> signatures = new ArrayList<>();
        for (int block = 0; block < 2; block++) {
            ByteBuffer packet = client.packet();
            while (packet.get(4) != (byte) 0x82) {
                if (packet.get(4) == (byte) 0x88 && (packet.get(32) & 0x20) != 0) {
                    signatures.add(hex(packet, 36, 40).equals("474e4443"));
                }
                packet = client.packet();
            }
        }
        assertEquals(List.of(true, false), signatures);
    }
}
