package io.peregrine.gvsp;

import io.peregrine.nativeio.MmsgSocket;
import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.nativeio.PacketRing;
import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Objects;

/**
 * Receives from memory that the Linux kernel shares: no call to the system for a packet, and the kernel's work is done
 * where packets arrive and not in the receiver. A UDP socket holds the port, so that the host does not refuse the
 * packets, and keeps none of them. IP fragments are not received.
 */
public final class PacketRingReceiver extends GatheringReceiver {
    private static final int MIN_BUFFER_BYTES = 4096;
    /**
     * As {@link NioPacketReceiver}: after a pause, all that waits is handed over before time passes for the assembler.
     */
    private static final int BATCH_PACKETS = 32768;
    /** Asking for the time takes as long as half a packet. */
    private static final int PACKETS_AT_ONE_TIME = 16;

    private final int deviceAddress;
    private final StreamCounters statistics;
    private final PacketSource source;
    private final MmsgSocket port;
    private final PacketRing ring;
    private final int packetBytes;
    private long damaged;
    /** What a slot had on average when some were last taken: a packet, or a run. */
    private long bytesOfSlot;

    private PacketRingReceiver(
            int deviceAddress, StreamCounters statistics, MmsgSocket port, PacketRing ring, int packetBytes) {
        this.deviceAddress = deviceAddress;
        this.packetBytes = packetBytes;
        bytesOfSlot = packetBytes;
        this.statistics = statistics;
        source = new PacketSource(statistics);
        this.port = port;
        this.ring = ring;
    }

    /**
     * Opens a ring.
     *
     * @param localAddress IPv4 address of the interface to receive on
     * @param deviceAddress the only address to receive from
     * @param ringBytes size of the ring
     * @param packetBytes bytes of most packets, from the IP header on
     * @param statistics takes the counts of strangers, of damaged packets and of drops in the kernel
     * @return the open receiver
     * @throws NativeUnavailableException if this host has no such rings or this process may not open them
     * @throws StreamException if an address is not IPv4, or none of this host's
     */
    public static PacketRingReceiver open(
            InetAddress localAddress,
            InetAddress deviceAddress,
            long ringBytes,
            int packetBytes,
            StreamCounters statistics) {
        return open(new InetSocketAddress(localAddress, 0), deviceAddress, ringBytes, packetBytes, statistics);
    }

    /** Opens a ring for a port; 0 takes a free one. */
    static PacketRingReceiver open(
            InetSocketAddress local,
            InetAddress deviceAddress,
            long ringBytes,
            int packetBytes,
            StreamCounters statistics) {
        Objects.requireNonNull(statistics, "statistics");
        int address = MmsgPacketReceiver.number(local.getAddress());
        NetworkInterface at = interfaceOf(local.getAddress(), deviceAddress);
        return over(
                MmsgSocket.open(address, local.getPort(), MIN_BUFFER_BYTES),
                at,
                address,
                deviceAddress,
                ringBytes,
                packetBytes,
                statistics);
    }

    /**
     * Opens a ring for what a device sends to a group, beside others of this host. Closing it leaves the group.
     *
     * @param localAddress IPv4 address of the interface to receive on
     * @param deviceAddress the only address to receive from
     * @param group the group and its port
     * @param ringBytes size of the ring
     * @param packetBytes bytes of most packets, from the IP header on
     * @param statistics takes the counts of strangers, of damaged packets and of drops in the kernel
     * @return the open receiver
     * @throws NativeUnavailableException if this host has no such rings, this process may not open them, or the group
     *     cannot be joined
     * @throws StreamException if an address is not IPv4, or none of this host's
     */
    public static PacketRingReceiver join(
            InetAddress localAddress,
            InetAddress deviceAddress,
            MulticastGroup group,
            long ringBytes,
            int packetBytes,
            StreamCounters statistics) {
        Objects.requireNonNull(statistics, "statistics");
        NetworkInterface at = MulticastGroup.interfaceOf(localAddress);
        if (!localAddress.isLoopbackAddress() && thisHosts(deviceAddress)) {
            throw new NativeUnavailableException(
                    "packet rings do not see what this host itself sends to a group", null);
        }
        return over(
                MmsgPacketReceiver.socket(localAddress, deviceAddress, group, MIN_BUFFER_BYTES),
                at,
                MmsgPacketReceiver.number(group.address()),
                deviceAddress,
                ringBytes,
                packetBytes,
                statistics);
    }

    private static boolean thisHosts(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            throw new StreamException("Cannot find the interface of " + address.getHostAddress(), e);
        }
    }

    /** A ring beside a socket that holds the port; closes the socket if there can be none. */
    private static PacketRingReceiver over(
            MmsgSocket port,
            NetworkInterface at,
            int destination,
            InetAddress deviceAddress,
            long ringBytes,
            int packetBytes,
            StreamCounters statistics) {
        try {
            // Before there is a ring to close.
            int device = MmsgPacketReceiver.number(deviceAddress);
            port.keepNothing();
            int slotFor =
                    port.getsRunsFrom(at.getName()) ? PacketRing.bytesOfRuns(ringBytes, packetBytes) : packetBytes;
            PacketRing ring = PacketRing.open(
                    at.getIndex(), destination, port.localPort(), ringBytes, slotFor, GvspHeader.BLOCK_NUMBER);
            if (!ring.holdsRuns()) {
                port.joinNothing();
            }
            return new PacketRingReceiver(device, statistics, port, ring, packetBytes);
        } catch (RuntimeException e) {
            port.close();
            throw e;
        }
    }

    /** Waits for packets in another way than by being woken for each block of the ring. */
    PacketRingReceiver waiting(ReceiverWaiting how) {
        waitAs(how);
        return this;
    }

    /** The interface that packets of a device for an address arrive at. */
    static NetworkInterface interfaceOf(InetAddress address, InetAddress deviceAddress) {
        // What a host sends to itself comes by its loopback interface, whichever addresses it uses.
        boolean itself = address.isLoopbackAddress() || thisHosts(deviceAddress);
        return MulticastGroup.interfaceOf(itself ? InetAddress.getLoopbackAddress() : address);
    }

    @Override
    int drain(PacketSink into) {
        int count = 0;
        int slots = 0;
        boolean more = true;
        // When as much was taken as the ring can hold, nothing is left of what waited.
        long begin = drainedBytes();
        long end = begin + ring.sizeBytes();
        long now = 0;
        while (count < BATCH_PACKETS && drainedBytes() < end && !into.enough() && (more = ring.hasPacket())) {
            if (count % PACKETS_AT_ONE_TIME == 0) {
                now = System.nanoTime();
            }
            if (ring.look()) {
                count += handOver(into, now);
            } else {
                count++;
            }
            ring.release();
            slots++;
        }
        if (slots > 0) {
            bytesOfSlot = Math.max(packetBytes, (drainedBytes() - begin) / slots);
        }
        emptied(!more);
        statistics.add(Counter.PACKETS_MALFORMED, ring.damaged() - damaged);
        damaged = ring.damaged();
        statistics.set(Counter.KERNEL_DROPS, ring.drops());
        return count;
    }

    private int handOver(PacketSink into, long now) {
        int left = ring.lengthBytes();
        int segment = Math.max(1, ring.segmentBytes());
        // An empty datagram is one, too.
        int packets = Math.max(1, (left + segment - 1) / segment);
        took(left, packets);
        if (!source.isStream(
                ring.sourceAddress() == deviceAddress,
                ring.sourcePort(),
                packets,
                ring.memory(),
                ring.offset(),
                Math.min(left, segment),
                now)) {
            return packets;
        }
        into.onRun(ring.memory(), ring.offset(), left, segment, now);
        return packets;
    }

    @Override
    public boolean admit(int share) {
        try {
            ring.keepShare(share);
            return true;
        } catch (NativeUnavailableException e) {
            return false;
        }
    }

    @Override
    public void expectFrom(int port) {
        source.expect(port);
    }

    /** Where slots are for runs, single packets fill them as well. */
    @Override
    long roomBytes() {
        return Math.min(ring.sizeBytes(), ring.slots() * bytesOfSlot);
    }

    @Override
    boolean mayHavePackets() {
        return ring.hasPacket();
    }

    @Override
    void await(long nanos) {
        ring.await(nanos);
    }

    @Override
    void pause(long nanos) {
        ring.pause(nanos);
    }

    @Override
    void wake() {
        ring.wakeUp();
    }

    @Override
    public long kernelEpochNanos() {
        return ring.epochNanos();
    }

    @Override
    public PacketReceiverKind kind() {
        return PacketReceiverKind.RING;
    }

    @Override
    public int localPort() {
        return port.localPort();
    }

    @Override
    public int receiveBufferBytes() {
        return ring.sizeBytes();
    }

    @Override
    void closeSource() {
        ring.close();
        port.close();
    }
}
