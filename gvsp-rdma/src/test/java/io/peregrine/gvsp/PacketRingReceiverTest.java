package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.MmsgSocket;
import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.testing.Needs;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacketRingReceiverTest extends PacketReceiverContract {
    private static final int LOCAL = 0x7F140401;
    private static final int DEVICE = 0x7F140402;

    @Override
    PacketReceiver open(InetAddress local, InetAddress device, int bufferBytes, StreamCounters counters) {
        return open(local, device, bufferBytes, 9000, counters);
    }

    private static PacketReceiver open(
            InetAddress local, InetAddress device, int bufferBytes, int packetBytes, StreamCounters counters) {
        try {
            return PacketRingReceiver.open(local, device, bufferBytes, packetBytes, counters);
        } catch (NativeUnavailableException e) {
            throw Needs.missing("a packet ring: " + e.getMessage());
        }
    }

    /** The receiver may see a packet before the next one is there. */
    @Override
    int take(PacketReceiver from, int packets, PacketSink into) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        int taken = 0;
        while (taken < packets && System.nanoTime() < deadline) {
            taken += from.receive(into, deadline);
        }
        return taken;
    }

    @Test
    void runsThatTheKernelHasNotCutAreTakenApart() throws Exception {
        List<String> seen = new ArrayList<>();
        try (PacketReceiver receiver = open(address(LOCAL), address(DEVICE), 1 << 20, new StreamCounters());
                MmsgSocket sender = MmsgSocket.open(DEVICE, 0, 1 << 20)) {
            int[] lengths = {1000, 1000, 1000, 500, 700};
            for (int i = 0; i < lengths.length; i++) {
                int at = sender.begin(LOCAL, receiver.localPort(), lengths[i]);
                sender.sending().putInt(at, i);
                sender.commit();
            }
            sender.flush();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (seen.size() < lengths.length) {
                receiver.receive(
                        (packet, offset, length, now) -> seen.add(packet.getInt(offset) + "/" + length), deadline);
            }
        }
        assertEquals(List.of("0/1000", "1/1000", "2/1000", "3/500", "4/700"), seen);
    }

    /** Loopback passes runs on, so that it counts as an interface that joins packets. */
    @Test
    void aSlotForARunHasRoomForNoMoreThanWhatItHadBefore() throws Exception {
        try (PacketReceiver receiver = open(address(LOCAL), address(DEVICE), 1 << 26, 1500, new StreamCounters());
                MmsgSocket sender = MmsgSocket.open(DEVICE, 0, 1 << 20)) {
            PacketRingReceiver ring = (PacketRingReceiver) receiver;
            assertEquals(1024 * 1500, ring.roomBytes());
            for (int i = 0; i < 40; i++) {
                sender.begin(LOCAL, receiver.localPort(), 1400);
                sender.commit();
            }
            sender.flush();
            take(receiver, 40, (packet, offset, length, now) -> {});
            assertEquals(1024 * 40 * 1400, ring.roomBytes());
        }
    }

    @Test
    void packetsLongerThanASlotComeInTheirOrder() throws Exception {
        List<String> seen = new ArrayList<>();
        StreamCounters counters = new StreamCounters();
        try (PacketReceiver receiver = open(address(LOCAL), address(DEVICE), 1 << 20, 200, counters);
                MmsgSocket sender = MmsgSocket.open(DEVICE, 0, 1 << 20)) {
            int[] lengths = {100, 9000, 120, 65_000, 90};
            for (int i = 0; i < lengths.length; i++) {
                int at = sender.begin(LOCAL, receiver.localPort(), lengths[i]);
                sender.sending().putInt(at, i);
                sender.commit();
                sender.flush();
            }
            take(
                    receiver,
                    lengths.length,
                    (packet, offset, length, now) -> seen.add(packet.getInt(offset) + "/" + length));
        }
        assertEquals(List.of("0/100", "1/9000", "2/120", "3/65000", "4/90"), seen);
        assertEquals(0, counters.get(Counter.PACKETS_MALFORMED));
    }

    @Test
    void longPacketsForWhichTheKernelHasNoMemoryCountAsDropped() throws Exception {
        StreamCounters counters = new StreamCounters();
        int sent = 300;
        int[] received = {0};
        try (PacketReceiver receiver = open(address(LOCAL), address(DEVICE), 1 << 20, 200, counters);
                MmsgSocket sender = MmsgSocket.open(DEVICE, 0, 1 << 20)) {
            for (int i = 0; i < sent; i++) {
                sender.begin(LOCAL, receiver.localPort(), 65_000);
                sender.commit();
                sender.flush();
            }
            take(receiver, sent, (packet, offset, length, now) -> received[0]++);
        }
        assertTrue(counters.get(Counter.KERNEL_DROPS) > 0);
        assertEquals(sent, received[0] + counters.get(Counter.KERNEL_DROPS));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void blocksThatAreKeptOutDoNotComeAndLaterOnesDo(boolean extended) throws Exception {
        List<Long> seen = new ArrayList<>();
        try (PacketReceiver receiver = open(address(LOCAL), address(DEVICE), 1 << 20, new StreamCounters());
                MmsgSocket sender = MmsgSocket.open(DEVICE, 0, 1 << 20)) {
            sendTenBlocksWithThreeOfThemKeptOut(sender, LOCAL, receiver, extended);
            take(receiver, 7, idsTo(seen));
        }
        assertEquals(List.of(1L, 2L, 4L, 6L, 8L, 9L, 10L), seen);
    }

    private static long packetSockets() throws IOException {
        try (Stream<String> sockets = Files.lines(Path.of("/proc/self/net/packet"))) {
            return sockets.count();
        }
    }

    @Test
    void noRingIsLeftOpenForADeviceWithoutAnIpv4Address() throws Exception {
        open(address(LOCAL), address(DEVICE), 1 << 20, new StreamCounters()).close();
        long before = packetSockets();
        InetAddress six = InetAddress.getByAddress(new byte[16]);
        assertThrows(StreamException.class, () -> open(address(LOCAL), six, 1 << 20, new StreamCounters()));
        assertEquals(before, packetSockets());
    }

    private static InetAddress address(int number) throws Exception {
        return InetAddress.getByAddress(ByteBuffer.allocate(4).putInt(number).array());
    }
}
