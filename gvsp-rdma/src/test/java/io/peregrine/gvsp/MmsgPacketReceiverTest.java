package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.MmsgSocket;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.testing.Needs;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MmsgPacketReceiverTest extends PacketReceiverContract {
    private static final int LOCAL = 0x7F140301;
    private static final int DEVICE = 0x7F140302;

    @Override
    PacketReceiver open(InetAddress local, InetAddress device, int bufferBytes, StreamCounters counters) {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        return MmsgPacketReceiver.open(local, device, bufferBytes, counters);
    }

    private static InetAddress address(int number) throws Exception {
        return InetAddress.getByAddress(ByteBuffer.allocate(4).putInt(number).array());
    }

    /** Sends datagrams that the kernel joins, and returns what arrives at a receiver for a device. */
    private static List<String> receiveRun(int device, StreamCounters counters, int... lengths) throws Exception {
        List<String> seen = new ArrayList<>();
        try (PacketReceiver receiver = MmsgPacketReceiver.open(address(LOCAL), address(device), 1 << 20, counters);
                MmsgSocket sender = MmsgSocket.open(DEVICE, 0, 1 << 20)) {
            for (int i = 0; i < lengths.length; i++) {
                int at = sender.begin(LOCAL, receiver.localPort(), lengths[i]);
                sender.sending().putInt(at, i);
                sender.commit();
            }
            sender.flush();
            receiver.receive(
                    (packet, offset, length, now) -> seen.add(packet.getInt(offset) + "/" + length), System.nanoTime());
        }
        return seen;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void blocksThatAreKeptOutAreDropsOfTheKernelAndLaterOnesComeAgain(boolean extended) throws Exception {
        StreamCounters counters = new StreamCounters();
        List<Long> seen = new ArrayList<>();
        try (PacketReceiver receiver = MmsgPacketReceiver.open(address(LOCAL), address(DEVICE), 1 << 20, counters);
                MmsgSocket sender = MmsgSocket.open(DEVICE, 0, 1 << 20)) {
            sendTenBlocksWithThreeOfThemKeptOut(sender, LOCAL, receiver, extended);
            receiver.receive(idsTo(seen), System.nanoTime());
        }
        assertEquals(List.of(1L, 2L, 4L, 6L, 8L, 9L, 10L), seen);
        assertEquals(3, counters.get(Counter.KERNEL_DROPS));
    }

    @Test
    void joinedPacketsAreTakenApart() throws Exception {
        assertEquals(
                List.of("0/1000", "1/1000", "2/1000", "3/500"),
                receiveRun(DEVICE, new StreamCounters(), 1000, 1000, 1000, 500));
    }

    @Test
    void eachOfTheJoinedPacketsOfAStrangerIsCounted() throws Exception {
        StreamCounters counters = new StreamCounters();
        assertEquals(List.of(), receiveRun(DEVICE + 1, counters, 1000, 1000, 1000, 500));
        assertEquals(4, counters.get(Counter.PACKETS_FOREIGN_SOURCE));
    }

    @Test
    void otherThanIpv4IsRefused() throws Exception {
        InetAddress six = InetAddress.getByAddress(new byte[16]);
        assertThrows(StreamException.class, () -> MmsgPacketReceiver.open(six, six, 1 << 16, new StreamCounters()));
    }
}
