package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.testing.Needs;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups on the loopback interface. */
@Timeout(60)
class MulticastReceptionTest {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final String LOCAL = "127.0.0.1";
    private static final String DEVICE = "127.20.3.2";
    private static final String STRANGER = "127.20.3.3";
    private static final String GROUP = "239.192.20.3";

    private final StreamCounters statistics = new StreamCounters();

    @BeforeEach
    void loopbackCarriesGroups() throws IOException {
        try (DatagramChannel listener = DatagramChannel.open(StandardProtocolFamily.INET)) {
            listener.bind(new InetSocketAddress(GROUP, 0)).configureBlocking(false);
            listener.join(InetAddress.getByName(GROUP), loopback());
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            send(DEVICE, GROUP, port, 1);
            ByteBuffer received = ByteBuffer.allocate(64);
            Needs.that(listener.receive(received) != null, "multicast groups on the loopback interface");
        }
    }

    private static NetworkInterface loopback() throws IOException {
        return NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
    }

    private static void send(String from, String to, int port, int... numbers) throws IOException {
        try (DatagramChannel sender = DatagramChannel.open(StandardProtocolFamily.INET)) {
            sender.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback());
            sender.bind(new InetSocketAddress(from, 0));
            for (int number : numbers) {
                sender.send(ByteBuffer.allocate(64).putInt(0, number), new InetSocketAddress(to, port));
            }
        }
    }

    private static MulticastGroup group(String address, int port) throws IOException {
        return new MulticastGroup((Inet4Address) InetAddress.getByName(address), port);
    }

    private PacketReceiver open(PacketReceiverKind kind, MulticastGroup group) throws IOException {
        try {
            return PacketReceivers.open(
                    kind,
                    GvspSettings.defaults(InetAddress.getLoopbackAddress(), InetAddress.getByName(DEVICE))
                            .withGroup(group)
                            .withReceiveBufferBytes(1 << 20),
                    statistics);
        } catch (StreamException e) {
            Needs.that(kind != PacketReceiverKind.RING, () -> "a packet ring: " + e.getMessage());
            Needs.that(kind != PacketReceiverKind.VERBS, () -> "an adapter with verbs: " + e.getMessage());
            throw e;
        }
    }

    /** Numbers of what comes, strangers' too, until so many have come. */
    private static List<Integer> take(PacketReceiver from, int packets) {
        List<Integer> seen = new ArrayList<>();
        long deadline = System.nanoTime() + LIMIT_NANOS;
        int taken = 0;
        while (taken < packets && System.nanoTime() < deadline) {
            taken += from.receive((packet, offset, length, now) -> seen.add(packet.getInt(offset)), deadline);
        }
        return seen;
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "AUTO")
    void everyListenerOnOneHostGetsEveryPacket(PacketReceiverKind kind) throws IOException {
        try (PacketReceiver first = open(kind, group(GROUP, 0));
                PacketReceiver second = open(kind, group(GROUP, first.localPort()))) {
            send(DEVICE, GROUP, first.localPort(), 1, 2, 3);
            assertEquals(List.of(1, 2, 3), take(first, 3));
            assertEquals(List.of(1, 2, 3), take(second, 3));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "AUTO")
    void strangersInAGroupJoinedForAllAreCountedAndNotHandedOver(PacketReceiverKind kind) throws IOException {
        try (PacketReceiver receiver = open(kind, group(GROUP, 0).fromAnySource())) {
            send(STRANGER, GROUP, receiver.localPort(), 1, 2);
            send(DEVICE, GROUP, receiver.localPort(), 3);
            assertEquals(List.of(3), take(receiver, 3));
            assertEquals(2, statistics.get(Counter.PACKETS_FOREIGN_SOURCE));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MMSG", "NIO"})
    void theSystemKeepsStrangersOutOfAGroupJoinedForTheDevice(PacketReceiverKind kind) throws IOException {
        try (PacketReceiver receiver = open(kind, group(GROUP, 0));
                // Without anybody who wants them the packets would not even leave.
                PacketReceiver other =
                        open(kind, group(GROUP, receiver.localPort()).fromAnySource())) {
            send(STRANGER, GROUP, receiver.localPort(), 1, 2);
            send(DEVICE, GROUP, receiver.localPort(), 3);
            assertEquals(List.of(3), take(other, 3));
            assertEquals(2, statistics.get(Counter.PACKETS_FOREIGN_SOURCE));
            assertEquals(List.of(3), take(receiver, 1));
            assertEquals(2, statistics.get(Counter.PACKETS_FOREIGN_SOURCE));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "AUTO")
    void whatIsSentToThePortButNotToTheGroupDoesNotCome(PacketReceiverKind kind) throws IOException {
        try (PacketReceiver receiver = open(kind, group(GROUP, 0));
                PacketReceiver other = open(kind, group("239.192.20.4", receiver.localPort()))) {
            send(DEVICE, "239.192.20.4", receiver.localPort(), 1);
            send(DEVICE, LOCAL, receiver.localPort(), 2);
            send(DEVICE, GROUP, receiver.localPort(), 3);
            assertEquals(List.of(1), take(other, 1));
            assertEquals(List.of(3), take(receiver, 1));
        }
    }

    private static final int PACKETS = 100;

    private static PacketReceiver nio(int port, int bufferBytes, StreamCounters counters) throws IOException {
        return NioPacketReceiver.join(
                InetAddress.getLoopbackAddress(),
                InetAddress.getByName(DEVICE),
                group(GROUP, port),
                bufferBytes,
                counters);
    }

    private static void tableOfSocketsIsThere() {
        Path table = Path.of("/proc/net/udp");
        Needs.that(Files.isReadable(table), table + " of Linux");
    }

    @Test
    void whatTheKernelDropsForAnotherListenerIsNotCounted() throws IOException {
        tableOfSocketsIsThere();
        try (PacketReceiver large = nio(0, 1 << 20, statistics);
                PacketReceiver small = nio(large.localPort(), 1, new StreamCounters())) {
            send(DEVICE, GROUP, small.localPort(), new int[PACKETS]);
            assertEquals(PACKETS, take(large, PACKETS).size());
            assertEquals(0, statistics.get(Counter.KERNEL_DROPS));
        }
    }

    @Test
    void whatTheKernelDropsIsCountedBesideAnotherListener() throws IOException {
        tableOfSocketsIsThere();
        try (PacketReceiver small = nio(0, 1, statistics);
                PacketReceiver large = nio(small.localPort(), 1 << 20, new StreamCounters())) {
            send(DEVICE, GROUP, large.localPort(), new int[PACKETS]);
            assertEquals(PACKETS - take(small, 1).size(), statistics.get(Counter.KERNEL_DROPS));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "AUTO")
    void closingLeavesTheGroup(PacketReceiverKind kind) throws IOException {
        Path groups = Path.of("/proc/net/igmp");
        Needs.that(Files.isReadable(groups), groups + " of Linux");
        String joined = "0914C0EF";
        PacketReceiver receiver = open(kind, group("239.192.20.9", 0));
        assertTrue(Files.readString(groups).contains(joined));
        receiver.close();
        assertFalse(Files.readString(groups).contains(joined));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"224.0.0.1", "224.0.0.255", "192.168.1.1", "223.255.255.255", "240.0.0.1", "255.255.255.255"})
    void onlyGroupsThatMayLeaveTheLinkAreTaken(String address) {
        assertThrows(StreamException.class, () -> group(address, 5000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"224.0.1.0", "232.1.1.1", "239.255.255.255"})
    void groupsOfAllScopesAreTaken(String address) throws IOException {
        assertEquals(address + ":5000", group(address, 5000).toString());
    }

    @Test
    void aSourceSaysToWhichGroupTheDeviceMustSend() throws IOException {
        GvspSettings settings = GvspSettings.defaults(InetAddress.getLoopbackAddress(), InetAddress.getByName(DEVICE))
                .withGroup(group(GROUP, 0));
        FlowSetPool pool = FlowSetPool.allocate(2, new long[] {64}, 1 << 20);
        try (GvspSource source = GvspSource.open(settings, pool, (blockId, first, last, extended) -> {})) {
            assertEquals(new InetSocketAddress(GROUP, source.localPort()), source.destination());
            GvspSource absent = GvspSource.withoutReception(settings, pool, source.localPort());
            try (StreamEngine stream = new StreamEngine(absent)) {
                stream.start();
                assertEquals(source.destination(), absent.destination());
                stream.stop();
            }
        }
    }
}
