package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.MmsgSocket;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Needs;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs of packets whose data the system put where the next packets of the block belong, rightly or not. */
class PlacementTest {
    private static final int LOCAL = 0x7F140501;
    private static final int DEVICE = 0x7F140502;
    private static final int DATA_BYTES = 1000;
    private static final int WIDTH = 500;
    private static final int HEIGHT = 41;
    private static final int IMAGE_BYTES = WIDTH * HEIGHT;
    /** 20 full packets and one of 500 bytes, leader and trailer. */
    private static final int PACKETS = 23;

    private final TestPackets packets = TestPackets.standard(DATA_BYTES);
    private final AssemblerRig rig =
            new AssemblerRig(AssemblerRig.settings().withPacketSizeBytes(DATA_BYTES + 36), 4, IMAGE_BYTES);
    private int inPlace;
    private MmsgPacketReceiver receiver;
    private MmsgSocket device;

    /** Counts what is in place. */
    private final PacketSink sink = new PacketSink() {
        @Override
        public void onPacket(ByteBuffer packet, int offset, int lengthBytes, long nowNanos) {
            rig.assembler.onPacket(packet, offset, lengthBytes, rig.now);
        }

        @Override
        public boolean expect(ExpectedPackets next) {
            return rig.assembler.expect(next);
        }

        @Override
        public int onRunInPlace(
                ByteBuffer heads,
                int offset,
                int strideBytes,
                int count,
                int lengthBytes,
                int segmentBytes,
                long nowNanos) {
            int taken =
                    rig.assembler.onRunInPlace(heads, offset, strideBytes, count, lengthBytes, segmentBytes, rig.now);
            inPlace += taken;
            return taken;
        }
    };

    @BeforeEach
    void open() throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        receiver = MmsgPacketReceiver.open(address(LOCAL), address(DEVICE), 1 << 20, rig.statistics);
        device = MmsgSocket.open(DEVICE, 0, 1 << 20);
    }

    @AfterEach
    void close() {
        receiver.close();
        device.close();
    }

    private static InetAddress address(int number) throws Exception {
        return InetAddress.getByAddress(ByteBuffer.allocate(4).putInt(number).array());
    }

    /** Sends packets, joined to runs as far as their lengths allow, and receives them. */
    private void pass(MmsgSocket from, List<ByteBuffer> sent) {
        for (ByteBuffer packet : sent) {
            int at = from.begin(LOCAL, receiver.localPort(), packet.remaining());
            from.sending().put(at, packet, packet.position(), packet.remaining());
            from.commit();
        }
        from.flush();
        while (receiver.receive(sink, System.nanoTime()) > 0) {
            // Until nothing is left.
        }
    }

    @Test
    void packetsInOrderAreTakenWhereTheyAre() {
        List<ByteBuffer> image = packets.image(1, WIDTH, HEIGHT);
        pass(device, image.subList(0, 1));
        pass(device, image.subList(1, 12));
        pass(device, image.subList(12, PACKETS));
        rig.expectComplete(0, IMAGE_BYTES);
        // The short last one is joined to the run, the trailer is not.
        assertEquals(PACKETS - 2, inPlace);
    }

    @Test
    void packetsOutOfOrderAreMovedToTheirPlaces() {
        List<ByteBuffer> image = packets.image(1, WIDTH, HEIGHT);
        List<ByteBuffer> mixed = new ArrayList<>(image.subList(1, 21));
        Collections.swap(mixed, 3, 4);
        Collections.rotate(mixed.subList(8, 15), 3);
        pass(device, image.subList(0, 1));
        pass(device, mixed);
        pass(device, image.subList(21, PACKETS));
        rig.expectComplete(0, IMAGE_BYTES);
        assertTrue(inPlace >= 3, () -> "in place: " + inPlace);
    }

    @Test
    void aMissingPacketIsAskedForAndFindsItsPlace() {
        List<ByteBuffer> image = packets.image(1, WIDTH, HEIGHT);
        List<ByteBuffer> torn = new ArrayList<>(image.subList(1, PACKETS));
        torn.remove(6);
        pass(device, image.subList(0, 1));
        pass(device, torn);
        rig.pass(2);
        assertEquals(List.of(new AssemblerRig.Request(1, 7, 7, false)), rig.requests);
        pass(device, List.of(packets.resent(image.get(7))));
        rig.expectComplete(0, IMAGE_BYTES);
    }

    @Test
    void theNextBlockInTheSameRunIsNotTakenForThisOne() {
        List<ByteBuffer> first = packets.image(1, WIDTH, HEIGHT);
        List<ByteBuffer> second = packets.image(2, WIDTH, HEIGHT);
        pass(device, first.subList(0, 1));
        List<ByteBuffer> both = new ArrayList<>(first.subList(1, 15));
        both.addAll(second.subList(1, 10));
        pass(device, both);
        pass(device, first.subList(15, PACKETS));
        pass(device, second.subList(0, 1));
        pass(device, second.subList(10, PACKETS));
        assertEquals(List.of(1L, 2L), rig.blockIds());
        rig.expectComplete(0, IMAGE_BYTES);
        rig.expectComplete(1, IMAGE_BYTES);
    }

    @Test
    void whatAStrangerSendsSpoilsNothing() {
        List<ByteBuffer> image = packets.image(1, WIDTH, HEIGHT);
        pass(device, image.subList(0, 5));
        try (MmsgSocket stranger = MmsgSocket.open(DEVICE + 1, 0, 1 << 20)) {
            pass(stranger, packets.image(9, WIDTH, HEIGHT).subList(5, 12));
        }
        pass(device, image.subList(5, PACKETS));
        rig.expectComplete(0, IMAGE_BYTES);
        assertEquals(7, rig.count(Counter.PACKETS_FOREIGN_SOURCE));
    }

    @Test
    void packetsOfAnotherLengthThanExpectedAreMovedToTheirPlaces() {
        for (int dataBytes : new int[] {700, 1300}) {
            inPlace = 0;
            rig.assembler.end();
            rig.frames.clear();
            List<ByteBuffer> image = TestPackets.standard(dataBytes).image(1, WIDTH, HEIGHT);
            pass(device, image.subList(0, 1));
            pass(device, image.subList(1, image.size()));
            rig.expectComplete(0, IMAGE_BYTES);
        }
    }

    @Test
    void aPacketTwiceIsCountedAndKeptOnce() {
        List<ByteBuffer> image = packets.image(1, WIDTH, HEIGHT);
        List<ByteBuffer> twice = new ArrayList<>(image.subList(1, PACKETS));
        twice.add(5, image.get(5));
        pass(device, image.subList(0, 1));
        pass(device, twice);
        rig.expectComplete(0, IMAGE_BYTES);
        assertEquals(1, rig.count(Counter.PACKETS_DUPLICATE));
    }
}
