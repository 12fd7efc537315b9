package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ExpectedWarning;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The camera is told where to stand. The bytes are those of GigE Vision's FORCEIP and bootstrap registers. */
@ExpectedWarning("The camera cannot take the address")
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class AddressTest {
    private static final String ELSEWHERE = "7f1f0109";
    private static final String MASK = "ff000000";

    private VirtualCamera camera;
    private Client client;

    @BeforeEach
    void start() throws Exception {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.31.1.1")
                .port(0)
                .serial("SN-18")
                .build());
        client = new Client(camera);
    }

    @AfterEach
    void stop() {
        client.close();
        camera.close();
    }

    private static String forceIp(String ip, String mask) {
        return "42 01 0004 0038 0007 0000 0200 7f1f0101" + "00".repeat(12) + ip + "00".repeat(12) + mask
                + "00".repeat(12) + "00000000";
    }

    private void awaitAddress(String address) {
        camera.awaitMove();
        assertEquals(address, camera.address().getAddress().getHostAddress());
    }

    @Test
    void aForcedAddressIsAcknowledgedAndTaken() throws Exception {
        assertEquals("0000000500000007", client.exchangeHex(forceIp(ELSEWHERE, MASK)));
        awaitAddress("127.31.1.9");
        try (Client there = new Client(camera)) {
            assertEquals(0x7f1f0109, there.read(0x0024));
        }
    }

    @Test
    void theDeviceStaysTheSameUnderANewAddress() throws Exception {
        int port = camera.address().getPort();
        client.exchangeHex(forceIp(ELSEWHERE, MASK));
        awaitAddress("127.31.1.9");
        try (Client there = new Client(camera)) {
            assertEquals(0x7f1f0101, there.read(0x000C));
            assertEquals("SN-18", new String(there.readMemory(0x00D8, 16), StandardCharsets.UTF_8).trim());
            assertEquals(port, camera.address().getPort());
        }
    }

    @Test
    void aForcedAddressIsForgottenByAReset() throws Exception {
        client.exchangeHex(forceIp(ELSEWHERE, MASK));
        awaitAddress("127.31.1.9");
        try (Client there = new Client(camera)) {
            there.write(0x0A00, 2);
            there.write(Reg.DEVICE_RESET, 1);
        }
        awaitAddress("127.31.1.1");
    }

    @Test
    void aPersistentAddressIsTakenByAReset() throws Exception {
        client.write(0x0A00, 2);
        client.write(0x064C, 0x7f1f0105);
        client.write(Reg.DEVICE_RESET, 1);
        awaitAddress("127.31.1.5");
    }

    @Test
    void dhcpAndThePersistentAddressAreSwitchedAndLinkLocalStaysOn() throws Exception {
        client.write(0x0A00, 2);
        assertEquals(7, client.read(0x0010));
        assertEquals(5, client.read(0x0014));
        client.write(0x0014, 2);
        assertEquals(6, client.read(0x0014));
        client.write(0x0014, 0xFFFFFFF8);
        assertEquals(4, client.read(0x0014));
    }

    @Test
    void aLinkLocalAddressIsOutsideItsReservedEnds() {
        // 169.254.1.0 to 169.254.254.255: RFC 3927, 2.1.
        assertEquals("169.254.1.0/16", Location.linkLocal(0).toString());
        assertEquals("169.254.254.255/16", Location.linkLocal(0xFDFF).toString());
        assertEquals("169.254.1.0/16", Location.linkLocal(0xFE00).toString());
    }

    @Test
    void aUserNameOutlivesTheMove() throws Exception {
        client.write(0x0A00, 2);
        client.write(0x00E8, 0x6c656674);
        client.write(0x0A00, 0);
        client.exchangeHex(forceIp(ELSEWHERE, MASK));
        awaitAddress("127.31.1.9");
        try (Client there = new Client(camera)) {
            assertEquals(0x6c656674, there.read(0x00E8));
        }
    }

    @Test
    void anAddressThatNoDeviceCanHaveIsRefused() throws Exception {
        assertEquals("8002000500000007", client.exchangeHex(forceIp("e0000001", MASK)));
        assertEquals("8002000500000007", client.exchangeHex(forceIp(ELSEWHERE, "ff00ff00")));
        assertEquals("8002000500000007", client.exchangeHex(forceIp("7fffffff", MASK)));
    }

    @Test
    void aControlledCameraStaysWhereItIs() throws Exception {
        client.write(0x0A00, 2);
        client.send(forceIp(ELSEWHERE, MASK));
        assertEquals(0x7f1f0101, client.read(0x0024));
        assertTrue(camera.controller().isPresent());
    }

    @Test
    void anAddressThatCannotBeHadLeavesTheCameraWhereItWas() throws Exception {
        client.exchangeHex(forceIp("c0000201", "ffffff00"));
        camera.awaitMove();
        assertEquals("127.31.1.1", camera.address().getAddress().getHostAddress());
        assertEquals(0x7f1f0101, client.read(0x0024));
    }
}
