package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ControlTest {
    private VirtualCamera camera;
    private Client client;

    @BeforeEach
    void start() throws Exception {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.30.1.1")
                .port(0)
                .serial("SN-17")
                .userName("left")
                .size(64, 32)
                .build());
        client = new Client(camera);
    }

    @AfterEach
    void stop() {
        client.close();
        camera.close();
    }

    private static String text(String value, int bytes) {
        return HexFormat.of().formatHex(Arrays.copyOf(value.getBytes(StandardCharsets.UTF_8), bytes));
    }

    @Test
    void theManifestTellsOneDescription() throws Exception {
        try (VirtualCamera camera = VirtualCamera.start(
                        Scenario.builder().bindAddress("127.21.9.1").port(0).build());
                Client client = new Client(camera)) {
            assertEquals(0x04000000, client.read(0x0934) & 0x04000000);
            assertEquals(0x04000000, client.read(0x9000));
            // Version 1.0.0 and schema 1.1 in fields of six bits; the URL register is at 0x0200.
            assertEquals(0x04000104, client.read(0x9008));
            assertEquals(0x00000200, client.read(0x900C));
            assertEquals(0, client.read(0x91FC));
        }
    }

    @Test
    void thePendingTimeoutIsThatOfRealCamerasUnlessTheScenarioSaysOtherwise() throws Exception {
        ScenarioBuilder scenario = Scenario.builder().bindAddress("127.21.9.2").port(0);
        try (VirtualCamera camera = VirtualCamera.start(scenario.build());
                Client client = new Client(camera)) {
            assertEquals(300, client.read(0x0958));
        }
        try (VirtualCamera camera = VirtualCamera.start(
                        scenario.pendingTimeout(Duration.ofMillis(1200)).build());
                Client client = new Client(camera)) {
            assertEquals(1200, client.read(0x0958));
        }
    }

    @Test
    void discoveryIsAnsweredWithTheFirstRegisters() throws Exception {
        String answer = client.exchangeHex("42 11 0002 0000 0102");
        String expected = "0000000300f80102" // success, DISCOVERY_ACK, 248 bytes, id
                + "00020002" // version 2.2
                + "80000001" // big-endian transmitter, UTF-8
                + "00000200" // MAC high
                + "7f1e0101" // MAC low
                + "00000007" // persistent IP, DHCP and LLA can be had
                + "00000005" // persistent IP and LLA
                + "00".repeat(12)
                + "7f1e0101" // address
                + "00".repeat(12)
                + "ff000000" // mask
                + "00".repeat(12)
                + "00000000" // gateway
                + text("Peregrine", 32)
                + text("VirtualCamera", 32)
                + text("1.0", 32)
                + text("GigE Vision device in software", 48)
                + text("SN-17", 16)
                + text("left", 16);
        assertEquals(expected, answer);
    }

    @Test
    void registersAreReadOneByOneAndInOneCommand() throws Exception {
        assertEquals("000000810004000100000bb8", client.exchangeHex("42 01 0080 0004 0001 00000938"));
        assertEquals(
                "0000008100080002" + "0002000200000001", client.exchangeHex("42 01 0080 0008 0002 00000000 00000904"));
    }

    @Test
    void memoryIsReadWithItsAddress() throws Exception {
        assertEquals(
                "0000008500080003" + "000000e8" + "6c656674",
                client.exchangeHex("42 01 0084 0008 0003 000000e8 0000 0004"));
    }

    @Test
    void refusalsCarryTheirStatus() throws Exception {
        assertEquals("8003008100000001", client.exchangeHex("42 01 0080 0004 0001 00008000"), "no such register");
        assertEquals("8005008100000001", client.exchangeHex("42 01 0080 0004 0001 00000939"), "alignment");
        assertEquals("8001020100000001", client.exchangeHex("42 01 0200 0000 0001"), "unknown command");
        assertEquals("800e008100000001", client.exchangeHex("42 01 0080 0008 0001 00000938"), "short of its length");
        assertEquals("8006008300040001" + "00000000", client.exchangeHex("42 01 0082 0008 0001 00000938 00001000"));
        client.write(0x0A00, 2);
        assertEquals("8004008300040001" + "00000000", client.exchangeHex("42 01 0082 0008 0001 00000000 00000000"));
        assertEquals(
                "8003008300040001" + "00000001",
                client.exchangeHex("42 01 0082 0010 0001 00000938 00001000 00008000 00000000"),
                "the first was written");
        assertEquals(0x8002, client.writeStatus(0xA008, 3), "width 3");
        assertEquals(0x1000, client.read(0x0938));
    }

    @Test
    void aReadThatFailsLaterKeepsWhatCameBefore() throws Exception {
        assertEquals("8003008100040001" + "00000bb8", client.exchangeHex("42 01 0080 0008 0001 00000938 00008000"));
    }

    @Test
    void aSecondControllerIsDeniedAndMayRead() throws Exception {
        client.write(0x0A00, 2);
        assertEquals(Optional.of(new InetSocketAddress("127.30.1.1", client.controlPort())), camera.controller());
        assertEquals(client.controlPort(), client.read(0x0A04));
        try (Client second = new Client(camera)) {
            assertEquals(0x8006, second.writeStatus(0x0A00, 2));
            assertEquals(0x8006, second.writeStatus(0xA008, 64));
            assertEquals(64, second.read(0xA008));
            client.write(0x0A00, 0);
            second.write(0x0A00, 2);
        }
    }

    @Test
    void anExclusiveControllerKeepsOthersFromReading() throws Exception {
        client.write(0x0A00, 1);
        try (Client second = new Client(camera)) {
            assertEquals(0x8006, second.readStatus(0xA008));
            assertEquals(248 + 8, second.exchange("42 11 0002 0000 0102").length, "discovery still works");
        }
    }

    @Test
    void silenceEndsControlAndStream() throws Exception {
        client.openStream(1500);
        client.write(0x0938, 1); // the least that the device takes is 500 ms
        assertEquals(500, client.read(0x0938));
        client.write(0xA100, 1);
        client.start();
        client.packet();
        assertTrue(camera.awaitStreaming(false, Duration.ofSeconds(10)), "the stream ends");
        assertEquals(Optional.empty(), camera.controller());
        assertEquals(0, client.read(0x0A00));
        assertEquals(0, client.read(0x0D00));
        assertEquals(0, client.read(0xA100));
        assertEquals(1, camera.statistics().heartbeatTimeouts());
    }

    @Test
    void lockedParametersAreWriteProtected() throws Exception {
        client.write(0x0A00, 2);
        client.write(0xA100, 1);
        for (int address : new int[] {0xA008, 0xA00C, 0xA018, 0x0D24, 0xA108}) {
            assertEquals(0x8004, client.writeStatus(address, client.read(address)));
        }
        client.write(0xA100, 0);
        client.write(0xA008, 128);
        client.write(0xA018, 0x01100007);
        assertEquals(128 * 32 * 2, client.read(0xA104), "payload size follows");
    }

    @Test
    void doublesAreWrittenAsAWhole() throws Exception {
        client.write(0x0A00, 2);
        assertEquals(0, client.writeDouble(0xA098, 12.5));
        assertEquals(0x8002, client.writeDouble(0xA098, -1));
        assertEquals(12.5, ByteBuffer.wrap(client.readMemory(0xA098, 8)).getDouble());
    }

    @Test
    void bothUrlsLeadToTheSameXml() throws Exception {
        String[] first = url(0x0200);
        String[] second = url(0x0400);
        assertEquals("Local:peregrine.xml", first[0]);
        assertEquals("Local:peregrine.zip", second[0]);
        byte[] xml = client.readMemory(Integer.parseInt(first[1], 16), Integer.parseInt(first[2], 16));
        byte[] zip = client.readMemory(Integer.parseInt(second[1], 16), Integer.parseInt(second[2], 16));
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            assertEquals("peregrine.xml", in.getNextEntry().getName());
            assertArrayEquals(xml, in.readAllBytes());
        }
        assertTrue(new String(xml, StandardCharsets.UTF_8).endsWith("</RegisterDescription>\n"));
    }

    private String[] url(int address) throws Exception {
        return new String(client.readMemory(address, 512), StandardCharsets.US_ASCII)
                .trim()
                .split(";");
    }

    @Test
    void forceIpIsAnsweredOnlyForTheOwnMacAddress() throws Exception {
        String rest = "00".repeat(48);
        client.send("42 01 0004 0038 0005 0000 0200 7f1e0102" + rest);
        assertEquals("0000000500000006", client.exchangeHex("42 01 0004 0038 0006 0000 0200 7f1e0101" + rest));
    }

    @Test
    void slowWritesAskForMoreTime() throws Exception {
        client.write(0x0A00, 2);
        camera.faults().pendingAcknowledge(Duration.ofMillis(20));
        assertEquals("00000089000400090000" + "0015", client.exchangeHex("42 01 0082 0008 0009 00000d08 00000007"));
        assertEquals("0000008300040009" + "00000001", HexFormat.of().formatHex(client.receive()));
    }

    @Test
    void nonsenseIsCountedAndDropped() throws Exception {
        client.send("42");
        client.send("41 01 0080 0004 0001 00000938");
        client.send("42 01 0080 0004 0000 00000938");
        client.send("42 00 0080 0004 0001 00000938"); // no answer wanted
        client.send("42 01 0040 0003 0001 000000");
        client.send(new byte[0]);
        client.send(new byte[1500]);
        assertEquals(0x00020002, client.read(0));
        assertEquals(6, camera.statistics().malformedControlPackets());
    }

    @Test
    void anySequenceOfBytesLeavesTheCameraAlive() throws Exception {
        int[] commands = {0x0002, 0x0004, 0x0040, 0x0080, 0x0082, 0x0084, 0x0086, 0x0100};
        int[] addresses = {0, 0x0A00, 0x0D00, 0x0D04, 0x0D24, 0x0FFC, 0xA008, 0xA084, 0xA098, 0xFFFC, 0x100000, -4};
        Random random = new Random(11);
        client.openStream(1500);
        try (Client other = new Client(camera)) {
            for (int i = 0; i < 3000; i++) {
                byte[] payload = new byte[random.nextInt(60)];
                random.nextBytes(payload);
                ByteBuffer packet = ByteBuffer.allocate(8 + payload.length)
                        .put((byte) 0x42)
                        .put((byte) random.nextInt(256))
                        .putShort((short) commands[random.nextInt(commands.length)])
                        .putShort((short) (random.nextInt(20) == 0 ? random.nextInt() : payload.length & ~3))
                        .putShort((short) random.nextInt())
                        .put(payload);
                if (payload.length >= 4) {
                    packet.putInt(8, addresses[random.nextInt(addresses.length)]);
                }
                packet.limit(8 + (random.nextInt(20) == 0 ? payload.length : payload.length & ~3))
                        .rewind();
                byte[] bytes = new byte[packet.remaining()];
                packet.get(bytes);
                client.send(bytes);
                if (i % 50 == 49) {
                    assertEquals(
                            248 + 8, other.exchange("42 11 0002 0000 0102").length, "still there, nothing piled up");
                }
            }
        }
        assertTrue(camera.statistics().refusedCommands() > 0);
    }

    @Test
    void testPacketsHaveTheSizeAskedFor() throws Exception {
        client.openStream(1500);
        client.write(0x0D04, 0xC0000000 | 4000);
        ByteBuffer test = client.packet();
        assertEquals(4000 - 28, test.remaining());
        assertEquals(0, test.getShort(2), "block id of a test packet");
        assertEquals(0x40000000 | 4000, client.read(0x0D04), "the fire bit clears itself");
    }

    @Test
    void severalCamerasRunAtOnce() throws Exception {
        try (VirtualCamera other = VirtualCamera.start(
                        camera.scenario().toBuilder().bindAddress("127.30.1.2").build());
                Client otherClient = new Client(other)) {
            client.write(0x0A00, 2);
            assertEquals(0, otherClient.read(0x0A00));
            assertEquals(0x7F1E0102, otherClient.read(0x0024));
        }
    }

    @Test
    void aSwitchoverKeyCannotBeFoundByTrying() throws Exception {
        client.write(0x0A00, 2);
        client.write(0x095C, 150);
        client.write(0x0A00, 6);
        try (Client thief = new Client(camera)) {
            for (int key = 1; key <= 200; key++) {
                assertEquals(0x8006, thief.writeStatus(0x0A00, key << 16 | 2));
            }
        }
    }

    @Test
    void theHolderOfTheControlTriesNoKeys() throws Exception {
        client.write(0x0A00, 2);
        client.write(0x095C, 150);
        for (int i = 0; i < 10; i++) {
            client.write(0x0A00, 6);
        }
        try (Client heir = new Client(camera)) {
            assertEquals(0, heir.writeStatus(0x0A00, 150 << 16 | 2));
        }
    }
}
