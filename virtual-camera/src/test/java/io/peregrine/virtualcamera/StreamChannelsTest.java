package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A camera with three stream channels. The registers of channel n lie 0x40 * n behind those of the first. */
@Timeout(30)
class StreamChannelsTest {
    private static final int SCP = 0x0D00;
    private static final int SCPS = 0x0D04;
    private static final int SCPD = 0x0D08;
    private static final int SCDA = 0x0D18;
    private static final int SECOND = 0x40;
    private static final int LEADER = 1;
    private static final int DATA = 3;

    private VirtualCamera camera;
    private Client client;
    private DatagramSocket second;

    @BeforeEach
    void start() throws IOException {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.33.1.1")
                .port(0)
                .size(64, 48)
                .frameRate(50)
                .payload(StreamPayload.IMAGE)
                .streamChannels(3)
                .build());
        client = new Client(camera);
        second = new DatagramSocket(new InetSocketAddress(client.cameraAddress(), 0));
        second.setSoTimeout(10_000);
    }

    @AfterEach
    void stop() {
        second.close();
        client.close();
        camera.close();
    }

    private void openSecond(int packetSize) throws IOException {
        client.write(SECOND + SCPS, packetSize);
        client.write(
                SECOND + SCDA,
                ByteBuffer.wrap(client.cameraAddress().getAddress()).getInt());
        client.write(SECOND + SCP, second.getLocalPort());
    }

    private ByteBuffer fromSecond() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65536], 65536);
        second.receive(packet);
        return ByteBuffer.wrap(Arrays.copyOf(packet.getData(), packet.getLength()));
    }

    /** Standard ids: packet format in byte 4, block id in bytes 2 and 3. */
    private static int format(ByteBuffer packet) {
        return packet.get(4) & 0xF;
    }

    private static ByteBuffer first(int format, PacketSource source) throws IOException {
        ByteBuffer packet = source.next();
        while (format(packet) != format) {
            packet = source.next();
        }
        return packet;
    }

    private interface PacketSource {
        ByteBuffer next() throws IOException;
    }

    @Test
    void theCameraTellsHowManyChannelsItHas() throws IOException {
        assertEquals(3, client.read(0x0904));
        client.write(0x0A00, 2);
        assertEquals(0x8003, client.writeStatus(3 * SECOND + SCP, 1));
    }

    @Test
    void eachChannelSendsToItsDestinationInPacketsOfItsSize() throws IOException {
        client.openStream(1500);
        openSecond(576);
        client.start();
        assertEquals(1500 - 28, first(DATA, client::packet).capacity());
        assertEquals(576 - 28, first(DATA, this::fromSecond).capacity());
        assertEquals(576, client.read(SECOND + SCPS));
        assertEquals(1500, client.read(SCPS));
    }

    @Test
    void aFurtherChannelStreamsByItself() throws Exception {
        client.write(0x0A00, 2);
        openSecond(1500);
        client.start();
        ByteBuffer leader = first(LEADER, this::fromSecond);
        assertEquals(1, leader.getShort(2));
        assertTrue(camera.streaming());
        client.stop();
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(10)));
    }

    @Test
    void aChannelThatIsClosedLeavesTheOthersAlone() throws IOException {
        client.openStream(1500);
        openSecond(1500);
        client.start();
        first(LEADER, client::packet);
        client.write(SCP, 0);
        ByteBuffer before = first(LEADER, this::fromSecond);
        assertTrue(first(LEADER, this::fromSecond).getShort(2) > before.getShort(2));
    }

    @Test
    void packetsOfAFurtherChannelAreSentAgain() throws IOException {
        client.write(0x0A00, 2);
        openSecond(1500);
        client.write(0xA080, 1); // one frame
        client.start();
        ByteBuffer data = first(DATA, this::fromSecond);
        int id = data.getInt(4) & 0xFFFFFF;
        ByteBuffer again = data;
        client.send(ByteBuffer.allocate(20)
                .putInt(0x42000040)
                .putShort((short) 12)
                .putShort((short) 0x77)
                .putShort((short) 1)
                .putShort((short) 1)
                .putInt(id)
                .putInt(id)
                .array());
        do {
            again = fromSecond();
        } while (again.getShort(0) != 0x0100); // GEV_STATUS_PACKET_RESEND
        again.putShort(0, (short) 0);
        assertEquals(data, again);
    }

    @Test
    void ofPacketsThatAreAskedForBeforeTheyAreSentTheCameraSaysSo() throws IOException {
        client.openStream(1500);
        client.write(SCPD, 200_000_000);
        client.start();
        ByteBuffer leader = first(LEADER, client::packet);
        int blockId = leader.getShort(2);
        client.send(ByteBuffer.allocate(20)
                .putInt(0x42000040)
                .putShort((short) 12)
                .putShort((short) 0x77)
                .putShort((short) 0)
                .putShort((short) blockId)
                .putInt(4) // the trailer
                .putInt(0xFFFFFF)
                .array());
        ByteBuffer answer = client.packet();
        while (answer.getShort(0) == 0) {
            answer = client.packet();
        }
        assertEquals(
                "8010 %04x 04".formatted(blockId),
                "%04x %04x %02x".formatted(answer.getShort(0), answer.getShort(2), answer.getInt(4) & 0xFFFFFF));
    }

    @Test
    void resendsOfAChannelThatIsNotThereAreRefused() throws IOException {
        client.write(0x0A00, 2);
        long before = camera.statistics().refusedCommands();
        client.send("42 00 0040 000c 0077 0003 0001 00000001 00000001");
        client.read(0x0904); // answered after it
        assertEquals(before + 1, camera.statistics().refusedCommands());
    }

    @Test
    void whoLosesControlLosesEveryChannel() throws Exception {
        client.write(0x0A00, 2);
        openSecond(1500);
        client.start();
        assertTrue(camera.awaitStreaming(true, Duration.ofSeconds(10)));
        client.write(0x0A00, 0);
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(10)));
        assertEquals(0, client.read(SECOND + SCP));
        assertEquals(0, client.read(SECOND + SCDA));
    }
}
