package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ExpectedWarning;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sending by the double of libibverbs, seen by a packet socket. */
@Tag("verbs-double")
@Timeout(60)
class VerbsPacketOutputTest {
    private static final String CAMERA = "127.31.0.1";
    private static final String HOST = "127.31.0.2";
    private static final String GROUP = "239.192.31.1";
    private static final int PORT = 29_901;
    private static final int DATA_BYTES = 1000;
    private static final int HEADERS = 42;

    private final Counters counters = new Counters();
    private VerbsDoubleProcess knobs;
    private PacketOutput output;
    private WireTap wire;

    @BeforeEach
    void open() throws IOException {
        knobs = new VerbsDoubleProcess();
        wire = new WireTap(PORT);
    }

    @AfterEach
    void nothingStaysOpen() {
        if (output != null) {
            output.close();
        }
        if (wire != null) {
            wire.close();
        }
        if (knobs != null) {
            knobs.close();
            assertEquals(0, knobs.get("open"), "things that were made and not destroyed");
        }
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static ScenarioBuilder scenario() {
        return Scenario.builder()
                .bindAddress(CAMERA)
                .linkSpeedMegabits(0)
                .sending(Scenario.Sending.VERBS.withBufferBytes(8 << 20));
    }

    private PacketOutput.Opened open(ScenarioBuilder scenario) throws IOException {
        PacketOutput.Opened opened = PacketOutput.open(address(CAMERA), scenario.build(), counters);
        output = opened.output();
        return opened;
    }

    private static ByteBuffer memory(int packets) {
        ByteBuffer memory = ByteBuffer.allocateDirect(packets * DATA_BYTES);
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) (i * 31 + (i >> 8)));
        }
        return memory;
    }

    private void send(String to, ByteBuffer memory, int packets) {
        output.begin(new InetSocketAddress(to, PORT), memory);
        for (int i = 0; i < packets; i++) {
            output.add(ByteBuffer.allocate(8).putLong(0, i), i * DATA_BYTES, DATA_BYTES - i % 3);
        }
        output.flush();
    }

    private static void assertPackets(List<byte[]> packets, ByteBuffer memory) {
        for (int i = 0; i < packets.size(); i++) {
            byte[] expected = new byte[8 + DATA_BYTES - i % 3];
            ByteBuffer.wrap(expected).putLong(i);
            memory.get(i * DATA_BYTES, expected, 8, expected.length - 8);
            assertArrayEquals(expected, Arrays.copyOfRange(packets.get(i), HEADERS, packets.get(i).length));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4096, 1 << 20, 64 << 20})
    void packetsLeaveInOrderAndTheirDataIsNotCopied(int bufferBytes) throws IOException {
        open(scenario().sending(Scenario.Sending.VERBS.withBufferBytes(bufferBytes)));
        ByteBuffer memory = memory(300);
        long pieces = knobs.get("pieces");
        send(HOST, memory, 300);
        assertPackets(wire.take(300), memory);
        // A copied packet has one piece.
        assertEquals(600, knobs.get("pieces") - pieces);
        assertEquals(300, counters.packetsSent.sum());
        assertEquals(300, counters.packetsSentByVerbs.sum());
        assertEquals(300 * (8 + DATA_BYTES) - 300, counters.bytesSent.sum());
        assertEquals("by verbs (double0)", output.state());
    }

    @Test
    void packetsToAGroupHaveItsMacAddressAndTheTimeToLive() throws IOException {
        open(scenario().multicastTtl(7));
        send(GROUP, memory(1), 1);
        byte[] packet = wire.take(1).get(0);
        assertArrayEquals(new byte[] {1, 0, 0x5E, 0x40, 31, 1}, Arrays.copyOf(packet, 6));
        assertEquals(7, packet[22]);
        ByteBuffer view = ByteBuffer.wrap(packet);
        assertEquals(output.port(), Short.toUnsignedInt(view.getShort(34)));
    }

    @Test
    void timeToLiveOfPacketsToAHostIsThatOfTheSystem() throws IOException {
        open(scenario().multicastTtl(7));
        send(HOST, memory(1), 1);
        assertEquals(64, wire.take(1).get(0)[22]);
    }

    @Test
    void singlePacketLeavesAtOnceAndTheBatchToo() throws IOException {
        open(scenario());
        output.begin(new InetSocketAddress(HOST, PORT), memory(1));
        output.add(ByteBuffer.allocate(8), 0, 100);
        output.send(ByteBuffer.wrap(new byte[] {1, 2, 3}), new InetSocketAddress(HOST, PORT));
        List<byte[]> packets = wire.take(2);
        assertEquals(HEADERS + 108, packets.get(0).length);
        assertArrayEquals(new byte[] {1, 2, 3}, Arrays.copyOfRange(packets.get(1), HEADERS, HEADERS + 3));
    }

    @Test
    @ExpectedWarning("Blocks are copied for the adapter")
    void memoryThatTheAdapterCannotReadIsCopied() throws IOException {
        open(scenario());
        knobs.set("region_error", 12);
        ByteBuffer memory = memory(50);
        long pieces = knobs.get("pieces");
        send(HOST, memory, 50);
        assertPackets(wire.take(50), memory);
        assertEquals(50, knobs.get("pieces") - pieces);
    }

    @Test
    void memoryMayChangeWhenItsPacketsWereSent() throws IOException {
        open(scenario());
        ByteBuffer memory = memory(300);
        long sent = knobs.get("sent");
        send(HOST, memory, 100);
        output.awaitSent(memory);
        assertEquals(100, knobs.get("sent") - sent);
    }

    @Test
    void forgottenMemoryIsNoLongerRegistered() throws IOException {
        open(scenario());
        long before = knobs.get("regions");
        send(HOST, memory(1), 1);
        send(HOST, memory(1), 1);
        assertEquals(2, knobs.get("regions") - before);
        output.forget();
        assertEquals(0, knobs.get("regions") - before);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "6,2", "-1,-1"})
    void completionVectorIsTakenModuloThoseOfTheAdapterAndNegativeNeverSleeps(int wanted, long taken)
            throws IOException {
        open(scenario().sending(Scenario.Sending.VERBS.withBufferBytes(4096).withCompletionVector(wanted)));
        assertEquals(taken, knobs.get("vector"));
        ByteBuffer memory = memory(200);
        long armed = knobs.get("armed");
        send(HOST, memory, 200);
        output.awaitSent(memory);
        if (wanted < 0) {
            assertEquals(armed, knobs.get("armed"));
        }
        assertPackets(wire.take(200), memory);
    }

    @Test
    @ExpectedWarning("sent by a socket from now on, not by verbs: the adapter sends nothing")
    void interruptIsArmedAfterAsManyPollsInARowAsAllowed() throws IOException {
        open(scenario().sending(Scenario.Sending.VERBS.withMaxPoll(25)));
        knobs.set("send_hold", 1);
        ByteBuffer memory = memory(1);
        send(HOST, memory, 1);
        long polls = knobs.get("polls");
        long armed = knobs.get("armed");
        output.awaitSent(memory);
        long rounds = (knobs.get("polls") - polls) / 25;
        // It waits for 100 ms at a time, 2 s in all, and polls again after each.
        assertTrue(rounds >= 1 && rounds <= 40, rounds + " rounds");
        assertEquals(1, knobs.get("armed") - armed);
        assertTrue(output.state().endsWith("since verbs failed: the adapter sends nothing"), output.state());
    }

    @Test
    void bufferHoldsAsManyPacketsAsFitAndNoMoreThanTheAdapterTakes() throws IOException {
        open(scenario());
        // The largest packet of a loopback interface.
        assertEquals((8 << 20) / 65549, knobs.get("send_depth"));
        output.close();
        knobs.set("max_qp_wr", 10);
        open(scenario());
        assertEquals(10, knobs.get("send_depth"));
    }

    @Test
    void adapterKeepsTheSpeedOfTheLinkWhereItCan() throws IOException {
        knobs.set("rate_limit_error", 0);
        open(scenario().linkSpeedMegabits(2500));
        assertEquals(2_500_000, knobs.get("rate_kbps"));
        assertTrue(output.paced());
        assertEquals("by verbs (double0), paced by the adapter", output.state());
    }

    @ParameterizedTest
    @CsvSource({"rate_limit_error,22,Invalid argument (error 22)", "extended,0,Operation not supported (error 95)"})
    void cameraKeepsTheSpeedOfTheLinkWhereTheAdapterCannot(String knob, long value, String reason) throws IOException {
        knobs.set("rate_limit_error", 0).set(knob, value);
        open(scenario().linkSpeedMegabits(2500));
        assertFalse(output.paced());
        assertEquals("by verbs (double0), paced by this program (of the adapter: " + reason + ")", output.state());
    }

    @Test
    void customDeviceSendsItsFramesByVerbs() {
        try (VirtualDevice device = VirtualDevice.builder("Own Maker", "Own")
                .bindAddress(CAMERA)
                .port(0)
                .frames(8, 4, "Mono8", 100, (blockId, frame) -> {})
                .sending(Scenario.Sending.VERBS)
                .start()) {
            assertTrue(device.sendState().startsWith("by verbs (double0)"), device.sendState());
        }
    }

    private DatagramSocket socketReceiver() throws IOException {
        DatagramSocket socket = new DatagramSocket(new InetSocketAddress(HOST, PORT));
        socket.setSoTimeout(5000);
        return socket;
    }

    @ParameterizedTest
    @CsvSource({
        "bind_error,19,no adapter with verbs is behind 127.31.0.1",
        "qp_error,1,CAP_NET_RAW",
        "max_sge,1,2 are needed",
        "region_error,12,ulimit -l"
    })
    @ExpectedWarning("Stream packets are sent by a socket, not by verbs: ")
    void whereVerbsAreMissingASocketSendsAndTheReasonIsKnown(String knob, long value, String reason)
            throws IOException {
        knobs.set(knob, value);
        String state = open(scenario()).state();
        assertTrue(state.startsWith("by a socket, not by verbs: ") && state.contains(reason), state);
        try (DatagramSocket host = socketReceiver()) {
            send(HOST, memory(1), 1);
            DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
            host.receive(packet);
            assertEquals(8 + DATA_BYTES, packet.getLength());
            assertEquals(output.port(), packet.getPort());
        }
        assertEquals(0, counters.packetsSentByVerbs.sum());
        assertEquals(1, counters.packetsSent.sum());
    }

    @Test
    @ExpectedWarning("Stream packets are sent by a socket from now on, not by verbs: .*status 4")
    void socketGoesOnWhereTheAdapterFails() throws IOException {
        open(scenario());
        knobs.set("send_fails", 4);
        ByteBuffer memory = memory(2);
        send(HOST, memory, 2);
        output.awaitSent(memory);
        assertEquals(2, counters.sendFailures.sum());
        assertEquals(0, counters.packetsSent.sum());
        try (DatagramSocket host = socketReceiver()) {
            send(HOST, memory, 2);
            DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
            host.receive(packet);
            assertEquals(8 + DATA_BYTES, packet.getLength());
        }
        assertEquals(2, counters.packetsSent.sum());
        assertEquals(0, counters.packetsSentByVerbs.sum());
        assertTrue(output.state().startsWith("by a socket, since verbs failed: "), output.state());
    }
}
