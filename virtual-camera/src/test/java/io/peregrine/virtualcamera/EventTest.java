package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The message channel byte by byte. */
final class EventTest {
    private static final int TEST = 0;
    private static final int FRAME_START = 1;
    private static final int EXPOSURE_END = 2;
    private static final int PRIMARY_APPLICATION_SWITCH = 5;

    private VirtualCamera camera;
    private Client client;
    private DatagramSocket messages;

    @BeforeEach
    void start() throws Exception {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.30.2.1")
                .port(0)
                .size(64, 32)
                .firstBlockId(7)
                .build());
        client = new Client(camera);
        messages = new DatagramSocket(new InetSocketAddress(client.cameraAddress(), 0));
        messages.setSoTimeout(5000);
    }

    @AfterEach
    void stop() {
        messages.close();
        client.close();
        camera.close();
    }

    private void openChannel() throws IOException {
        client.write(0x0A00, 2);
        client.write(
                0x0B10, ByteBuffer.wrap(client.cameraAddress().getAddress()).getInt());
        client.write(0x0B00, messages.getLocalPort());
    }

    private void notifyOf(int event) throws IOException {
        client.write(0xA190 + 4 * event, 1);
    }

    private void generateTestEvent() throws IOException {
        client.write(0xA184, 1);
    }

    private DatagramPacket receive() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[1024], 1024);
        messages.receive(packet);
        return packet;
    }

    private static String hex(DatagramPacket packet) {
        return HexFormat.of().formatHex(packet.getData(), 0, packet.getLength());
    }

    private void answer(DatagramPacket command) throws IOException {
        byte[] id = Arrays.copyOfRange(command.getData(), 6, 8);
        int acknowledge = (ByteBuffer.wrap(command.getData()).getShort(2) & 0xFFFF) + 1;
        byte[] bytes = ByteBuffer.allocate(8)
                .putShort((short) 0)
                .putShort((short) acknowledge)
                .putShort((short) 0)
                .put(id)
                .array();
        messages.send(new DatagramPacket(bytes, bytes.length, command.getSocketAddress()));
    }

    @Test
    void aTestEventHasTheHeadOfTheStandard() throws Exception {
        openChannel();
        notifyOf(TEST);
        generateTestEvent();
        DatagramPacket event = receive();
        assertEquals(
                "420100c000100001" + "0000" + "9000" + "ffff" + "0000",
                hex(event).substring(0, 32));
        assertEquals(24, event.getLength());
        assertEquals(client.read(0x0B1C), event.getPort(), "source port");
    }

    @Test
    void theExposureEndBringsTheBlockIdAsData() throws Exception {
        openChannel();
        notifyOf(EXPOSURE_END);
        client.openStream(1500);
        client.start();
        DatagramPacket event = receive();
        client.stop();
        String hex = hex(event);
        assertEquals("420100c200180001" + "0000" + "9002" + "0000" + "0007", hex.substring(0, 32));
        assertEquals("0000000000000007", hex.substring(48));
    }

    @Test
    void extendedIdsMakeAnExtendedHead() throws Exception {
        openChannel();
        notifyOf(EXPOSURE_END);
        client.write(0x0960, 0x40000000);
        client.openStream(1500);
        client.start();
        DatagramPacket event = receive();
        client.stop();
        String hex = hex(event);
        assertEquals("421100c200200001" + "0020" + "9002" + "0000" + "0000" + "0000000000000007", hex.substring(0, 48));
        assertEquals("0000000000000007", hex.substring(64));
    }

    @Test
    void theFrameStartHasTheTimeOfItsBlock() throws Exception {
        openChannel();
        notifyOf(FRAME_START);
        client.openStream(1500);
        client.start();
        ByteBuffer event = ByteBuffer.wrap(receive().getData());
        ByteBuffer leader = client.packet();
        client.stop();
        assertEquals(leader.getShort(2), event.getShort(14), "block id");
        assertEquals(leader.getLong(12), event.getLong(16), "timestamp");
    }

    @Test
    void whatIsNotAnsweredIsRepeatedAsOftenAsRegisterMcrcSays() throws Exception {
        openChannel();
        notifyOf(TEST);
        client.write(0x0B14, 20);
        client.write(0x0B18, 2);
        generateTestEvent();
        String first = hex(receive());
        assertEquals(first, hex(receive()));
        assertEquals(first, hex(receive()));
        client.write(0x0B14, 5000);
        generateTestEvent();
        DatagramPacket next = receive();
        answer(next);
        assertEquals("0002", hex(next).substring(12, 16), "request id of the next event");
    }

    @Test
    void anAnswerLetsTheNextEventGo() throws Exception {
        openChannel();
        notifyOf(TEST);
        client.write(0x0B14, 60_000);
        generateTestEvent();
        generateTestEvent();
        DatagramPacket first = receive();
        answer(first);
        assertEquals("0002", hex(receive()).substring(12, 16));
        assertEquals(0, camera.statistics().eventsRepeated());
    }

    @Test
    void whatCameUpWhileAnAnswerWasAwaitedGoesTogether() throws Exception {
        openChannel();
        notifyOf(TEST);
        client.write(0x0B14, 60_000);
        generateTestEvent();
        DatagramPacket first = receive();
        generateTestEvent();
        generateTestEvent();
        answer(first);
        DatagramPacket both = receive();
        String head = "0000" + "9000" + "ffff" + "0000";
        String hex = hex(both);
        assertEquals("420100c000200002" + head, hex.substring(0, 32));
        assertEquals(head, hex.substring(48, 64));
        assertEquals(40, both.getLength());
    }

    @Test
    void aTimeoutOfZeroAsksForNoAnswer() throws Exception {
        openChannel();
        notifyOf(TEST);
        client.write(0x0B14, 0);
        generateTestEvent();
        generateTestEvent();
        assertEquals("420000c000100001", hex(receive()).substring(0, 16));
        assertEquals("420000c000100002", hex(receive()).substring(0, 16));
    }

    @Test
    void whatNobodyAskedForIsNotSent() throws Exception {
        openChannel();
        generateTestEvent();
        notifyOf(TEST);
        generateTestEvent();
        assertEquals("0001", hex(receive()).substring(12, 16), "the first event on the channel");
    }

    @Test
    void theFirstApplicationIsToldThatAnotherOneHasTheControl() throws Exception {
        openChannel();
        notifyOf(PRIMARY_APPLICATION_SWITCH);
        client.write(0x095C, 0x1234);
        client.write(0x0A00, 6);
        try (Client other = new Client(camera)) {
            other.write(0x0A00, 0x12340002);
            assertEquals(
                    "420100c000100001" + "0000" + "0007" + "ffff" + "0000",
                    hex(receive()).substring(0, 32));
        }
    }

    @Test
    void whoKeepsTheControlIsNotToldThatItWent() throws Exception {
        openChannel();
        notifyOf(PRIMARY_APPLICATION_SWITCH);
        notifyOf(TEST);
        client.write(0x0A00, 6);
        client.write(0x0A00, 2);
        generateTestEvent();
        assertEquals("9000", hex(receive()).substring(20, 24));
    }

    @Test
    void theEndOfTheControlClosesTheChannel() throws Exception {
        openChannel();
        client.write(0x0A00, 0);
        assertEquals(0, client.read(0x0B00));
    }

    @Test
    void theCapabilitiesTellOfEvents() throws Exception {
        assertEquals(1, client.read(0x0900));
        assertEquals(0x80000000, client.read(0x0930));
        assertTrue((client.read(0x0934) & 0x18) == 0x18);
    }
}
