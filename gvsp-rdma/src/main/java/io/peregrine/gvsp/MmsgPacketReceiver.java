package io.peregrine.gvsp;

import io.peregrine.nativeio.MmsgSocket;
import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Receives in batches on Linux: one call to the system takes many packets, and runs of packets that the kernel joined
 * (UDP generic receive offload) count as one. The kernel reports with the packets how many it dropped.
 */
public final class MmsgPacketReceiver extends GatheringReceiver {
    /**
     * As {@link NioPacketReceiver}: after a pause, all that waits is handed over before time passes for the assembler.
     */
    private static final int BATCH_PACKETS = 32768;

    /** Below this, a call of the system for each run costs more than putting its data in place saves. */
    private static final int MIN_RUN_BYTES = 6000;

    private static final System.Logger LOGGER = System.getLogger(MmsgPacketReceiver.class.getName());
    private static final int NANOS_PER_MICRO = 1000;
    private static final int RUN_MEMORY_SHIFT = 4;
    private static final int ROOM_FACTOR = 2;
    private static final int SLOTS_BETWEEN_BLOCKS = 2;

    private final int deviceAddress;
    private final StreamCounters statistics;
    private final PacketSource source;
    private final MmsgSocket socket;
    private final ExpectedPackets next = new ExpectedPackets();
    /** How long runs are on average. */
    private int runBytes = 4 * MIN_RUN_BYTES;

    private MmsgPacketReceiver(int deviceAddress, StreamCounters statistics, MmsgSocket socket) {
        this.deviceAddress = deviceAddress;
        this.statistics = statistics;
        source = new PacketSource(statistics);
        this.socket = socket;
    }

    /**
     * Opens a socket.
     *
     * @param localAddress IPv4 address of the interface to receive on
     * @param deviceAddress the only address to receive from
     * @param requestedBufferBytes size of the socket's buffer to ask for; less is taken if the system allows no more
     * @param statistics takes the counts of strangers and of drops in the kernel
     * @return the open receiver
     * @throws NativeUnavailableException if this host has no such calls, with the reason
     * @throws StreamException if an address is not IPv4
     */
    public static MmsgPacketReceiver open(
            InetAddress localAddress, InetAddress deviceAddress, int requestedBufferBytes, StreamCounters statistics) {
        return open(new InetSocketAddress(localAddress, 0), deviceAddress, requestedBufferBytes, statistics);
    }

    /** Opens a socket at a port; 0 takes a free one. */
    static MmsgPacketReceiver open(
            InetSocketAddress local, InetAddress deviceAddress, int requestedBufferBytes, StreamCounters statistics) {
        Objects.requireNonNull(statistics, "statistics");
        return new MmsgPacketReceiver(
                number(deviceAddress),
                statistics,
                MmsgSocket.open(number(local.getAddress()), local.getPort(), requestedBufferBytes));
    }

    /** Waits for packets in another way than by being woken for each. */
    MmsgPacketReceiver waiting(ReceiverWaiting how) {
        waitAs(how);
        if (!how.busyPoll().isZero()) {
            try {
                socket.busyPoll((int) (how.busyPoll().toNanos() / NANOS_PER_MICRO));
            } catch (NativeUnavailableException e) {
                LOGGER.log(
                        System.Logger.Level.WARNING, "Packets are received without busy polling: {0}", e.getMessage());
            }
        }
        return this;
    }

    /**
     * Opens a socket that receives what a device sends to a group, beside others of this host. Closing it leaves the
     * group.
     *
     * @param localAddress IPv4 address of the interface to receive on
     * @param deviceAddress the only address to receive from
     * @param group the group and its port
     * @param requestedBufferBytes size of the socket's buffer to ask for; less is taken if the system allows no more
     * @param statistics takes the counts of strangers and of drops in the kernel
     * @return the open receiver
     * @throws NativeUnavailableException if this host has no such calls or the group cannot be joined, with the reason
     * @throws StreamException if an address is not IPv4
     */
    public static MmsgPacketReceiver join(
            InetAddress localAddress,
            InetAddress deviceAddress,
            MulticastGroup group,
            int requestedBufferBytes,
            StreamCounters statistics) {
        Objects.requireNonNull(statistics, "statistics");
        return new MmsgPacketReceiver(
                number(deviceAddress), statistics, socket(localAddress, deviceAddress, group, requestedBufferBytes));
    }

    /** Whether the kernel joins packets that arrive at an interface, so that they come in runs. */
    boolean getsRunsFrom(NetworkInterface at) {
        return socket.getsRunsFrom(at.getName());
    }

    static MmsgSocket socket(
            InetAddress localAddress, InetAddress deviceAddress, MulticastGroup group, int bufferBytes) {
        MmsgSocket socket = MmsgSocket.openShared(number(group.address()), group.port(), bufferBytes);
        try {
            if (group.anySource()) {
                socket.join(number(group.address()), number(localAddress));
            } else {
                socket.join(number(group.address()), number(localAddress), number(deviceAddress));
            }
            return socket;
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    static int number(InetAddress address) {
        if (!(address instanceof Inet4Address)) {
            throw new StreamException("GigE Vision streams by IPv4 only, not to or from " + address.getHostAddress());
        }
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }

    @Override
    int drain(PacketSink into) {
        int count = 0;
        boolean more = true;
        // When as much was taken as the socket can hold, nothing is left of what waited.
        long end = drainedBytes() + socket.receiveBufferBytes();
        while (more && count < BATCH_PACKETS && drainedBytes() < end && !into.enough()) {
            int packets;
            if (runBytes >= MIN_RUN_BYTES && into.expect(next)) {
                packets = receiveRun(into);
                more = packets > 0;
            } else {
                // What comes between the data of two blocks is leader and trailer.
                int most = runBytes >= MIN_RUN_BYTES ? SLOTS_BETWEEN_BLOCKS : MmsgSocket.RECEIVE_SLOTS;
                int slots = socket.receive(most);
                long now = System.nanoTime();
                packets = 0;
                for (int slot = 0; slot < slots; slot++) {
                    packets += handOver(slot, into, now);
                }
                // Fewer than there is room for: nothing was left, and time can pass.
                more = slots == most;
            }
            count += packets;
        }
        emptied(!more);
        statistics.set(Counter.KERNEL_DROPS, socket.drops());
        return count;
    }

    /** One run whose data the system puts where the next packets belong. */
    private int receiveRun(PacketSink into) {
        int usual = runBytes / (next.headBytes() + next.dataBytes()) + 1;
        if (!socket.receiveApart(
                next.headBytes(),
                next.dataBytes(),
                next.address() + next.offset(),
                next.lengthBytes(),
                ROOM_FACTOR * usual)) {
            return 0;
        }
        long now = System.nanoTime();
        int left = socket.apartLengthBytes();
        int segment = Math.max(1, socket.apartSegmentBytes());
        int packets = Math.max(1, (left + segment - 1) / segment);
        learn(left, packets);
        if (!source.isStream(
                socket.apartSourceAddress() == deviceAddress,
                socket.apartSourcePort(),
                packets,
                socket.heads(),
                0,
                Math.min(left, next.headBytes()),
                now)) {
            return packets;
        }
        boolean apart = packets == 1
                ? left <= next.headBytes() + next.dataBytes()
                : segment == next.headBytes() + next.dataBytes();
        int taken = apart
                ? into.onRunInPlace(
                        socket.heads(),
                        0,
                        MmsgSocket.MAX_HEAD_BYTES,
                        Math.min(packets, socket.apartRoom()),
                        left,
                        segment,
                        now)
                : 0;
        if (taken < packets) {
            socket.gather(taken, next.memory(), next.offset());
            into.onRun(socket.received(), 0, left - taken * segment, segment, now);
        }
        return packets;
    }

    private void learn(int lengthBytes, int packets) {
        took(lengthBytes, packets);
        runBytes += (lengthBytes - runBytes) >> RUN_MEMORY_SHIFT;
    }

    private int handOver(int slot, PacketSink into, long now) {
        int left = socket.lengthBytes(slot);
        int segment = Math.max(1, socket.segmentBytes(slot));
        // An empty datagram is one, too.
        int packets = Math.max(1, (left + segment - 1) / segment);
        learn(left, packets);
        if (!source.isStream(
                socket.sourceAddress(slot) == deviceAddress,
                socket.sourcePort(slot),
                packets,
                socket.received(),
                socket.offset(slot),
                Math.min(left, segment),
                now)) {
            return packets;
        }
        into.onRun(socket.received(), socket.offset(slot), left, segment, now);
        return packets;
    }

    @Override
    public boolean admit(int share) {
        try {
            socket.keepShare(GvspHeader.BLOCK_NUMBER, share);
            return true;
        } catch (NativeUnavailableException e) {
            return false;
        }
    }

    @Override
    public void expectFrom(int port) {
        source.expect(port);
    }

    @Override
    boolean mayHavePackets() {
        return true;
    }

    @Override
    void await(long nanos) {
        socket.await(nanos);
    }

    @Override
    void pause(long nanos) {
        socket.pause(nanos);
    }

    @Override
    void wake() {
        socket.wakeUp();
    }

    @Override
    public PacketReceiverKind kind() {
        return PacketReceiverKind.MMSG;
    }

    @Override
    public int localPort() {
        return socket.localPort();
    }

    @Override
    public int receiveBufferBytes() {
        // The kernel tells the double, because it counts its own book-keeping.
        return socket.receiveBufferBytes() / 2;
    }

    @Override
    void closeSource() {
        socket.close();
    }
}
