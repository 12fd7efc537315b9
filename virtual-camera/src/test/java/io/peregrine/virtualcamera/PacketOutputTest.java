package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.testing.Needs;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PacketOutputTest {
    private static final int PACKETS = 300;
    private static final int DATA_BYTES = 1000;
    private static final int SHORT_BYTES = 17;

    /** Every way out of the camera. */
    enum Way {
        ONE_BY_ONE,
        BATCHES,
        RUNS
    }

    private final InetAddress address = InetAddress.getLoopbackAddress();
    private final Counters counters = new Counters();
    private DatagramSocket receiver;

    @BeforeEach
    void open() throws IOException {
        receiver = new DatagramSocket(new InetSocketAddress(address, 0));
        receiver.setReceiveBufferSize(4 << 20);
        receiver.setSoTimeout(5000);
    }

    @AfterEach
    void close() {
        receiver.close();
    }

    private PacketOutput output(Way way) throws IOException {
        if (way == Way.ONE_BY_ONE) {
            return NioPacketOutput.open(address, 1, counters);
        }
        Needs.noProblem(Sockets.problem(), "the C library of Linux");
        return MmsgPacketOutput.open(address, way == Way.RUNS, 1, counters);
    }

    private InetSocketAddress destination() {
        return new InetSocketAddress(address, receiver.getLocalPort());
    }

    private DatagramPacket next() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65536], 65536);
        receiver.receive(packet);
        return packet;
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void packetsOfABatchArriveWholeAndInOrder(Way way) throws IOException {
        ByteBuffer memory = ByteBuffer.allocateDirect(PACKETS * DATA_BYTES);
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) (i * 31 + (i >> 8)));
        }
        try (PacketOutput output = output(way)) {
            output.begin(destination(), memory);
            for (int begin = 0; begin < PACKETS; begin += 50) {
                for (int i = begin; i < begin + 50; i++) {
                    ByteBuffer head = ByteBuffer.allocate(8).putLong(i).flip();
                    output.add(head, i * DATA_BYTES, i % 50 == 49 ? SHORT_BYTES : DATA_BYTES);
                }
                output.flush();
                for (int i = begin; i < begin + 50; i++) {
                    DatagramPacket packet = next();
                    byte[] expected = new byte[8 + (i % 50 == 49 ? SHORT_BYTES : DATA_BYTES)];
                    ByteBuffer.wrap(expected).putLong(i);
                    memory.get(i * DATA_BYTES, expected, 8, expected.length - 8);
                    assertArrayEquals(expected, Arrays.copyOf(packet.getData(), packet.getLength()));
                    assertEquals(output.port(), packet.getPort());
                }
            }
        }
        assertEquals(PACKETS, counters.packetsSent.sum());
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aLongerPacketBehindAShortOneIsNotJoined(Way way) throws IOException {
        ByteBuffer memory = ByteBuffer.allocateDirect(DATA_BYTES);
        int[] lengths = {SHORT_BYTES, DATA_BYTES, DATA_BYTES, SHORT_BYTES, 0, DATA_BYTES};
        try (PacketOutput output = output(way)) {
            output.begin(destination(), memory);
            for (int length : lengths) {
                output.add(ByteBuffer.allocate(8), 0, length);
            }
            output.flush();
            for (int length : lengths) {
                assertEquals(8 + length, next().getLength());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aPacketLongerThanTheSystemTakesIsCountedAndDoesNotStopTheRest(Way way) throws IOException {
        ByteBuffer memory = ByteBuffer.allocateDirect(65536);
        try (PacketOutput output = output(way)) {
            output.begin(destination(), memory);
            output.add(ByteBuffer.allocate(8), 0, 65528);
            output.add(ByteBuffer.allocate(8), 0, 100);
            output.flush();
            assertEquals(108, next().getLength());
        }
        assertEquals(1, counters.sendFailures.sum());
        assertEquals(1, counters.packetsSent.sum());
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, mode = EnumSource.Mode.EXCLUDE, names = "ONE_BY_ONE")
    void onePacketGoesAtOnceAndLeavesTheBatchAlone(Way way) throws IOException {
        ByteBuffer memory = ByteBuffer.allocateDirect(DATA_BYTES);
        try (PacketOutput output = output(way)) {
            output.begin(destination(), memory);
            output.add(ByteBuffer.allocate(8), 0, 100);
            output.send(ByteBuffer.wrap(new byte[] {1, 2, 3}), destination());
            assertEquals(3, next().getLength());
            output.flush();
            assertEquals(108, next().getLength());
        }
    }
}
