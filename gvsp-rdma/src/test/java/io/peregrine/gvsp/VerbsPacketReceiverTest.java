package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.MmsgSocket;
import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.verbs.VerbsDoubleKnobs;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reception by raw packet queues, over the double of libibverbs. */
@Tag("verbs-double")
class VerbsPacketReceiverTest extends PacketReceiverContract {
    private static final int MAX_UDP_BYTES = 65507;
    private static final int SMALL_BYTES = 8000;
    private static final InetAddress LOCAL = address("127.20.5.1");
    private static final InetAddress DEVICE = address("127.20.5.2");
    private static final int DEVICE_NUMBER = 0x7F140502;
    private static final int LOCAL_NUMBER = 0x7F140501;

    private VerbsDoubleKnobs knobs;

    @Override
    PacketReceiver open(InetAddress local, InetAddress device, int bufferBytes, StreamCounters counters) {
        int packetBytes = bufferBytes > 1 << 20 ? MAX_UDP_BYTES : SMALL_BYTES;
        VerbsSettings settings =
                new VerbsSettings(Math.max(bufferBytes, 4 * (packetBytes + 42)), packetBytes, 0, 10, List.of());
        return open(GvspSettings.defaults(local, device).withVerbs(settings), counters);
    }

    private PacketReceiver open(GvspSettings settings, StreamCounters counters) {
        knobs = new VerbsDoubleKnobs();
        return VerbsPacketReceiver.open(settings, counters, VerbsDoubleKnobs.provider());
    }

    @AfterEach
    void nothingStaysOpen() throws IOException {
        close();
        if (knobs != null) {
            assertEquals(0, knobs.get("open"));
        }
    }

    /** The double's adapter is a thread. */
    @Override
    int take(PacketReceiver from, int packets, PacketSink into) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        int taken = 0;
        while (taken < packets && System.nanoTime() < deadline) {
            taken += from.receive(into, deadline);
        }
        return taken;
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static GvspSettings settings(VerbsSettings verbs) {
        return GvspSettings.defaults(LOCAL, DEVICE).withVerbs(verbs);
    }

    private static VerbsSettings verbs(int maxPacketBytes, int vector, int maxPoll, InetSocketAddress... more) {
        return new VerbsSettings(1 << 20, maxPacketBytes, vector, maxPoll, List.of(more));
    }

    private static void send(InetAddress to, int port, ByteBuffer data) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(DEVICE, 29_817));
            channel.setOption(
                    StandardSocketOptions.IP_MULTICAST_IF,
                    NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()));
            channel.send(data, new InetSocketAddress(to, port));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void blocksThatAreKeptOutAreDropsAndLaterOnesComeAgain(boolean extended) {
        StreamCounters counters = new StreamCounters();
        List<Long> seen = new ArrayList<>();
        try (PacketReceiver receiver = open(settings(VerbsSettings.DEFAULT), counters);
                MmsgSocket sender = MmsgSocket.open(DEVICE_NUMBER, 0, 1 << 20)) {
            TestPackets packets = extended ? TestPackets.extended(100) : TestPackets.standard(100);
            for (int id = 1; id <= 10; id++) {
                if (id == 3 || id == 9) {
                    assertTrue(receiver.admit(id == 3 ? 128 : 256));
                }
                ByteBuffer packet = packets.packet(0, 0, 3, 0x5500 + id, 1, new byte[50 + id]);
                int at = sender.begin(LOCAL_NUMBER, receiver.localPort(), packet.limit());
                sender.sending().put(at, packet, 0, packet.limit());
                sender.commit();
                sender.flush();
                // The share is that at the time of looking.
                take(receiver, 1, idsTo(seen));
            }
        }
        assertEquals(List.of(1L, 2L, 4L, 6L, 8L, 9L, 10L), seen);
        assertEquals(3, counters.get(Counter.KERNEL_DROPS));
    }

    @Test
    void packetsAboveTheLimitAreRejectedAndCounted() throws IOException {
        StreamCounters counters = new StreamCounters();
        List<Integer> lengths = new ArrayList<>();
        try (PacketReceiver receiver = open(settings(verbs(1000, 0, 10)), counters)) {
            send(LOCAL, receiver.localPort(), ByteBuffer.allocate(1001));
            send(LOCAL, receiver.localPort(), ByteBuffer.allocate(1000));
            take(receiver, 2, (packet, offset, length, now) -> lengths.add(length));
        }
        assertEquals(List.of(1000), lengths);
        assertEquals(1, counters.get(Counter.PACKETS_MALFORMED));
    }

    @Test
    void packetsToEveryEndpointOfTheStreamCome() throws IOException {
        InetAddress group = address("239.192.20.5");
        InetAddress other = address("127.20.5.7");
        List<Integer> seen = new ArrayList<>();
        VerbsSettings both =
                verbs(1000, 0, 10, new InetSocketAddress(group, 29_811), new InetSocketAddress(other, 29_812));
        try (PacketReceiver receiver = open(settings(both), new StreamCounters())) {
            send(group, 29_811, ByteBuffer.allocate(8).putInt(0, 1));
            send(other, 29_812, ByteBuffer.allocate(8).putInt(0, 2));
            send(LOCAL, receiver.localPort(), ByteBuffer.allocate(8).putInt(0, 3));
            take(receiver, 3, (packet, offset, length, now) -> seen.add(packet.getInt(offset)));
        }
        assertEquals(List.of(1, 2, 3), seen);
    }

    @Test
    void groupOfTheStreamIsJoinedAndReceived() throws IOException {
        Inet4Address group = (Inet4Address) address("239.192.20.6");
        List<Integer> seen = new ArrayList<>();
        try (PacketReceiver receiver = open(
                settings(VerbsSettings.DEFAULT).withGroup(new MulticastGroup(group, 29_813, true)),
                new StreamCounters())) {
            assertEquals(29_813, receiver.localPort());
            send(group, 29_813, ByteBuffer.allocate(8).putInt(0, 1));
            take(receiver, 1, (packet, offset, length, now) -> seen.add(packet.getInt(offset)));
        }
        assertEquals(List.of(1), seen);
    }

    @Test
    void interruptIsArmedAfterAsManyPollsInARowAsAllowed() {
        try (PacketReceiver receiver = open(settings(verbs(1000, 0, 25)), new StreamCounters())) {
            long polls = knobs.get("polls");
            long armed = knobs.get("armed");
            receiver.receive((packet, offset, length, now) -> {}, System.nanoTime() + 5_000_000);
            assertEquals(1, knobs.get("armed") - armed);
            // One before waiting, those allowed less the last, one after arming, one after waiting.
            long polled = knobs.get("polls") - polls;
            assertTrue(polled >= 25 && polled <= 28, polled + " polls");
        }
    }

    @Test
    void negativeCompletionVectorNeverSleeps() throws IOException {
        List<Integer> seen = new ArrayList<>();
        try (PacketReceiver receiver = open(settings(verbs(1000, -1, 10)), new StreamCounters())) {
            long armed = knobs.get("armed");
            send(LOCAL, receiver.localPort(), ByteBuffer.allocate(8).putInt(0, 1));
            take(receiver, 1, (packet, offset, length, now) -> seen.add(packet.getInt(offset)));
            assertEquals(0, receiver.receive((packet, offset, length, now) -> {}, System.nanoTime() + 5_000_000));
            assertEquals(0, knobs.get("armed") - armed);
            assertEquals(-1, knobs.get("vector"));
        }
        assertEquals(List.of(1), seen);
    }

    @Test
    void bufferHoldsAsManyPacketsAsFitAndNoMoreThanTheAdapterTakes() {
        knobs = new VerbsDoubleKnobs();
        try (PacketReceiver receiver = open(settings(verbs(1000, 0, 10)), new StreamCounters())) {
            assertEquals((1 << 20) / 1042, knobs.get("depth"));
            assertEquals((1 << 20) / 1042 * 1042, receiver.receiveBufferBytes());
        }
        try (VerbsDoubleKnobs fewer = new VerbsDoubleKnobs().set("max_qp_wr", 100);
                PacketReceiver receiver = open(settings(verbs(1000, 0, 10)), new StreamCounters())) {
            assertEquals(100, fewer.get("depth"));
            assertEquals(100 * 1042, receiver.receiveBufferBytes());
        }
    }

    @Test
    void kindIsVerbsAndAPortThatIsTakenIsRefusedByName() {
        try (PacketReceiver receiver =
                open(settings(VerbsSettings.DEFAULT).withLocalPort(29_814), new StreamCounters())) {
            assertEquals(PacketReceiverKind.VERBS, receiver.kind());
            String said = assertThrows(
                            StreamException.class,
                            () -> PacketReceivers.open(
                                    PacketReceiverKind.VERBS,
                                    settings(VerbsSettings.DEFAULT).withLocalPort(29_814),
                                    new StreamCounters()))
                    .getMessage();
            assertTrue(said.contains("29814"), said);
        }
    }

    @Test
    void autoNeverTakesIt() {
        knobs = new VerbsDoubleKnobs();
        try (PacketReceiver receiver =
                PacketReceivers.open(PacketReceiverKind.AUTO, settings(VerbsSettings.DEFAULT), new StreamCounters())) {
            assertTrue(receiver.kind() != PacketReceiverKind.VERBS);
        }
    }

    @Test
    void refusalNamesTheReceiverAndWhatIsMissing() {
        try (VerbsDoubleKnobs without = new VerbsDoubleKnobs().set("flow_steering", 0)) {
            long open = without.get("open");
            String said = assertThrows(
                            StreamException.class,
                            () -> PacketReceivers.open(
                                    PacketReceiverKind.VERBS, settings(VerbsSettings.DEFAULT), new StreamCounters()))
                    .getMessage();
            assertTrue(said.contains("VERBS") && said.contains("flow steering"), said);
            assertEquals(open, without.get("open"));
        }
    }
}
