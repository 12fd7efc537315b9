package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.fabric.FakeFabric;
import io.peregrine.rdma.ConnectionRejectedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The camera streams by RDMA: both ends in memory, the host byte by byte from the interim mapping. */
final class RdmaStreamTest extends RdmaEnds {
    private static final String CAMERA = "127.30.4.1";
    private static final String HOST = "127.30.4.2";

    private final FakeFabric network = new FakeFabric();

    private static ScenarioBuilder scenario() {
        return Scenario.builder()
                .bindAddress(CAMERA)
                .port(0)
                .size(64, 32)
                .frameRate(200)
                .flows(Scenario.Flows.PER_COMPONENT);
    }

    private void start(ScenarioBuilder scenario, int mode) throws Exception {
        start(VirtualCamera.start(scenario.build(), network.transport(CAMERA)), network.transport(HOST), mode);
    }

    @ParameterizedTest
    @CsvSource({"1, SINGLE", "1, PER_COMPONENT", "2, SINGLE", "2, PER_COMPONENT"})
    void everyBlockArrivesByteForByte(int mode, Scenario.Flows flows) throws Exception {
        start(scenario().flows(flows), mode);
        host.connect(4);
        host.announce(0, 1, 2, 3);
        client.write(0xA0AC, 1);
        acquire(MULTI_FRAME, 10);
        for (int id = 1; id <= 10; id++) {
            client.write(0xA0B4, 1);
            RdmaHost.Block block = host.next().orElseThrow();
            assertEquals(LongStream.of(host.flowSizes).boxed().toList(), block.flowBytes());
            assertPattern(block, id, 64, 32);
            host.announce(block.setId());
        }
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        assertEquals(10, camera.statistics().rdmaBlocksSent());
        assertEquals(0, camera.statistics().rdmaBlocksDropped());
    }

    @Test
    void doneTellsWhatWasWritten() throws Exception {
        start(scenario().firstBlockId(0x1_0000_0000L), RdmaHost.WRITE);
        host.connect(2);
        host.announce(1);
        acquire(MULTI_FRAME, 1);
        RdmaHost.Block block = host.next().orElseThrow();
        assertEquals(1, block.setId());
        assertEquals(0, block.status());
        assertEquals(0x1_0000_0000L, block.blockId());
        assertEquals(Arrays.stream(host.flowSizes).sum(), block.bytes());
        assertEquals(0, block.dropped());
    }

    @Test
    void theSameBlockLooksTheSameByGvspAndByRdma() throws Exception {
        start(scenario(), RdmaHost.SEND);
        host.connect(1);
        host.announce(0);
        acquire(MULTI_FRAME, 1);
        byte[] byRdma = host.next().orElseThrow().container().array();
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        client.write(RdmaHost.MODE, 0);
        client.openStream(60000);
        client.start();
        ByteBuffer leader = client.packet();
        ByteBuffer byGvsp = ByteBuffer.allocate((int) leader.getLong(32));
        ByteBuffer packet = client.packet();
        while (packet.get(4) == (byte) 0x88) {
            byGvsp.put(packet.position(36));
            packet = client.packet();
        }
        assertArrayEquals(withoutTimestamps(byGvsp.array()), withoutTimestamps(byRdma));
    }

    private static byte[] withoutTimestamps(byte[] container) {
        ByteBuffer bytes = ByteBuffer.wrap(container).order(ByteOrder.LITTLE_ENDIAN);
        for (int component = 0; component < 3; component++) {
            bytes.putLong((int) bytes.getLong(56 + 8 * component) + 24, 0);
        }
        return container;
    }

    @Test
    void theAnswerTellsTheSizeOfTheContainer() throws Exception {
        start(scenario(), RdmaHost.SEND);
        ByteBuffer answer = ByteBuffer.wrap(host.connect(2)).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals("47565230" + "0000" + "0000", HexFormat.of().formatHex(answer.array(), 0, 8));
        assertEquals(Arrays.stream(host.flowSizes).sum(), answer.getLong(8));
        assertEquals(client.read(0xA104), answer.getLong(8), "PayloadSize");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0x57, 0x8002", // magic
        "4, 0x01, 0x8002", // version
        "6, 0x01, 0x8002", // stream channel
        "8, 0x02, 0x8002", // mode
        "10, 0x07, 0x8002", // flow count
        "12, 0x00, 0x8002", // depth
        "15, 0x7F, 0x8002", // depth beyond reason
        "16, 0x00, 0x8006", // nonce
        "23, 0xFF, 0x8006", // nonce
    })
    void aWrongGreetingIsRefused(int at, String value, String status) throws Exception {
        start(scenario(), RdmaHost.SEND);
        ByteBuffer greeting = host.greeting(2).put(at, (byte) (int) Integer.decode(value));
        assertRefused(Integer.decode(status), greeting);
        assertEquals(1, camera.statistics().rdmaRefusals());
    }

    private void assertRefused(int status, ByteBuffer greeting) {
        ConnectionRejectedException refused =
                assertThrows(ConnectionRejectedException.class, () -> host.connect(2, greeting));
        assertEquals(ConnectionRejectedException.REASON_BY_CONSUMER, refused.reason());
        byte[] data = refused.privateData();
        assertEquals("47565230", HexFormat.of().formatHex(data, 0, 4));
        assertEquals(status, (data[4] & 0xFF) | (data[5] & 0xFF) << 8);
    }

    @Test
    void nobodyIsLetInWhileTheModeIsGvsp() throws Exception {
        start(scenario(), RdmaHost.SEND);
        client.write(RdmaHost.MODE, 0);
        assertRefused(0x8006, host.greeting(2));
    }

    @Test
    void nobodyIsLetInWithoutAController() throws Exception {
        start(scenario(), RdmaHost.SEND);
        client.write(0x0A00, 0);
        assertRefused(0x8006, host.greeting(2));
    }

    @Test
    void aSecondConnectionFindsTheChannelBusy() throws Exception {
        start(scenario(), RdmaHost.SEND);
        host.connect(2);
        assertRefused(0x8007, host.greeting(2));
    }

    @Test
    void aHostMayComeBackAtOnce() throws Exception {
        start(scenario(), RdmaHost.WRITE);
        for (int run = 0; run < 5; run++) {
            host.connect(2);
            host.announce(0, 1);
            acquire(MULTI_FRAME, 2);
            assertPattern(host.next().orElseThrow(), 1, 64, 32);
            assertPattern(host.next().orElseThrow(), 2, 64, 32);
            assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
            host.disconnect();
        }
        assertEquals(5, camera.statistics().rdmaConnections());
    }

    @ParameterizedTest
    @ValueSource(ints = {RdmaHost.SEND, RdmaHost.WRITE})
    void blocksWithoutAFlowSetAreDroppedAndCounted(int mode) throws Exception {
        start(scenario(), mode);
        host.connect(2);
        host.announce(0, 1);
        acquire(MULTI_FRAME, 7);
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        assertEquals(5, client.read(RdmaHost.BASE + 0x14), "dropped");
        assertEquals(2, client.read(RdmaHost.BASE + 0x28), "sent");
        assertPattern(host.next().orElseThrow(), 1, 64, 32);
        assertPattern(host.next().orElseThrow(), 2, 64, 32);
        host.announce(0);
        client.start();
        RdmaHost.Block block = host.next().orElseThrow();
        assertEquals(mode == RdmaHost.WRITE ? 5 : -1, block.dropped(), "dropped so far");
    }

    @Test
    void theCountersBeginAgainWithTheMode() throws Exception {
        start(scenario(), RdmaHost.SEND);
        acquire(MULTI_FRAME, 2);
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        assertEquals(2, client.read(RdmaHost.BASE + 0x14));
        client.write(RdmaHost.MODE, 0);
        assertEquals(2, client.read(RdmaHost.BASE + 0x14), "can still be read");
        client.write(RdmaHost.MODE, 1);
        assertEquals(0, client.read(RdmaHost.BASE + 0x14));
    }

    @Test
    void releasedControlEndsConnectionAndMode() throws Exception {
        start(scenario(), RdmaHost.SEND);
        host.connect(2);
        acquire(CONTINUOUS, 1);
        client.write(0x0A00, 0);
        assertTrue(host.awaitLost());
        assertEquals(0, client.read(RdmaHost.MODE));
        assertEquals(0, client.read(RdmaHost.NONCE_HIGH));
        assertEquals(0, client.read(RdmaHost.NONCE_LOW));
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
    }

    @Test
    void silenceOnTheControlChannelEndsTheConnection() throws Exception {
        start(scenario(), RdmaHost.WRITE);
        host.connect(2);
        host.announce(0, 1);
        client.write(0x0938, 500);
        client.write(0x0954, 0);
        assertTrue(host.awaitLost());
        assertEquals(Optional.empty(), camera.controller());
    }

    @Test
    void aResetEndsTheConnection() throws Exception {
        start(scenario(), RdmaHost.SEND);
        host.connect(2);
        client.write(0xA128, 1);
        assertTrue(host.awaitLost());
        assertEquals(0, client.read(RdmaHost.MODE));
    }

    @Test
    void modeZeroEndsTheConnection() throws Exception {
        start(scenario(), RdmaHost.SEND);
        host.connect(2);
        client.write(RdmaHost.MODE, 0);
        assertTrue(host.awaitLost());
    }

    @Test
    void closingTheCameraEndsTheConnection() throws Exception {
        start(scenario(), RdmaHost.SEND);
        host.connect(2);
        camera.close();
        assertTrue(host.awaitLost());
        host.close();
        assertEquals(0, network.openRegions());
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            assertFalse(thread.getName().contains("-" + CAMERA), thread.getName());
        }
    }

    @Test
    void theModeStaysWhileAcquisitionRuns() throws Exception {
        start(scenario(), RdmaHost.SEND);
        acquire(CONTINUOUS, 1);
        assertEquals(0x8006, client.writeStatus(RdmaHost.MODE, 0));
        client.stop();
        assertEquals(0, client.writeStatus(RdmaHost.MODE, 0));
    }

    @Test
    void anUnknownModeIsInvalid() throws Exception {
        start(scenario(), RdmaHost.SEND);
        assertEquals(0x8002, client.writeStatus(RdmaHost.MODE, 3));
        assertEquals(0x8002, client.writeStatus(RdmaHost.MODE, -1));
    }

    @Test
    void theRegistersTellThePort() throws Exception {
        start(scenario().rdmaPort(20049), RdmaHost.SEND);
        assertEquals("47565230" + "00000000" + "00000003" + "00004e51", registers(16));
        assertEquals(20049, camera.rdmaPort().orElseThrow());
        assertEquals("on port 20049 by fake (memory), given by the caller", camera.rdmaState());
    }

    private String registers(int count) throws Exception {
        return HexFormat.of().formatHex(client.readMemory(RdmaHost.BASE, count));
    }

    @Test
    void withoutRdmaThereIsNoModeAndNoThread() throws Exception {
        camera = VirtualCamera.start(scenario().build());
        client = new Client(camera);
        assertEquals("47565230" + "00000000".repeat(3), registers(16));
        client.write(0x0A00, 2);
        assertEquals(0x8002, client.writeStatus(RdmaHost.MODE, 1));
        assertEquals("off", camera.rdmaState());
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            assertFalse(thread.getName().contains("rdma-" + CAMERA), thread.getName());
        }
    }

    @Test
    void aProviderThatIsNotThereIsSaid() throws Exception {
        camera = VirtualCamera.start(scenario().rdmaProvider("smoke-signals").build());
        assertTrue(camera.rdmaState().startsWith("not available: "), camera.rdmaState());
        assertTrue(camera.rdmaState().contains("smoke-signals"), camera.rdmaState());
        assertTrue(camera.rdmaPort().isEmpty());
    }

    @Test
    void stoppingLetsTheBlockOnItsWayEnd() throws Exception {
        start(scenario().frameRate(1000), RdmaHost.WRITE);
        host.connect(4);
        host.announce(0, 1, 2, 3);
        acquire(CONTINUOUS, 1);
        assertPattern(host.next().orElseThrow(), 1, 64, 32);
        client.stop();
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        assertEquals(0, camera.statistics().rdmaBlocksBrokenOff());
    }

    @Test
    void blocksUnderWayWhenControlEndsAreBrokenOff() throws Exception {
        start(scenario(), RdmaHost.WRITE);
        host.connect(4);
        host.announce(0, 1);
        network.hold();
        acquire(MULTI_FRAME, 2);
        network.awaitHeldWork();
        client.write(0x0A00, 0);
        assertTrue(host.awaitLost());
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        // Each look asks the camera, which also gives it the time to notice.
        long deadline = System.nanoTime() + 5_000_000_000L;
        while (camera.statistics().rdmaBlocksBrokenOff() == 0 && deadline - System.nanoTime() > 0) {
            client.read(RdmaHost.MODE);
        }
        assertTrue(camera.statistics().rdmaBlocksBrokenOff() > 0, camera.statistics()::toString);
        assertEquals(0, camera.statistics().rdmaBlocksSent());
    }

    @Test
    void softwareTriggersMakeBlocks() throws Exception {
        start(scenario(), RdmaHost.SEND);
        host.connect(3);
        host.announce(0, 1, 2);
        client.write(0xA0AC, 1);
        acquire(CONTINUOUS, 1);
        client.write(0xA0B4, 1);
        client.write(0xA0B4, 1);
        assertPattern(host.next().orElseThrow(), 1, 64, 32);
        assertPattern(host.next().orElseThrow(), 2, 64, 32);
        client.stop();
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        assertEquals(2, camera.statistics().rdmaBlocksSent());
    }

    @ParameterizedTest
    @CsvSource({
        "00000000 0200 0000", // a credit with flows
        "00000000 0000", // too short
        "00000000 0000 0000 00000000", // too long
    })
    void aCreditThatIsNoneEndsTheConnection(String hex) throws Exception {
        start(scenario(), RdmaHost.SEND);
        host.connect(2);
        host.sendMessage(ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", ""))));
        assertTrue(host.awaitLost());
    }

    @ParameterizedTest
    @CsvSource({
        "4, 2", // flow count
        "24, 0x00", // length of flow 0 in its lowest byte
        "31, 0x80", // length beyond 63 bits
        "15, 0xFF", // flow would run over the end of the address space
    })
    void anAnnouncementThatCannotBeFilledEndsTheConnection(int at, String value) throws Exception {
        start(scenario(), RdmaHost.WRITE);
        host.connect(2);
        ByteBuffer message = host.announcement(0, 0).put(at, (byte) (int) Integer.decode(value));
        if (at == 15) {
            message.order(ByteOrder.LITTLE_ENDIAN).putLong(8, -16L);
        }
        host.sendMessage(message);
        assertTrue(host.awaitLost());
        assertEquals(0x8002, client.read(RdmaHost.BASE + 0x18), "last status");
    }

    @Test
    void aSetAnnouncedTwiceEndsTheConnection() throws Exception {
        start(scenario(), RdmaHost.WRITE);
        host.connect(2);
        host.sendMessage(host.announcement(0, 77));
        host.sendMessage(host.announcement(1, 77));
        assertTrue(host.awaitLost());
        assertEquals(0x8002, client.read(RdmaHost.BASE + 0x18), "last status");
    }

    @Test
    void announcementsWithoutEndEndTheConnection() throws Exception {
        start(scenario(), RdmaHost.WRITE);
        host.connect(2);
        for (int id = 0; id < 7; id++) {
            host.sendMessage(host.announcement(0, id));
        }
        assertTrue(host.awaitLost());
        assertEquals(0x8002, client.read(RdmaHost.BASE + 0x18), "last status");
    }

    @Test
    void aKeyThatIsNotTheHostsEndsTheConnection() throws Exception {
        start(scenario(), RdmaHost.WRITE);
        host.connect(2);
        host.sendMessage(host.announcement(0, 0).putInt(16, 0x5EED));
        acquire(MULTI_FRAME, 1);
        assertTrue(host.awaitLost());
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        assertEquals(1, camera.statistics().rdmaBlocksBrokenOff());
    }

    @Test
    void newSizesNeedANewConnection() throws Exception {
        start(scenario(), RdmaHost.SEND);
        host.connect(2);
        host.announce(0);
        client.write(0xA008, 32);
        acquire(MULTI_FRAME, 1);
        assertTrue(host.awaitLost());
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        assertEquals(1, camera.statistics().rdmaBlocksDropped());
    }

    // ---- faults ------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {RdmaHost.SEND, RdmaHost.WRITE})
    void aCameraThatVanishesLeavesABlockUnfinished(int mode) throws Exception {
        start(scenario(), mode);
        camera.faults().rdmaVanishEveryBlocks(3);
        host.connect(4);
        host.announce(0, 1, 2, 3);
        acquire(MULTI_FRAME, 5);
        assertPattern(host.next().orElseThrow(), 1, 64, 32);
        assertPattern(host.next().orElseThrow(), 2, 64, 32);
        assertEquals(Optional.empty(), host.next());
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        VirtualCamera.Statistics statistics = camera.statistics();
        assertEquals(2, statistics.rdmaBlocksSent());
        assertEquals(1, statistics.rdmaBlocksBrokenOff());
        assertEquals(2, statistics.rdmaBlocksDropped());
        host.connect(2);
    }

    @Test
    void aCameraThatVanishedForGoodTakesNobodyBack() throws Exception {
        start(scenario(), RdmaHost.WRITE);
        camera.faults().rdmaVanishForGoodAtBlock(2);
        host.connect(4);
        host.announce(0, 1, 2, 3);
        acquire(MULTI_FRAME, 2);
        assertPattern(host.next().orElseThrow(), 1, 64, 32);
        assertEquals(Optional.empty(), host.next());
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        assertEquals("47565230" + "00000000".repeat(3), registers(16));
        assertThrows(ConnectionRejectedException.class, () -> host.connect(2));
    }

    @Test
    void packetFaultsNeedAProviderThatCommitsThem() throws Exception {
        start(scenario(), RdmaHost.SEND);
        VirtualCameraException refused =
                assertThrows(VirtualCameraException.class, () -> camera.faults().rdmaDropPerMille(1));
        assertTrue(refused.getMessage().contains("software"), refused.getMessage());
        assertEquals(FaultPlan.NONE, camera.faults().plan());
    }

    @Test
    void liesAreTold() throws Exception {
        start(scenario(), RdmaHost.WRITE);
        camera.faults()
                .rdmaWrongSetIdEveryBlocks(2)
                .rdmaWrongLengthEveryBlocks(3)
                .rdmaErrorStatusEveryBlocks(5);
        host.connect(5);
        host.announce(0, 1, 2, 3, 4);
        acquire(MULTI_FRAME, 5);
        List<RdmaHost.Block> blocks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            blocks.add(host.next().orElseThrow());
        }
        assertPattern(blocks.get(0), 1, 64, 32);
        assertEquals(1 ^ 0x4000_0000, blocks.get(1).setId());
        assertEquals(host.flowSizes[2] + 1, blocks.get(2).flowBytes().get(2));
        assertEquals(Arrays.stream(host.flowSizes).sum() + 3, blocks.get(2).bytes());
        assertEquals(RdmaHost.GEV_ERROR, blocks.get(4).status());
        assertEquals(host.flowSizes[2] / 2, blocks.get(4).flowBytes().get(2));
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(5)));
        assertEquals(5, camera.statistics().rdmaBlocksSent());
    }

    @Test
    void aWrongDescriptorHasNoSignature() throws Exception {
        start(scenario(), RdmaHost.SEND);
        camera.faults().wrongDescriptorEveryBlocks(2);
        host.connect(2);
        host.announce(0, 1);
        acquire(MULTI_FRAME, 2);
        assertEquals((byte) 'G', host.next().orElseThrow().container().get(0));
        assertEquals((byte) ('G' ^ 0x55), host.next().orElseThrow().container().get(0));
    }
}
