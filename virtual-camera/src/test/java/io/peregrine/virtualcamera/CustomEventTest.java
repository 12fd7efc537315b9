package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The events of a device of one's own, byte by byte: one without numbers, one with two. */
@Timeout(30)
class CustomEventTest {
    private static final int NOTIFY_OPENED = 0xA004;
    private static final int NOTIFY_FAILURE = 0xA008;

    private VirtualDevice device;
    private Client client;
    private DatagramSocket messages;

    @BeforeEach
    void start() throws IOException {
        device = builder("127.32.2.1").start();
        client = new Client(device.address());
        messages = new DatagramSocket(new InetSocketAddress(client.cameraAddress(), 0));
        messages.setSoTimeout(10_000);
    }

    private static VirtualDevice.Builder builder(String address) {
        return VirtualDevice.builder("Own Maker", "Own")
                .bindAddress(address)
                .port(0)
                .event("Opened")
                .event("Failure", "Lamp", "Code");
    }

    @AfterEach
    void stop() {
        messages.close();
        client.close();
        device.close();
    }

    private void openChannel(Client by) throws IOException {
        by.write(0x0A00, 2);
        by.write(0x0B10, ByteBuffer.wrap(client.cameraAddress().getAddress()).getInt());
        by.write(0x0B14, 0); // no answer wanted
        by.write(0x0B00, messages.getLocalPort());
    }

    private String receive() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[1024], 1024);
        messages.receive(packet);
        return HexFormat.of().formatHex(packet.getData(), 0, packet.getLength());
    }

    @Test
    void anEventHasTheHeadOfTheStandardAndTheFirstIdOfTheDevice() throws Exception {
        openChannel(client);
        client.write(NOTIFY_OPENED, 1);
        device.fire("Opened");
        String event = receive();
        assertEquals("420000c000100001" + "0000" + "9000" + "ffff" + "0000", event.substring(0, 32));
        assertEquals(2 * 24, event.length());
    }

    @Test
    void numbersComeAsData() throws Exception {
        openChannel(client);
        client.write(NOTIFY_FAILURE, 1);
        device.fire("Failure", 3, -2);
        String event = receive();
        assertEquals("420000c200200001" + "0000" + "9001" + "ffff" + "0000", event.substring(0, 32));
        assertEquals("0000000000000003" + "fffffffffffffffe", event.substring(48));
    }

    @Test
    void whatNobodyAskedForIsNotSent() throws Exception {
        openChannel(client);
        device.fire("Opened");
        client.write(NOTIFY_OPENED, 1);
        client.write(NOTIFY_OPENED, 0);
        device.fire("Opened");
        client.write(NOTIFY_FAILURE, 1);
        device.fire("Failure", 1, 1);
        assertEquals("9001", receive().substring(20, 24), "the first event on the channel");
    }

    @Test
    void whatIsWantedIsStillWantedAtANewAddress() throws Exception {
        openChannel(client);
        client.write(NOTIFY_OPENED, 1);
        client.write(0x0A00, 0);
        String mac = "02007f200201";
        client.exchange("42 01 0004 0038 0007 0000" + mac + "00".repeat(12) + "7f200209" + "00".repeat(12) + "ff000000"
                + "00".repeat(12) + "00000000");
        device.awaitMove();
        try (Client there = new Client(device.address())) {
            assertEquals(1, there.read(NOTIFY_OPENED));
            openChannel(there);
            device.fire("Opened");
            assertEquals("9000", receive().substring(20, 24));
        }
    }

    @Test
    void theHeadIsExtendedWithTheIdsOfBlocks() throws Exception {
        try (VirtualDevice sensor = builder("127.32.2.2")
                        .frames(8, 4, "Mono8", 50, (blockId, frame) -> {})
                        .start();
                Client other = new Client(sensor.address())) {
            openChannel(other);
            other.write(0x0960, 0x40000000);
            other.write(CustomFramesTest.NOTIFY_FIRST_EVENT + 4, 1);
            sensor.fire("Failure", 3, -2);
            String event = receive();
            assertEquals(
                    "421000c200280001" + "0028" + "9001" + "ffff" + "0000" + "0000000000000000",
                    event.substring(0, 48));
            assertEquals("0000000000000003" + "fffffffffffffffe", event.substring(64));
        }
    }

    @Test
    void theRegistersTellOfTheMessageChannel() throws Exception {
        assertEquals(1, client.read(0x0900));
        assertEquals(0x80000000, client.read(0x0930));
        assertEquals(0xF820003B, client.read(0x0934));
    }

    @Test
    void anEventThatWasNotDeclaredSoIsRefused() {
        assertTrue(assertThrows(VirtualCameraException.class, () -> device.fire("Closed"))
                .getMessage()
                .contains("Opened"));
        assertTrue(assertThrows(VirtualCameraException.class, () -> device.fire("Failure", 1))
                .getMessage()
                .contains("Code"));
    }

    private static void assertRefused(VirtualDevice.Builder builder, String name) {
        String message = assertThrows(
                        VirtualCameraException.class, () -> builder.start().close())
                .getMessage();
        assertTrue(message.contains(name), message);
    }

    @Test
    void namesThatClashAreRefusedAtTheStart() {
        assertThrows(VirtualCameraException.class, () -> builder("127.32.2.3").event("Opened"));
        assertThrows(VirtualCameraException.class, () -> builder("127.32.2.3").event("no good"));
        assertRefused(builder("127.32.2.3").category("Control", DeviceFeature.bool("EventOpened")), "EventOpened");
        assertRefused(builder("127.32.2.3").category("Control", DeviceFeature.bool("EventSelector")), "EventSelector");
        assertRefused(builder("127.32.2.3").event("Third", "Timestamp"), "EventThirdTimestamp");
    }
}
