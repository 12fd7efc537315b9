package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.RdmaProviders;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The camera streams by RoCEv2 in software, over sockets on two addresses of the loopback interface. */
final class RdmaSoftwareTest extends RdmaEnds {
    private static final String CAMERA = "127.30.5.1";
    private static final String HOST = "127.30.5.2";
    private static final int WIDTH = 320;
    private static final int HEIGHT = 240;

    private static ScenarioBuilder scenario() {
        return Scenario.builder()
                .bindAddress(CAMERA)
                .port(0)
                .size(WIDTH, HEIGHT)
                .frameRate(50)
                .flows(Scenario.Flows.PER_COMPONENT)
                .rdmaProvider("software");
    }

    private void start(ScenarioBuilder scenario, int mode) throws Exception {
        Inet4Address address = (Inet4Address) InetAddress.getByName(HOST);
        start(
                VirtualCamera.start(scenario.build()),
                RdmaProviders.open("software", address).transport(),
                mode);
    }

    private void assertDelivers(int blocks) throws Exception {
        host.announceFirst(blocks);
        acquire(MULTI_FRAME, blocks);
        for (int id = 1; id <= blocks; id++) {
            RdmaHost.Block block = host.next().orElseThrow(() -> new AssertionError(host + ", " + camera.statistics()));
            assertPattern(block, id, WIDTH, HEIGHT);
        }
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(10)));
        assertEquals(blocks, camera.statistics().rdmaBlocksSent());
    }

    @ParameterizedTest
    @CsvSource({"1, SINGLE", "1, PER_COMPONENT", "2, SINGLE", "2, PER_COMPONENT"})
    void everyBlockArrivesByteForByte(int mode, Scenario.Flows flows) throws Exception {
        start(scenario().flows(flows), mode);
        assertTrue(camera.rdmaState().contains("software (udp)"), camera.rdmaState());
        host.connect(20);
        assertDelivers(20);
    }

    @ParameterizedTest
    @ValueSource(ints = {RdmaHost.SEND, RdmaHost.WRITE})
    void flowSetsComeBack(int mode) throws Exception {
        start(scenario(), mode);
        host.connect(2);
        host.announce(0, 1);
        client.write(0xA0AC, 1);
        acquire(MULTI_FRAME, 10);
        for (int id = 1; id <= 10; id++) {
            client.write(0xA0B4, 1);
            RdmaHost.Block block = host.next().orElseThrow();
            assertPattern(block, id, WIDTH, HEIGHT);
            host.announce(block.setId());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {RdmaHost.SEND, RdmaHost.WRITE})
    void packetsThatGoAstrayAreSentAgain(int mode) throws Exception {
        start(scenario(), mode);
        host.connect(20);
        camera.faults()
                .seed(mode)
                .rdmaDropPerMille(10)
                .rdmaReorderPerMille(10)
                .rdmaDuplicatePerMille(10)
                .rdmaCorruptPerMille(10);
        assertDelivers(20);
    }

    @ParameterizedTest
    @ValueSource(ints = {RdmaHost.SEND, RdmaHost.WRITE})
    void announcementsThatMustWaitAreHeardInTheEnd(int mode) throws Exception {
        start(scenario(), mode);
        host.connect(20);
        camera.faults().seed(mode).rdmaNotReadyPerMille(300);
        assertDelivers(20);
    }

    @Test
    void aWrongNonceIsRefused() throws Exception {
        start(scenario(), RdmaHost.SEND);
        client.write(RdmaHost.NONCE_LOW, 7);
        ConnectionRejectedException refused = assertThrows(ConnectionRejectedException.class, () -> host.connect(2));
        assertEquals((byte) 0x06, refused.privateData()[4]);
        assertEquals((byte) 0x80, refused.privateData()[5]);
    }

    @Test
    void theNonceOfAConnectionThatWasLetInIsRefused() throws Exception {
        start(scenario(), RdmaHost.SEND);
        host.connect(2);
        host.disconnect();
        ConnectionRejectedException refused =
                assertThrows(ConnectionRejectedException.class, () -> host.replay(2, host.greeting(2)));
        assertEquals((byte) 0x06, refused.privateData()[4]);
        assertEquals((byte) 0x80, refused.privateData()[5]);
    }

    @Test
    void theNonceCannotBeRead() throws Exception {
        start(scenario(), RdmaHost.SEND);
        assertEquals(0, client.read(RdmaHost.NONCE_HIGH));
        assertEquals(0, client.read(RdmaHost.NONCE_LOW));
    }

    @ParameterizedTest
    @ValueSource(ints = {RdmaHost.SEND, RdmaHost.WRITE})
    void aCameraThatVanishesLeavesABlockUnfinished(int mode) throws Exception {
        start(scenario(), mode);
        camera.faults().rdmaVanishEveryBlocks(3);
        host.connect(4);
        host.announce(0, 1, 2, 3);
        acquire(MULTI_FRAME, 4);
        assertPattern(host.next().orElseThrow(), 1, WIDTH, HEIGHT);
        assertPattern(host.next().orElseThrow(), 2, WIDTH, HEIGHT);
        assertEquals(Optional.empty(), host.next());
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(10)));
        assertEquals(1, camera.statistics().rdmaBlocksBrokenOff());
    }

    @Test
    void aHostMayComeBackAtOnce() throws Exception {
        start(scenario(), RdmaHost.WRITE);
        for (int run = 0; run < 3; run++) {
            host.connect(2);
            host.announce(0, 1);
            acquire(MULTI_FRAME, 2);
            assertPattern(host.next().orElseThrow(), 1, WIDTH, HEIGHT);
            assertPattern(host.next().orElseThrow(), 2, WIDTH, HEIGHT);
            host.disconnect();
            assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(10)));
        }
        assertEquals(3, camera.statistics().rdmaConnections());
    }

    @Test
    void aWriteIntoMemoryTakenBackEndsTheConnection() throws Exception {
        start(scenario(), RdmaHost.WRITE);
        host.connect(2);
        host.sendMessage(host.announcement(0, 0).putInt(16, 0x5EED));
        acquire(MULTI_FRAME, 2);
        assertTrue(host.awaitLost());
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(10)));
        assertEquals(1, camera.statistics().rdmaBlocksBrokenOff());
    }

    @Test
    void releasedControlEndsTheConnection() throws Exception {
        start(scenario(), RdmaHost.SEND);
        host.connect(2);
        client.write(0x0A00, 0);
        assertTrue(host.awaitLost());
    }

    @Test
    void closingTheCameraEndsItsThreads() throws Exception {
        start(scenario(), RdmaHost.SEND);
        host.connect(2);
        camera.close();
        assertTrue(host.awaitLost());
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            assertFalse(thread.getName().contains(CAMERA), thread.getName());
        }
    }
}
