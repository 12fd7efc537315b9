package io.peregrine.nativeio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A copy of the UDP packets over IPv4 that an interface sends and receives from or to given ports: {@code AF_PACKET}
 * without link headers (packet(7)). It only listens; other programs get their packets as before. What an adapter
 * handles itself, as it does with RDMA, does not pass here. It needs the right to open such sockets
 * ({@code CAP_NET_RAW}). For one thread. IP fragments are not taken.
 */
public final class LinkCapture implements AutoCloseable {
    /** What is kept of a packet from its IP header on; longer ones are cut. */
    public static final int KEPT_BYTES = 640;

    private static final int AF_PACKET = 17;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int ETHERTYPE_ALL = 0x0003;
    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVBUF = 8;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SOL_PACKET = 263;
    private static final int PACKET_ADD_MEMBERSHIP = 1;
    private static final int PACKET_STATISTICS = 6;
    private static final int PACKET_MR_PROMISC = 1;
    private static final int BUFFER_BYTES = 32 << 20;
    private static final int PROTOCOL_UDP = 17;

    // struct sockaddr_ll
    private static final int ADDRESS_BYTES = 20;
    private static final int ADDRESS_PROTOCOL = 2;
    private static final int ADDRESS_INTERFACE = 4;
    private static final int ADDRESS_LINK_TYPE = 8;
    private static final int ADDRESS_PACKET_TYPE = 10;
    private static final int ADDRESS_LENGTH = 11;
    private static final int ADDRESS_HARDWARE = 12;
    private static final int LINK_LOOPBACK = 772;
    private static final int PACKET_OUTGOING = 4;
    private static final int MAC_BYTES = 6;

    /** In filters, offsets from here on count from the IP header, wherever it is. */
    private static final int FROM_IP = -0x100000;
    /** In filters, where the type of what the link header announces is. */
    private static final int ETHERTYPE = -0x1000;

    private final int fd;
    private final PollSet poll;
    private final ByteBuffer packet = NativeMemory.allocate(KEPT_BYTES).order(ByteOrder.BIG_ENDIAN);
    private final long packetAddress = NativeMemory.address(packet);
    private final ByteBuffer source = NativeMemory.allocate(32);
    private final long sourceAddress = NativeMemory.address(source);
    private final ByteBuffer statistics = NativeMemory.allocate(32);
    private final long statisticsAddress = NativeMemory.address(statistics);
    private long drops;
    private boolean closed;

    private LinkCapture(int fd) {
        this.fd = fd;
        poll = new PollSet(fd);
    }

    /**
     * Starts to listen, also to packets for other hosts that reach the interface, as at a mirror port of a switch.
     *
     * @param interfaceIndex index of the interface
     * @param ports UDP ports, of the sender or the receiver
     * @throws NativeUnavailableException if that is not possible, with the reason
     */
    public static LinkCapture open(int interfaceIndex, int... ports) {
        Libc.check();
        // Protocol 0: nothing comes in before the filter is there.
        int fd = Libc.socket(AF_PACKET, SOCK_DGRAM_CLOEXEC, 0);
        if (fd < 0) {
            int error = Libc.errno();
            throw new NativeUnavailableException(
                    error == Libc.EPERM
                            ? "packets of an interface can be seen by root only, or with CAP_NET_RAW"
                            : "no packet socket: " + Libc.text(error),
                    null);
        }
        try {
            ByteBuffer value = NativeMemory.allocate(32).putInt(0, BUFFER_BYTES);
            if (Libc.setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, NativeMemory.address(value), 4) != 0) {
                // Less than asked for loses packets earlier, which the counter shows.
                Libc.setsockopt(fd, SOL_SOCKET, SO_RCVBUF, NativeMemory.address(value), 4);
            }
            new PacketFilter(conditions(ports)).attach(fd);
            if (!Libc.setNonBlocking(fd)) {
                throw failure("a packet socket that does not block");
            }
            ByteBuffer link = NativeMemory.allocate(ADDRESS_BYTES);
            link.putShort(0, (short) AF_PACKET).putInt(ADDRESS_INTERFACE, interfaceIndex);
            link.putShort(ADDRESS_PROTOCOL, Short.reverseBytes((short) ETHERTYPE_ALL));
            if (Libc.bind(fd, NativeMemory.address(link), ADDRESS_BYTES) != 0) {
                throw failure("listening at interface " + interfaceIndex);
            }
            value.putInt(0, interfaceIndex)
                    .putShort(4, (short) PACKET_MR_PROMISC)
                    .putShort(6, (short) 0);
            if (Libc.setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, NativeMemory.address(value), 16) != 0) {
                throw failure("seeing packets for other hosts at interface " + interfaceIndex);
            }
            return new LinkCapture(fd);
        } catch (RuntimeException e) {
            Libc.close(fd);
            throw e;
        }
    }

    private static NativeUnavailableException failure(String what) {
        return new NativeUnavailableException(what + " is not possible: " + Libc.text(Libc.errno()), null);
    }

    /** Instructions of the classic BPF machine: IPv4, UDP, no fragment, one of the ports at either end. */
    private static int[][] conditions(int... ports) {
        int loadByte = 0x30;
        int loadHalf = 0x28;
        int loadHalfAtX = 0x48;
        int headerLengthToX = 0xB1;
        int jumpEqual = 0x15;
        int jumpSet = 0x45;
        int deny = PacketFilter.DENY;
        int[][] program = {
            {loadHalf, 0, 0, ETHERTYPE},
            {jumpEqual, 0, deny, ETHERTYPE_IPV4},
            {loadByte, 0, 0, FROM_IP + 9},
            {jumpEqual, 0, deny, PROTOCOL_UDP},
            {loadHalf, 0, 0, FROM_IP + 6},
            {jumpSet, deny, 0, 0x3FFF},
            {headerLengthToX, 0, 0, FROM_IP},
            {loadHalfAtX, 0, 0, FROM_IP}
        };
        for (int i = 0; i < ports.length; i++) {
            // To the instruction that gives: past the other ports, the second load and its comparisons.
            program = PacketFilter.concat(program, new int[] {jumpEqual, 2 * ports.length - i, 0, ports[i]});
        }
        program = PacketFilter.concat(program, new int[] {loadHalfAtX, 0, 0, FROM_IP + 2});
        for (int i = 0; i < ports.length; i++) {
            boolean last = i == ports.length - 1;
            program = PacketFilter.concat(
                    program, new int[] {jumpEqual, ports.length - 1 - i, last ? deny : 0, ports[i]});
        }
        return PacketFilter.concat(program, new int[] {0x06, 0, 0, KEPT_BYTES});
    }

    /**
     * Waits for a packet.
     *
     * @param timeoutNanos how long at most
     * @return the packet from its IP header on, perhaps cut, valid until the next call; its limit is 0 if none came
     */
    public ByteBuffer receive(long timeoutNanos) {
        packet.clear();
        if (take() || (poll.await(Math.max(0, timeoutNanos)) && take())) {
            return packet;
        }
        return packet.limit(0);
    }

    private boolean take() {
        while (true) {
            source.putInt(ADDRESS_BYTES, ADDRESS_BYTES);
            long bytes = Libc.recvfrom(fd, packetAddress, KEPT_BYTES, 0, sourceAddress, sourceAddress + ADDRESS_BYTES);
            if (bytes < 0) {
                return false;
            }
            boolean twice = source.getShort(ADDRESS_LINK_TYPE) == LINK_LOOPBACK
                    && source.get(ADDRESS_PACKET_TYPE) == PACKET_OUTGOING;
            if (!twice) {
                packet.limit((int) Math.min(bytes, KEPT_BYTES));
                return true;
            }
        }
    }

    /** MAC address of the sender of the last packet; empty where the link has none. */
    public byte[] sender() {
        byte[] mac = new byte[source.get(ADDRESS_LENGTH) == MAC_BYTES ? MAC_BYTES : 0];
        source.get(ADDRESS_HARDWARE, mac);
        return mac;
    }

    /** Packets that the system dropped since the start because this program was too slow. */
    public long drops() {
        statistics.putInt(16, 8);
        if (Libc.getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, statisticsAddress, statisticsAddress + 16) == 0) {
            // The system counts from the last time it was asked.
            drops += statistics.getInt(4) & 0xFFFFFFFFL;
        }
        return drops;
    }

    /** Ends it. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Libc.close(fd);
        }
    }
}
