package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ExpectedWarning;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The frames of a device of one's own on the wire. Registers lie from 0xA000 on in the order of the features. */
@ExpectedWarning("The stream of the virtual camera failed")
@Timeout(30)
class CustomFramesTest {
    private static final int WIDTH = 0xA000;
    private static final int HEIGHT = 0xA008;
    private static final int PIXEL_FORMAT = 0xA010;
    private static final int START = 0xA018;
    private static final int STOP = 0xA01C;
    private static final int FRAME_RATE = 0xA020;
    private static final int PAYLOAD_SIZE = 0xA028;
    private static final int LOCKED = 0xA030;
    static final int NOTIFY_FIRST_EVENT = 0xA03C;

    private final AtomicBoolean broken = new AtomicBoolean();
    private final CountDownLatch failed = new CountDownLatch(1);
    private VirtualDevice device;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        device = builder("Mono8").start();
        client = new Client(device.address());
    }

    private VirtualDevice.Builder builder(String format) {
        return VirtualDevice.builder("Own Maker", "Own")
                .bindAddress("127.32.3.1")
                .port(0)
                .frames(8, 4, format, 100, this::fill);
    }

    private void fill(long blockId, ByteBuffer frame) {
        if (broken.get()) {
            failed.countDown();
            throw new IllegalStateException("the sensor is broken");
        }
        while (frame.hasRemaining()) {
            frame.put((byte) (blockId * 32 + frame.position()));
        }
    }

    @AfterEach
    void stop() {
        client.close();
        device.close();
    }

    private static String hex(ByteBuffer packet) {
        byte[] bytes = new byte[packet.limit()];
        packet.get(0, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String picture(int blockId) {
        byte[] bytes = new byte[32];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (blockId * 32 + i);
        }
        return HexFormat.of().formatHex(bytes);
    }

    private void stream(Client by) throws IOException {
        by.openStream(1500);
        by.write(START, 1);
    }

    @Test
    void aFrameIsWhatTheSourceFilled() throws Exception {
        stream(client);
        for (int block = 1; block <= 3; block++) {
            String id = String.format(Locale.ROOT, "%04x", block);
            String leader = hex(client.packet());
            assertEquals("0000" + id + "01000000" + "0000" + "0001", leader.substring(0, 24));
            assertEquals(
                    "01080001" + "00000008" + "00000004" + "00000000" + "00000000" + "0000" + "0000",
                    leader.substring(40));
            assertEquals("0000" + id + "03000001" + picture(block), hex(client.packet()));
            assertEquals("0000" + id + "02000002" + "0000" + "0001" + "00000004", hex(client.packet()));
        }
    }

    @Test
    void extendedIdsAreAsOnACamera() throws Exception {
        client.write(0x0A00, 2);
        client.write(0x0960, 0x40000000);
        stream(client);
        assertEquals(
                "00000000" + "81000000" + "0000000000000001" + "00000000",
                hex(client.packet()).substring(0, 40));
        assertEquals("00000000" + "83000000" + "0000000000000001" + "00000001" + picture(1), hex(client.packet()));
    }

    @Test
    void aPacketIsSentAgain() throws Exception {
        stream(client);
        client.packet();
        client.send("42 00 0040 000c 0007 0000 0001 00000001 00000001");
        String wanted = "01000001" + "03000001" + picture(1);
        String packet = hex(client.packet());
        while (!packet.equals(wanted)) {
            packet = hex(client.packet());
        }
    }

    private void awaitBlock(int wanted) throws IOException {
        int block = client.packet().getShort(2);
        while (block != wanted) {
            block = client.packet().getShort(2);
        }
    }

    @Test
    void eachAcquisitionBeginsWithTheFirstBlock() throws Exception {
        stream(client);
        awaitBlock(2);
        client.write(STOP, 1);
        client.write(START, 1);
        awaitBlock(1);
    }

    @Test
    void theEndOfTheControlEndsTheAcquisition() throws Exception {
        stream(client);
        client.packet();
        client.write(LOCKED + 4, 1);
        client.write(0x0A00, 0);
        assertEquals(0, client.read(0x0D00));
        assertEquals(0, client.read(0x0D18));
        assertEquals(0, client.read(LOCKED + 4));
        try (Client other = new Client(device.address())) {
            stream(other);
            assertEquals(1, other.packet().getShort(2));
        }
    }

    @Test
    void theWayOfFramesIsLockedWhileTheyAreSent() throws Exception {
        stream(client);
        client.packet();
        assertEquals(0x8004, client.writeStatus(0x0D04, 2000));
        assertEquals(0x8004, client.writeStatus(0x0960, 0x40000000));
        client.write(STOP, 1);
        client.write(0x0D00, 0);
        assertEquals(0, client.writeStatus(0x0D04, 2000));
    }

    @Test
    void aSourceThatFailsEndsTheAcquisitionAndNotTheDevice() throws Exception {
        broken.set(true);
        stream(client);
        assertTrue(failed.await(20, TimeUnit.SECONDS));
        client.write(0x0D00, 0);
        broken.set(false);
        client.write(STOP, 1);
        stream(client);
        assertEquals(1, client.packet().getShort(2));
    }

    @Test
    void theFrameRateIsAFeature() throws Exception {
        client.write(0x0A00, 2);
        assertEquals(100, ByteBuffer.wrap(client.readMemory(FRAME_RATE, 8)).getDouble());
        assertEquals(0, client.writeDouble(FRAME_RATE, 1000));
        assertEquals(0x8002, client.writeDouble(FRAME_RATE, 0));
    }

    @Test
    void theRegistersTellOfTheFrames() throws Exception {
        client.write(0x0A00, 2);
        assertEquals(0x80000001, client.read(0x0004), "big-endian transmitter, UTF-8");
        assertEquals(1, client.read(0x0904));
        assertEquals(0xE0000000, client.read(0x092C));
        assertEquals(0xF8200027, client.read(0x0934));
        assertEquals(8, client.read(WIDTH + 4));
        assertEquals(4, client.read(HEIGHT + 4));
        assertEquals(0x01080001, client.read(PIXEL_FORMAT));
        assertEquals(32, client.read(PAYLOAD_SIZE + 4));
        assertEquals(32, client.read(0x0D38), "SCMBS");
        assertEquals(3, client.read(0x0D30), "SCMPC");
        assertEquals(0x8002, client.writeStatus(PIXEL_FORMAT, 0x01100007));
    }

    @Test
    void framesComeFromANewAddressToo() throws Exception {
        client.exchange("42 01 0004 0038 0007 0000 02007f200301" + "00".repeat(12) + "7f200309" + "00".repeat(12)
                + "ff000000" + "00".repeat(12) + "00000000");
        device.awaitMove();
        try (Client there = new Client(device.address())) {
            assertEquals("127.32.3.9", there.cameraAddress().getHostAddress());
            stream(there);
            there.packet();
            assertEquals("0000000103000001" + picture(1), hex(there.packet()));
        }
    }

    private static String refusal(int width, int height, String format, double rate) {
        return assertThrows(
                        VirtualCameraException.class,
                        () -> VirtualDevice.builder("Own Maker", "Own")
                                .bindAddress("127.32.3.2")
                                .port(0)
                                .frames(width, height, format, rate, (blockId, frame) -> {})
                                .start()
                                .close())
                .getMessage();
    }

    @Test
    void framesThatThereAreNotAreRefusedAtTheStart() {
        assertTrue(refusal(0, 4, "Mono8", 10).contains("0x4"));
        assertTrue(refusal(8, 16385, "Mono8", 10).contains("8x16385"));
        assertTrue(refusal(8, 4, "Mono9", 10).contains("Mono9"));
        assertTrue(refusal(7, 4, "Mono12p", 10).contains("another width"));
        assertTrue(refusal(8, 4, "Mono8", 0).contains("0.0"));
    }
}
