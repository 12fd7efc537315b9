package io.peregrine.gvsp;

import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Receives with a datagram channel of the Java library: works everywhere, and takes one call to the system for each
 * packet. The channel is not connected, because a device's source port is not known before its first packet; what does
 * not come from the {@link PacketSource} is counted and thrown away.
 */
public final class NioPacketReceiver implements PacketReceiver {
    private static final int MAX_DATAGRAM_BYTES = 65536;
    private static final int MIN_BUFFER_BYTES = 64 << 10;
    /**
     * More than any socket buffer holds: after a pause, all that waits is handed over before time passes for the
     * assembler, or it would give up on packets that have long arrived.
     */
    private static final int BATCH_PACKETS = 32768;

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long DROPS_INTERVAL_NANOS = 1_000_000_000L;

    private final InetAddress deviceAddress;
    private final StreamCounters statistics;
    private final DatagramChannel channel;
    private final Selector selector;
    private final int localPort;
    private final int receiveBufferBytes;
    private final KernelDrops drops;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_DATAGRAM_BYTES);
    private final PacketSource source;
    private long nextDropsAt = System.nanoTime();

    private NioPacketReceiver(
            InetAddress deviceAddress,
            StreamCounters statistics,
            DatagramChannel channel,
            Selector selector,
            KernelDrops drops)
            throws IOException {
        this.deviceAddress = deviceAddress;
        this.statistics = statistics;
        source = new PacketSource(statistics);
        this.channel = channel;
        this.selector = selector;
        this.drops = drops;
        InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
        localPort = local.getPort();
        receiveBufferBytes = channel.getOption(StandardSocketOptions.SO_RCVBUF);
        drops.watch(local.getAddress(), localPort);
    }

    /**
     * Opens a socket.
     *
     * @param localAddress address of the interface to receive on
     * @param deviceAddress the only address to receive from
     * @param requestedBufferBytes size of the socket's buffer to ask for; less is taken if the system allows no more
     * @param statistics takes the counts of strangers and of drops in the kernel
     * @return the open receiver
     * @throws StreamException if the socket cannot be opened at that address
     */
    public static NioPacketReceiver open(
            InetAddress localAddress, InetAddress deviceAddress, int requestedBufferBytes, StreamCounters statistics) {
        return open(
                new InetSocketAddress(localAddress, 0),
                deviceAddress,
                Optional.empty(),
                requestedBufferBytes,
                statistics);
    }

    /** Opens a socket at a port; 0 takes a free one. */
    static NioPacketReceiver open(
            InetSocketAddress local, InetAddress deviceAddress, int requestedBufferBytes, StreamCounters statistics) {
        return open(local, deviceAddress, Optional.empty(), requestedBufferBytes, statistics);
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
     * @throws StreamException if the socket cannot be opened, or the group cannot be joined there
     */
    public static NioPacketReceiver join(
            InetAddress localAddress,
            InetAddress deviceAddress,
            MulticastGroup group,
            int requestedBufferBytes,
            StreamCounters statistics) {
        return open(
                new InetSocketAddress(localAddress, 0),
                deviceAddress,
                Optional.of(group),
                requestedBufferBytes,
                statistics);
    }

    private static NioPacketReceiver open(
            InetSocketAddress local,
            InetAddress deviceAddress,
            Optional<MulticastGroup> group,
            int requestedBufferBytes,
            StreamCounters statistics) {
        Objects.requireNonNull(deviceAddress, "deviceAddress");
        Objects.requireNonNull(statistics, "statistics");
        InetAddress localAddress = local.getAddress();
        DatagramChannel channel = null;
        Selector selector = null;
        KernelDrops drops = new KernelDrops();
        try {
            channel = DatagramChannel.open(StandardProtocolFamily.INET);
            requestBuffer(channel, requestedBufferBytes);
            if (group.isPresent()) {
                join(channel, group.get(), localAddress, deviceAddress);
            } else {
                channel.bind(local);
            }
            channel.configureBlocking(false);
            selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new NioPacketReceiver(deviceAddress, statistics, channel, selector, drops);
        } catch (IOException | RuntimeException e) {
            StreamException failure = new StreamException(
                    "Cannot receive stream packets at " + localAddress.getHostAddress()
                            + (local.getPort() == 0 ? "" : ", port " + local.getPort())
                            + group.map(joined -> " from the group " + joined).orElse("")
                            + ": is this the address of an interface of this host"
                            + (group.isPresent() || local.getPort() != 0
                                    ? ", and has no program the port for itself?"
                                    : "?"),
                    e);
            closeAfter(failure, selector);
            closeAfter(failure, channel);
            throw failure;
        }
    }

    private static void join(
            DatagramChannel channel, MulticastGroup group, InetAddress localAddress, InetAddress deviceAddress)
            throws IOException {
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        // Windows binds to addresses of its own only; elsewhere the group keeps out what else is sent to the port.
        boolean windows = System.getProperty("os.name").startsWith("Windows");
        channel.bind(new InetSocketAddress(windows ? localAddress : group.address(), group.port()));
        NetworkInterface at = MulticastGroup.interfaceOf(localAddress);
        if (!group.anySource()) {
            try {
                channel.join(group.address(), at, deviceAddress);
                return;
            } catch (UnsupportedOperationException e) {
                System.getLogger(NioPacketReceiver.class.getName())
                        .log(System.Logger.Level.DEBUG, "The group is joined for all who send to it", e);
            }
        }
        channel.join(group.address(), at);
    }

    /** Some systems refuse what is too large, others quietly grant less. */
    private static void requestBuffer(DatagramChannel channel, int requestedBytes) throws IOException {
        int size = requestedBytes;
        while (true) {
            try {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, size);
                return;
            } catch (IOException e) {
                if (size <= MIN_BUFFER_BYTES) {
                    throw e;
                }
                size = Math.max(MIN_BUFFER_BYTES, size / 2);
            }
        }
    }

    private static void closeAfter(Exception failure, AutoCloseable resource) {
        if (resource != null) {
            try {
                resource.close();
            } catch (Exception e) {
                failure.addSuppressed(e);
            }
        }
    }

    @Override
    public int receive(PacketSink into, long deadlineNanos) {
        try {
            int count = drain(into);
            if (count == 0) {
                long waitNanos = deadlineNanos - System.nanoTime();
                if (waitNanos > 0) {
                    // Unlike the set of selected keys, this takes no memory.
                    selector.select(key -> {}, Math.max(1, waitNanos / NANOS_PER_MILLI));
                    count = drain(into);
                }
            }
            readDrops();
            return count;
        } catch (ClosedChannelException | ClosedSelectorException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException("Receiving stream packets failed", e);
        }
    }

    private int drain(PacketSink into) throws IOException {
        int count = 0;
        while (count < BATCH_PACKETS && !into.enough()) {
            buffer.clear();
            InetSocketAddress from = (InetSocketAddress) channel.receive(buffer);
            if (from == null) {
                break;
            }
            count++;
            int length = buffer.position();
            buffer.flip();
            long now = System.nanoTime();
            if (source.isStream(from.getAddress().equals(deviceAddress), from.getPort(), 1, buffer, 0, length, now)) {
                into.onPacket(buffer, 0, length, now);
            }
        }
        return count;
    }

    private void readDrops() {
        long now = System.nanoTime();
        if (now - nextDropsAt >= 0) {
            nextDropsAt = now + DROPS_INTERVAL_NANOS;
            OptionalLong count = drops.read();
            if (count.isPresent()) {
                statistics.set(Counter.KERNEL_DROPS, count.getAsLong());
            }
        }
    }

    @Override
    public void expectFrom(int port) {
        source.expect(port);
    }

    @Override
    public void wakeUp() {
        selector.wakeup();
    }

    @Override
    public PacketReceiverKind kind() {
        return PacketReceiverKind.NIO;
    }

    @Override
    public int localPort() {
        return localPort;
    }

    @Override
    public int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    @Override
    public void close() {
        IOException failure = null;
        try {
            selector.close();
        } catch (IOException e) {
            failure = e;
        }
        try {
            channel.close();
        } catch (IOException e) {
            if (failure == null) {
                failure = e;
            } else {
                failure.addSuppressed(e);
            }
        }
        if (failure != null) {
            throw new StreamException("Closing the stream socket failed", failure);
        }
    }
}
