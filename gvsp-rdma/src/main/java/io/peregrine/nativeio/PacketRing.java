package io.peregrine.nativeio;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

/**
 * A ring of memory that the Linux kernel writes the UDP packets for one port into, shared with this process:
 * {@code AF_PACKET} with {@code TPACKET_V2} (packet(7) and the kernel's packet_mmap document). Each packet has a slot,
 * and can be read as soon as it is there. So has a run of packets that the kernel joined, or that a sender on the same
 * host left uncut. No call to the system is made for a packet, and none is copied into the process, but for what is
 * longer than a slot. It needs the right to open such sockets ({@code CAP_NET_RAW}).
 *
 * <p>One thread reads; any may {@link #wakeUp}. IP fragments are not taken.
 */
public final class PacketRing implements AutoCloseable {
    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_ERROR = 4;
    private static final int SOL_PACKET = 263;
    private static final int PACKET_RX_RING = 5;
    private static final int PACKET_STATISTICS = 6;
    private static final int PACKET_COPY_THRESH = 7;
    private static final int PACKET_VERSION = 10;
    private static final int PACKET_VNET_HDR = 15;
    private static final int SO_RCVBUF = 8;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int TPACKET_V2 = 1;
    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int MAP_SHARED = 1;

    /** Memory that the kernel allocates in one piece. */
    private static final int BLOCK_BYTES = 1 << 18;

    private static final int FEWEST_BLOCKS = 4;
    private static final int MAX_BLOCKS = 1 << 10;
    private static final int SLOT_ALIGNMENT = 16;
    /** What the kernel puts before the IP header: its own header, an address, link and offload header. */
    private static final int HEADROOM_BYTES = 112;

    /** Of a slot for runs: 44 packets of 1500 bytes, or 7 of 9000. */
    private static final int RUN_SLOT_BYTES = 1 << 16;
    /** So that single packets do not fill a ring of slots for runs in less than ten milliseconds at 1 Gbit/s. */
    private static final int FEWEST_RUN_SLOTS = 1 << 10;

    private static final int LONG_PACKET_BYTES = 1 << 17;

    // struct tpacket2_hdr
    private static final int PACKET_STATUS = 0;
    private static final int PACKET_LENGTH = 4;
    private static final int PACKET_CAPTURED = 8;
    private static final int PACKET_MAC = 12;
    private static final int PACKET_NET = 14;
    private static final int PACKET_SECONDS = 16;
    private static final int PACKET_NANOS = 20;
    private static final int STATUS_KERNEL = 0;
    private static final int STATUS_USER = 1;
    private static final int STATUS_COPY = 1 << 1;
    private static final int STATUS_LOSING = 1 << 2;
    private static final int STATUS_CHECKSUM_NOT_READY = 1 << 3;
    private static final int STATUS_CHECKSUM_VALID = 1 << 7;

    // struct virtio_net_hdr, right before the link header
    private static final int OFFLOAD_BYTES = 10;
    private static final int OFFLOAD_KIND = 1;
    private static final int OFFLOAD_SEGMENT = 4;

    private static final int IP_LEAST_BYTES = 20;
    private static final int IP_TOTAL_LENGTH = 2;
    private static final int IP_SOURCE = 12;
    private static final int IP_DESTINATION = 16;
    private static final int UDP_HEADER_BYTES = 8;
    private static final int UDP_LENGTH = 4;
    private static final int UDP_CHECKSUM = 6;
    private static final int PROTOCOL_UDP = 17;
    /** In filters, offsets from here on count from the IP header, wherever it is. */
    private static final int FROM_IP = -0x100000;

    private static final VarHandle STATUS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final int fd;
    private final PacketFilter wanted;
    private final PacketFilter ofShare;
    private final long address;
    private final ByteBuffer ring;
    private final ByteBuffer packets;
    private final int blockCount;
    private final int slotBytes;
    private final int slotsPerBlock;
    private final boolean holdsRuns;
    private final WakeEvent wake = new WakeEvent();
    private final PollSet poll;
    private final ByteBuffer statistics = NativeMemory.allocate(32);
    private final long statisticsAddress = NativeMemory.address(statistics);
    private boolean closed;

    // The current slot.
    private int block;
    private int slotOfBlock;
    private int slotAt;

    /** Where packets that are longer than a slot are read to. */
    private final ByteBuffer longPacket = NativeMemory.allocate(LONG_PACKET_BYTES);

    private final long longPacketAddress = NativeMemory.address(longPacket);
    /** What holds the current packet. */
    private ByteBuffer memory;

    private int payloadAt;
    private int payloadBytes;
    private int segmentBytes;
    private int sourceAddress;
    private int sourcePort;
    private long drops;
    private long damaged;
    private boolean dropping = true;

    private PacketRing(
            int fd,
            long address,
            int blockCount,
            int slotBytes,
            boolean holdsRuns,
            PacketFilter wanted,
            PacketFilter ofShare) {
        this.fd = fd;
        this.holdsRuns = holdsRuns;
        this.wanted = wanted;
        this.ofShare = ofShare;
        this.address = address;
        this.blockCount = blockCount;
        this.slotBytes = slotBytes;
        slotsPerBlock = BLOCK_BYTES / slotBytes;
        ring = NativeMemory.buffer(address, blockCount * BLOCK_BYTES);
        packets = ring.duplicate().order(ByteOrder.BIG_ENDIAN);
        memory = packets;
        longPacket.order(ByteOrder.BIG_ENDIAN);
        poll = new PollSet(fd, wake.fileDescriptor());
    }

    /**
     * Size of packets to open a ring for where the kernel joins them, so that runs have slots, too: as long as they get
     * if the ring is large.
     *
     * @param ringBytes size of the ring
     * @param packetBytes bytes of most packets, from the IP header on
     */
    public static int bytesOfRuns(long ringBytes, int packetBytes) {
        long slot = Math.min(RUN_SLOT_BYTES, ringBytes / FEWEST_RUN_SLOTS);
        return (int) Math.max(packetBytes, slot - HEADROOM_BYTES);
    }

    /**
     * Opens a ring.
     *
     * @param interfaceIndex index of the interface to listen at
     * @param localAddress IPv4 address that packets are sent to
     * @param localPort UDP port that they are sent to
     * @param ringBytes size of the ring; a bit more or less is taken
     * @param packetBytes bytes of most packets from the IP header on; longer ones are received too, at more cost
     * @param number where a datagram has the number that decides
     * @throws NativeUnavailableException if that is not possible, with the reason
     */
    public static PacketRing open(
            int interfaceIndex, int localAddress, int localPort, long ringBytes, int packetBytes, NumberField number) {
        Libc.check();
        // Protocol 0: nothing comes in before filter and ring are there.
        int fd = Libc.socket(AF_PACKET, SOCK_RAW_CLOEXEC, 0);
        if (fd < 0) {
            throw new NativeUnavailableException("no packet socket: " + Libc.text(Libc.errno()), null);
        }
        long ring = 0;
        int slot = packetBytes + HEADROOM_BYTES + SLOT_ALIGNMENT - 1 & -SLOT_ALIGNMENT;
        int blocks = (int) Math.max(FEWEST_BLOCKS, Math.min(MAX_BLOCKS, ringBytes / BLOCK_BYTES));
        try {
            ByteBuffer value = NativeMemory.allocate(32);
            option(fd, SOL_PACKET, PACKET_VERSION, value.putInt(0, TPACKET_V2), 4, "version 2 of packet sockets");
            option(fd, SOL_PACKET, PACKET_VNET_HDR, value.putInt(0, 1), 4, "telling runs of packets from packets");
            option(fd, SOL_PACKET, PACKET_COPY_THRESH, value.putInt(0, 1), 4, "receiving packets longer than a slot");
            int forLong = blocks * BLOCK_BYTES;
            value.putInt(0, forLong);
            if (Libc.setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, NativeMemory.address(value), 4) != 0) {
                option(fd, SOL_SOCKET, SO_RCVBUF, value, 4, "a buffer for them");
            }
            value.putInt(0, 0).putInt(4, 4);
            Libc.getsockopt(fd, SOL_SOCKET, SO_RCVBUF, NativeMemory.address(value), NativeMemory.address(value) + 4);
            boolean holdsRuns = slot >= RUN_SLOT_BYTES || value.getInt(0) >= forLong;
            Libc.setNonBlocking(fd);
            int[][] conditions = conditions(localAddress, localPort);
            PacketFilter wanted = new PacketFilter(PacketFilter.concat(conditions, PacketFilter.GIVE_ALL));
            wanted.attach(fd);
            value.putInt(0, BLOCK_BYTES).putInt(4, blocks).putInt(8, slot).putInt(12, BLOCK_BYTES / slot * blocks);
            option(fd, SOL_PACKET, PACKET_RX_RING, value, 16, "a ring of " + blocks + " blocks");
            long length = (long) blocks * BLOCK_BYTES;
            ring = Libc.mmap(0, length, Libc.PROT_READ_WRITE, MAP_SHARED, fd, 0);
            if (ring == -1) {
                ring = 0;
                throw new NativeUnavailableException("the ring cannot be mapped: " + Libc.text(Libc.errno()), null);
            }
            ByteBuffer link = NativeMemory.allocate(20);
            link.putShort(0, (short) AF_PACKET).putInt(4, interfaceIndex);
            link.putShort(2, Short.reverseBytes((short) ETHERTYPE_IPV4));
            if (Libc.bind(fd, NativeMemory.address(link), 20) != 0) {
                throw new NativeUnavailableException(
                        "interface " + interfaceIndex + " cannot be listened at: " + Libc.text(Libc.errno()), null);
            }
            PacketFilter ofShare = PacketFilter.ofShare(number, FROM_IP + UDP_HEADER_BYTES, true, conditions);
            return new PacketRing(fd, ring, blocks, slot, holdsRuns, wanted, ofShare);
        } catch (RuntimeException e) {
            if (ring != 0) {
                Libc.munmap(ring, (long) blocks * BLOCK_BYTES);
            }
            Libc.close(fd);
            throw e;
        }
    }

    private static void option(int fd, int level, int name, ByteBuffer value, int lengthBytes, String what) {
        if (Libc.setsockopt(fd, level, name, NativeMemory.address(value), lengthBytes) != 0) {
            throw new NativeUnavailableException(what + " is unavailable: " + Libc.text(Libc.errno()), null);
        }
    }

    /**
     * Instructions of the classic BPF machine: IPv4, UDP, no fragment, destination address and port, length of the
     * header.
     */
    private static int[][] conditions(int localAddress, int localPort) {
        int loadByte = 0x30;
        int loadHalf = 0x28;
        int loadWord = 0x20;
        int loadHalfAtX = 0x48;
        int headerLengthToX = 0xB1;
        int jumpEqual = 0x15;
        int jumpSet = 0x45;
        int deny = PacketFilter.DENY;
        return new int[][] {
            {loadByte, 0, 0, FROM_IP + 9},
            {jumpEqual, 0, deny, PROTOCOL_UDP},
            {loadHalf, 0, 0, FROM_IP + 6},
            {jumpSet, deny, 0, 0x3FFF},
            {loadWord, 0, 0, FROM_IP + IP_DESTINATION},
            {jumpEqual, 0, deny, localAddress},
            {headerLengthToX, 0, 0, FROM_IP},
            {loadHalfAtX, 0, 0, FROM_IP + 2},
            {jumpEqual, 0, deny, localPort}
        };
    }

    // ---- reading

    /** Whether there is a packet. */
    public boolean hasPacket() {
        return (status() & STATUS_USER) != 0;
    }

    private int status() {
        return (int) STATUS.getAcquire(ring, slotAt + PACKET_STATUS);
    }

    /**
     * Looks at the packet that is there.
     *
     * @return whether it can be used; not if it does not agree with its checksum or its lengths, or if there was no
     *     memory for all of it
     */
    public boolean look() {
        int status = status();
        dropping |= (status & STATUS_LOSING) != 0;
        int link = Short.toUnsignedInt(ring.getShort(slotAt + PACKET_MAC));
        int net = Short.toUnsignedInt(ring.getShort(slotAt + PACKET_NET));
        int captured = ring.getInt(slotAt + PACKET_CAPTURED);
        boolean good;
        if ((status & STATUS_COPY) != 0) {
            good = lookAtLong(status, OFFLOAD_BYTES + net - link);
        } else if (captured < ring.getInt(slotAt + PACKET_LENGTH)) {
            drops++;
            return false;
        } else {
            memory = packets;
            good = understand(status, slotAt + link - OFFLOAD_BYTES, slotAt + net, captured - (net - link));
        }
        damaged += good ? 0 : 1;
        return good;
    }

    private boolean lookAtLong(int status, int headBytes) {
        int bytes = (int) Libc.read(fd, longPacketAddress, LONG_PACKET_BYTES);
        if (bytes < 0) {
            // That was an error of the interface; else what is there now would be taken for the next one.
            bytes = (int) Libc.read(fd, longPacketAddress, LONG_PACKET_BYTES);
        }
        memory = longPacket;
        return understand(status, 0, headBytes, bytes - headBytes);
    }

    /** Gives the packet back to the kernel, and goes to the next one. */
    public void release() {
        STATUS.setRelease(ring, slotAt + PACKET_STATUS, STATUS_KERNEL);
        slotOfBlock++;
        slotAt += slotBytes;
        if (slotOfBlock == slotsPerBlock) {
            slotOfBlock = 0;
            block = (block + 1) % blockCount;
            slotAt = block * BLOCK_BYTES;
        }
    }

    /**
     * Nothing in a packet is believed but what the kernel says of it.
     *
     * @param offload where the kernel says what it did not do yet
     * @param ip where the IP header is
     * @param captured bytes from there on
     */
    private boolean understand(int status, int offload, int ip, int captured) {
        if (captured < IP_LEAST_BYTES) {
            return false;
        }
        int headerBytes = (memory.get(ip) & 0xF) * 4;
        int total = Math.min(captured, Short.toUnsignedInt(memory.getShort(ip + IP_TOTAL_LENGTH)));
        if (headerBytes < IP_LEAST_BYTES || total < headerBytes + UDP_HEADER_BYTES) {
            return false;
        }
        int udp = ip + headerBytes;
        int udpBytes = Short.toUnsignedInt(memory.getShort(udp + UDP_LENGTH));
        if (udpBytes < UDP_HEADER_BYTES || udpBytes > total - headerBytes) {
            return false;
        }
        boolean run = memory.get(offload + OFFLOAD_KIND) != 0;
        sourceAddress = memory.getInt(ip + IP_SOURCE);
        sourcePort = Short.toUnsignedInt(memory.getShort(udp));
        payloadAt = udp + UDP_HEADER_BYTES;
        payloadBytes = udpBytes - UDP_HEADER_BYTES;
        segmentBytes = run ? segmentBytes(offload) : payloadBytes;
        boolean trusted = run
                || (status & (STATUS_CHECKSUM_NOT_READY | STATUS_CHECKSUM_VALID)) != 0
                || memory.getShort(udp + UDP_CHECKSUM) == 0;
        return (!run || segmentBytes > 0) && (trusted || checksumRight(ip, udp, udpBytes));
    }

    private int segmentBytes(int offload) {
        short bytes = memory.getShort(offload + OFFLOAD_SEGMENT);
        // In the order of the machine.
        return Short.toUnsignedInt(
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Short.reverseBytes(bytes) : bytes);
    }

    /** RFC 768: one's complement sum over addresses, protocol, length, header and data. */
    private boolean checksumRight(int ip, int udp, int udpBytes) {
        long sum = (memory.getInt(ip + IP_SOURCE) & 0xFFFFFFFFL)
                + (memory.getInt(ip + IP_DESTINATION) & 0xFFFFFFFFL)
                + PROTOCOL_UDP
                + udpBytes;
        int i = 0;
        for (; i + 4 <= udpBytes; i += 4) {
            sum += memory.getInt(udp + i) & 0xFFFFFFFFL;
        }
        if (i + 2 <= udpBytes) {
            sum += Short.toUnsignedInt(memory.getShort(udp + i));
            i += 2;
        }
        if (i < udpBytes) {
            sum += Byte.toUnsignedInt(memory.get(udp + i)) << 8;
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return sum == 0xFFFF;
    }

    /** What holds the current packet, big-endian. */
    public ByteBuffer memory() {
        return memory;
    }

    /** Where in the memory the current packet's data begins, behind its UDP header. */
    public int offset() {
        return payloadAt;
    }

    /** Bytes of data: one datagram, or a run of several of {@link #segmentBytes} each, the last perhaps shorter. */
    public int lengthBytes() {
        return payloadBytes;
    }

    /** Length of each datagram of the current run. */
    public int segmentBytes() {
        return segmentBytes;
    }

    /** IPv4 address that the current packet came from. */
    public int sourceAddress() {
        return sourceAddress;
    }

    /** UDP port that the current packet came from. */
    public int sourcePort() {
        return sourcePort;
    }

    /** When the system had the current packet, in nanoseconds since 1970. */
    public long epochNanos() {
        return TimeUnit.SECONDS.toNanos(Integer.toUnsignedLong(ring.getInt(slotAt + PACKET_SECONDS)))
                + Integer.toUnsignedLong(ring.getInt(slotAt + PACKET_NANOS));
    }

    /** Packets that did not agree with their checksum or their lengths. */
    public long damaged() {
        return damaged;
    }

    /**
     * Packets that the system dropped since the ring was opened because the ring was full, as far as looked at, or as
     * waited for.
     */
    public long drops() {
        if (!dropping) {
            return drops;
        }
        dropping = false;
        statistics.putInt(16, 12);
        if (Libc.getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, statisticsAddress, statisticsAddress + 16) == 0) {
            // The system counts from the last time it was asked.
            drops += statistics.getInt(4) & 0xFFFFFFFFL;
        }
        return drops;
    }

    /**
     * Admits all that arrives from now on, or that of a share of the numbers. The system does not count the others as
     * dropped.
     *
     * @param share the share, from 1 to {@link NumberField#PARTS}
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    public void keepShare(int share) {
        (share < NumberField.PARTS ? ofShare.share(share) : wanted).attach(fd);
    }

    /** Bytes of packets of the usual size that the ring holds. */
    public int sizeBytes() {
        return slots() * (slotBytes - HEADROOM_BYTES);
    }

    /** How many packets or runs the ring holds. */
    public int slots() {
        return blockCount * slotsPerBlock;
    }

    /**
     * Whether runs find as much room as the slots have: in slots, or, where they are longer, in a buffer of the socket,
     * which the system may have allowed to be smaller.
     */
    public boolean holdsRuns() {
        return holdsRuns;
    }

    /**
     * Waits until a packet is there, somebody wakes the ring, or the time has passed. Returns early once when the
     * interface goes down; the ring goes on when it comes up again.
     *
     * @param timeoutNanos how long to wait
     * @return whether it returned early
     */
    public boolean await(long timeoutNanos) {
        if (!poll.await(Math.max(0, timeoutNanos))) {
            return false;
        }
        if (poll.ready(1)) {
            wake.clear();
        }
        if (poll.broken(0)) {
            // It stays broken until somebody has asked why.
            statistics.putInt(16, 4);
            Libc.getsockopt(fd, SOL_SOCKET, SO_ERROR, statisticsAddress, statisticsAddress + 16);
        }
        return true;
    }

    /**
     * Lets packets gather until somebody wakes the ring, or the time has passed.
     *
     * @param timeoutNanos how long to wait
     */
    public void pause(long timeoutNanos) {
        if (poll.await(Math.max(0, timeoutNanos), 1) && poll.ready(1)) {
            wake.clear();
        }
    }

    /** Makes a waiting {@link #await} return, or the next one if none waits. Any thread. */
    public void wakeUp() {
        wake.set();
    }

    /** Unmaps and closes the ring; only when no thread uses it or its memory. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Libc.munmap(address, (long) blockCount * BLOCK_BYTES);
            Libc.close(fd);
            wake.close();
        }
    }
}
