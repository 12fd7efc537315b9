package io.peregrine.nativeio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * An IPv4 UDP socket that moves datagrams in batches: {@code recvmmsg} and {@code sendmmsg}, with the kernel cutting
 * and joining runs of datagrams of the same length (generic segmentation and receive offload) where it can. Datagrams
 * are never fragmented, and leave with IP identification 0; those cut from one run by the kernel with 0, 1, 2 and so
 * on.
 *
 * <p>One thread receives and sends; any may {@link #wakeUp}.
 */
public final class MmsgSocket implements AutoCloseable {
    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEADDR = 2;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SO_DETACH_FILTER = 27;
    private static final int SO_RXQ_OVFL = 40;
    private static final int SO_BUSY_POLL = 46;
    private static final int UDP_HEADER_BYTES = 8;
    private static final int IPPROTO_IP = 0;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IP_PMTUDISC_DO = 2;
    private static final int IP_ADD_MEMBERSHIP = 35;
    private static final int IP_ADD_SOURCE_MEMBERSHIP = 39;
    private static final int IP_MULTICAST_ALL = 49;
    private static final int SOL_UDP = 17;
    private static final int UDP_SEGMENT = 103;
    private static final int UDP_GRO = 104;
    private static final long SIOCETHTOOL = 0x8946;
    private static final int ETHTOOL_GGRO = 0x2B;
    private static final int INTERFACE_NAME_BYTES = 16;
    private static final int INTERFACE_REQUEST_BYTES = 40;
    private static final int MSG_DONTWAIT = 0x40;

    private static final int ADDRESS_BYTES = 16;
    private static final int MESSAGE_BYTES = 64;
    private static final int MESSAGE_NAME_LENGTH = 8;
    private static final int MESSAGE_IOV = 16;
    private static final int MESSAGE_IOV_COUNT = 24;
    private static final int MESSAGE_CONTROL = 32;
    private static final int MESSAGE_CONTROL_LENGTH = 40;
    private static final int MESSAGE_LENGTH = 56;
    private static final int IOV_BYTES = 16;
    /** Two control messages of a number each, with their headers. */
    private static final int CONTROL_BYTES = 48;

    private static final int CONTROL_LEVEL = 8;
    private static final int CONTROL_TYPE = 12;
    private static final int CONTROL_DATA = 16;
    private static final int CONTROL_ALIGNMENT = 8;

    /** Datagrams, or runs of them, that are received at a time. */
    public static final int RECEIVE_SLOTS = 16;
    /** Datagrams, or runs of them, that are sent at a time. */
    public static final int SEND_SLOTS = 16;

    /** Longest head of a datagram that is received apart. */
    public static final int MAX_HEAD_BYTES = 64;

    private static final int SLOT_BYTES = 1 << 16;
    private static final int REST_SLOT = RECEIVE_SLOTS - 1;
    private static final int MAX_RUN_BYTES = 65507;
    private static final int MAX_SEGMENTS = 64;

    private final int fd;
    private final int wakeFd;
    private final ByteBuffer receiveSlab = slab(RECEIVE_SLOTS);
    private final ByteBuffer sendSlab = slab(SEND_SLOTS);
    private final Batch receive = new Batch(RECEIVE_SLOTS, receiveSlab, RECEIVE_SLOTS);
    private final Batch send = new Batch(SEND_SLOTS, sendSlab, SEND_SLOTS);
    private final Batch apart = new Batch(1, receiveSlab, 2 * MAX_SEGMENTS + 1);
    // A datagram may be said to be longer than its head.
    private final ByteBuffer heads =
            NativeMemory.allocate(MAX_SEGMENTS * MAX_HEAD_BYTES + SLOT_BYTES).order(ByteOrder.BIG_ENDIAN);
    private final long headsAddress = NativeMemory.address(heads);
    private final long restAddress = NativeMemory.address(receiveSlab) + (long) REST_SLOT * SLOT_BYTES;
    private int apartVectors;
    private final ByteBuffer pollFds = NativeMemory.allocate(16);
    private final long pollAddress = NativeMemory.address(pollFds);
    private final ByteBuffer timespec = NativeMemory.allocate(16);
    private final long timespecAddress = NativeMemory.address(timespec);
    private final ByteBuffer wakeValue = NativeMemory.allocate(8).putLong(0, 1);
    private final long wakeAddress = NativeMemory.address(wakeValue);
    private final ByteBuffer drain = NativeMemory.allocate(8);
    private final long drainAddress = NativeMemory.address(drain);

    /** Made when it is needed. */
    private PacketFilter ofShare;

    private int runs;
    private int runDestination;
    private int runPort;
    private int runSegmentBytes;
    private int runSegments;
    private int runBytes;
    private boolean runClosed;
    private int beganBytes;
    private long sendFailures;
    private final int localPort;
    private final int receiveBufferBytes;
    private final boolean takesRuns;
    private long drops;
    private boolean segmentationOffload;
    private volatile boolean closed;

    private MmsgSocket(
            int fd, int wakeFd, int localPort, int receiveBufferBytes, boolean takesRuns, boolean segmentationOffload) {
        this.fd = fd;
        this.wakeFd = wakeFd;
        this.localPort = localPort;
        this.receiveBufferBytes = receiveBufferBytes;
        this.takesRuns = takesRuns;
        this.segmentationOffload = segmentationOffload;
        pollFds.putInt(0, fd).putInt(8, wakeFd);
    }

    private static ByteBuffer slab(int slots) {
        return NativeMemory.allocate(slots * SLOT_BYTES).order(ByteOrder.BIG_ENDIAN);
    }

    /**
     * Opens and binds a socket.
     *
     * @param address local IPv4 address
     * @param port local port; 0 takes a free one
     * @param bufferBytes size of the socket's buffers to ask for; the system may grant less
     * @throws NativeUnavailableException if that is not possible, with the reason; {@link PortInUseException} if the
     *     port is taken
     */
    public static MmsgSocket open(int address, int port, int bufferBytes) {
        return open(address, port, bufferBytes, false);
    }

    /**
     * Opens a socket and binds it to the address of a group, beside other such sockets of this host: each gets what
     * comes for the groups that it {@link #join}ed.
     *
     * @param group IPv4 address of the group
     * @param port its port; 0 takes a free one
     * @param bufferBytes size of the socket's buffers to ask for; the system may grant less
     * @throws NativeUnavailableException if that is not possible, with the reason; {@link PortInUseException} if the
     *     port is taken by a program that does not share it
     */
    public static MmsgSocket openShared(int group, int port, int bufferBytes) {
        return open(group, port, bufferBytes, true);
    }

    private static MmsgSocket open(int address, int port, int bufferBytes, boolean shared) {
        Libc.check();
        int fd = Libc.socket(AF_INET, SOCK_DGRAM_CLOEXEC, 0);
        if (fd < 0) {
            throw new NativeUnavailableException("no socket: " + Libc.text(Libc.errno()), null);
        }
        try {
            ByteBuffer value = NativeMemory.allocate(ADDRESS_BYTES);
            long at = NativeMemory.address(value);
            setOption(fd, IPPROTO_IP, IP_MTU_DISCOVER, value, IP_PMTUDISC_DO, "don't fragment");
            for (int[] option : new int[][] {{SO_RCVBUFFORCE, SO_RCVBUF}, {SO_SNDBUFFORCE, SO_SNDBUF}}) {
                value.putInt(0, bufferBytes);
                if (Libc.setsockopt(fd, SOL_SOCKET, option[0], at, 4) != 0) {
                    Libc.setsockopt(fd, SOL_SOCKET, option[1], at, 4);
                }
            }
            value.putInt(0, 0).putInt(4, 4);
            Libc.getsockopt(fd, SOL_SOCKET, SO_RCVBUF, at, at + 4);
            int granted = value.getInt(0);
            value.putInt(0, 1);
            boolean runs = Libc.setsockopt(fd, SOL_UDP, UDP_GRO, at, 4) == 0;
            Libc.setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, at, 4);
            value.putInt(0, 0);
            boolean segmentation = Libc.setsockopt(fd, SOL_UDP, UDP_SEGMENT, at, 4) == 0;
            if (shared) {
                setOption(fd, SOL_SOCKET, SO_REUSEADDR, value, 1, "sharing a port");
                // Else what others of this host joined at other interfaces came here too.
                setOption(fd, IPPROTO_IP, IP_MULTICAST_ALL, value, 0, "the groups of this socket alone");
            }
            putAddress(value, 0, address, port);
            if (Libc.bind(fd, at, ADDRESS_BYTES) != 0) {
                int error = Libc.errno();
                if (error == Libc.EADDRINUSE) {
                    throw new PortInUseException("UDP port " + port + " is in use");
                }
                throw new NativeUnavailableException(
                        "UDP port " + port + " cannot be bound: " + Libc.text(error), null);
            }
            return new MmsgSocket(fd, Libc.newEvent(), boundPort(fd), granted, runs, segmentation);
        } catch (RuntimeException e) {
            Libc.close(fd);
            throw e;
        }
    }

    private static int boundPort(int fd) {
        ByteBuffer value = NativeMemory.allocate(ADDRESS_BYTES + 8);
        long at = NativeMemory.address(value);
        value.putInt(ADDRESS_BYTES, ADDRESS_BYTES);
        if (Libc.getsockname(fd, at, at + ADDRESS_BYTES) != 0) {
            throw new NativeUnavailableException(
                    "the port of a socket cannot be read: " + Libc.text(Libc.errno()), null);
        }
        return Short.reverseBytes(value.getShort(2)) & 0xFFFF;
    }

    private static void setOption(int fd, int level, int name, ByteBuffer value, int setting, String what) {
        value.putInt(0, setting);
        if (Libc.setsockopt(fd, level, name, NativeMemory.address(value), 4) != 0) {
            throw new NativeUnavailableException(what + " cannot be set: " + Libc.text(Libc.errno()), null);
        }
    }

    private static void putAddress(ByteBuffer target, int at, int address, int port) {
        target.putShort(at, (short) AF_INET);
        target.order(ByteOrder.BIG_ENDIAN);
        target.putShort(at + 2, (short) port).putInt(at + 4, address);
        target.order(ByteOrder.nativeOrder());
        target.putLong(at + 8, 0);
    }

    /**
     * Whether the kernel joins what arrives at an interface to runs before this socket gets it: since Linux 5.0 if
     * generic receive offload is on there (ethtool -k). True also where the system does not tell.
     *
     * @param interfaceName name of the interface
     */
    public boolean getsRunsFrom(String interfaceName) {
        byte[] name = interfaceName.getBytes(StandardCharsets.UTF_8);
        if (!takesRuns || name.length >= INTERFACE_NAME_BYTES) {
            return takesRuns;
        }
        // struct ifreq, and struct ethtool_value behind it
        ByteBuffer request = NativeMemory.allocate(INTERFACE_REQUEST_BYTES + 8);
        long at = NativeMemory.address(request);
        request.put(0, name)
                .putLong(INTERFACE_NAME_BYTES, at + INTERFACE_REQUEST_BYTES)
                .putInt(INTERFACE_REQUEST_BYTES, ETHTOOL_GGRO);
        return Libc.ioctl(fd, SIOCETHTOOL, at) != 0 || request.getInt(INTERFACE_REQUEST_BYTES + 4) != 0;
    }

    /**
     * Lets the kernel ask the adapter for packets before a thread sleeps.
     *
     * @param micros how long
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    public void busyPoll(int micros) {
        setOption(fd, SOL_SOCKET, SO_BUSY_POLL, NativeMemory.allocate(4), micros, "polling the adapter");
    }

    /**
     * Joins a group for all who send to it, until the socket is closed (ip(7)).
     *
     * @param group IPv4 address of the group
     * @param local IPv4 address of the interface
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    public void join(int group, int local) {
        addMembership(IP_ADD_MEMBERSHIP, group, local);
    }

    /**
     * Joins a group for one who sends to it, or for all where the system cannot tell them apart. Until the socket is
     * closed.
     *
     * @param group IPv4 address of the group
     * @param local IPv4 address of the interface
     * @param source IPv4 address of the one
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    public void join(int group, int local, int source) {
        try {
            addMembership(IP_ADD_SOURCE_MEMBERSHIP, group, local, source);
        } catch (NativeUnavailableException e) {
            join(group, local);
        }
    }

    private void addMembership(int option, int... addresses) {
        int bytes = 4 * addresses.length;
        ByteBuffer value = NativeMemory.allocate(bytes).order(ByteOrder.BIG_ENDIAN);
        for (int i = 0; i < addresses.length; i++) {
            value.putInt(4 * i, addresses[i]);
        }
        if (Libc.setsockopt(fd, IPPROTO_IP, option, NativeMemory.address(value), bytes) != 0) {
            throw new NativeUnavailableException("a group cannot be joined: " + Libc.text(Libc.errno()), null);
        }
    }

    /**
     * From now on nothing that arrives is kept: the socket only holds its port.
     *
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    public void keepNothing() {
        PacketFilter.NOTHING.attach(fd);
    }

    /**
     * Keeps all that arrives from now on, or that of a share of the blocks. What is not kept counts as dropped.
     *
     * @param number where a datagram tells its block
     * @param share the share, from 1 to {@link BlockNumber#ALL}
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    public void keepBlocks(BlockNumber number, int share) {
        if (share < BlockNumber.ALL) {
            if (ofShare == null) {
                ofShare = PacketFilter.ofShare(number, UDP_HEADER_BYTES, false);
            }
            ofShare.share(share).attach(fd);
        } else if (ofShare != null && Libc.setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, wakeAddress, 4) != 0) {
            // The value means nothing.
            throw new NativeUnavailableException("the end of a filter cannot be set: " + Libc.text(Libc.errno()), null);
        }
    }

    /** UDP port that the socket is bound to. */
    public int localPort() {
        return localPort;
    }

    /**
     * Datagrams that the system dropped since the socket was opened because its buffer was full, as far as received.
     */
    public long drops() {
        return drops;
    }

    /** Size of the receive buffer as the system granted it. */
    public int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    /** Datagrams that the system refused to send. */
    public long sendFailures() {
        return sendFailures;
    }

    // ---- receiving

    /**
     * Receives what is there, without waiting.
     *
     * @return number of slots that are filled, 0 when there is nothing
     */
    public int receive() {
        return receive(RECEIVE_SLOTS);
    }

    /**
     * Receives what is there, without waiting.
     *
     * @param slots most slots to fill
     * @return number of slots that are filled, 0 when there is nothing
     */
    public int receive(int slots) {
        return take(receive, Math.min(slots, RECEIVE_SLOTS));
    }

    private int take(Batch batch, int slots) {
        batch.resetForReceive(slots);
        int count = Libc.recvmmsg(fd, batch.messages, slots, MSG_DONTWAIT, 0);
        if (count <= 0) {
            return 0;
        }
        // The system counts in 32 bits; the newest message has the newest count.
        int at = control(batch, count - 1, SOL_SOCKET, SO_RXQ_OVFL);
        if (at >= 0) {
            drops += batch.native0.getInt(at) - (int) drops & 0xFFFFFFFFL;
        }
        return count;
    }

    /** Where the value of a control message of a slot lies; -1 when it has none of that kind. */
    private static int control(Batch batch, int slot, int level, int type) {
        ByteBuffer memory = batch.native0;
        long length = memory.getLong(slot * MESSAGE_BYTES + MESSAGE_CONTROL_LENGTH);
        int begin = batch.controlOffset + slot * CONTROL_BYTES;
        long at = 0;
        while (at + CONTROL_DATA + 4 <= length) {
            int message = begin + (int) at;
            if (memory.getInt(message + CONTROL_LEVEL) == level && memory.getInt(message + CONTROL_TYPE) == type) {
                return message + CONTROL_DATA;
            }
            long size = memory.getLong(message);
            if (size < CONTROL_DATA || size > CONTROL_BYTES) {
                break;
            }
            at += (size + CONTROL_ALIGNMENT - 1) / CONTROL_ALIGNMENT * CONTROL_ALIGNMENT;
        }
        return -1;
    }

    /**
     * Receives one datagram, or one run of them, without waiting: of each the first bytes to a place for heads, the
     * rest to memory, one after another. What does not fit there follows in the last slot's place.
     *
     * @param headBytes first bytes of each datagram, at most {@link #MAX_HEAD_BYTES}
     * @param dataBytes further bytes of each datagram
     * @param address where those of the first datagram go
     * @param roomBytes bytes that may be written there
     * @param mostDatagrams for how many datagrams to make room there
     * @return whether something came; it is what slot 0 tells of, but not {@link #gather}ed there
     */
    public boolean receiveApart(int headBytes, int dataBytes, long address, int roomBytes, int mostDatagrams) {
        ByteBuffer memory = apart.native0;
        int at = apart.iovOffset;
        int room = roomBytes;
        int vectors = 0;
        int most = 2 * Math.min(mostDatagrams, MAX_SEGMENTS);
        while (room > 0 && vectors < most && vectors / 2 * dataBytes < MAX_RUN_BYTES) {
            int bytes = Math.min(dataBytes, room);
            memory.putLong(at, headsAddress + vectors / 2 * (long) MAX_HEAD_BYTES);
            memory.putLong(at + 8, headBytes);
            memory.putLong(at + 16, address + roomBytes - room);
            memory.putLong(at + 24, bytes);
            at += 2 * IOV_BYTES;
            vectors += 2;
            room -= bytes;
        }
        memory.putLong(at, restAddress).putLong(at + 8, SLOT_BYTES);
        memory.putLong(MESSAGE_IOV_COUNT, vectors + 1L);
        apartVectors = vectors;
        return take(apart, 1) == 1;
    }

    /** The heads of what was received apart, big-endian, each {@link #MAX_HEAD_BYTES} behind the one before. */
    public ByteBuffer heads() {
        return heads;
    }

    /** Number of datagrams that there was room for apart. */
    public int apartRoom() {
        return apartVectors / 2;
    }

    /** Bytes of what was received apart. */
    public int apartLengthBytes() {
        return apart.native0.getInt(MESSAGE_LENGTH);
    }

    /** Length of each datagram that was received apart. */
    public int apartSegmentBytes() {
        return segmentBytes(apart, 0);
    }

    /** IPv4 address that what was received apart came from. */
    public int apartSourceAddress() {
        return sourceAddress(apart, 0);
    }

    /** UDP port that what was received apart came from. */
    public int apartSourcePort() {
        return sourcePort(apart, 0);
    }

    /**
     * Puts what was received apart together again, at the begin of {@link #received()}.
     *
     * @param fromDatagram first datagram to put there
     * @param memory the memory that the data of the datagrams went to
     * @param offset where that of the first one went
     */
    public void gather(int fromDatagram, ByteBuffer memory, int offset) {
        ByteBuffer vectors = apart.native0;
        int left = apartLengthBytes();
        int to = 0;
        int data = offset;
        for (int i = 0; i <= apartVectors && left > 0; i++) {
            int bytes = (int) Math.min(left, vectors.getLong(apart.iovOffset + i * IOV_BYTES + 8));
            if (i / 2 >= fromDatagram) {
                if (i == apartVectors) {
                    receiveSlab.put(to, receiveSlab, REST_SLOT * SLOT_BYTES, bytes);
                } else if (i % 2 == 0) {
                    receiveSlab.put(to, heads, i / 2 * MAX_HEAD_BYTES, bytes);
                } else {
                    receiveSlab.put(to, memory, data, bytes);
                }
                to += bytes;
            }
            if (i % 2 == 1) {
                data += bytes;
            }
            left -= bytes;
        }
    }

    /** The buffer that holds what was received, big-endian. */
    public ByteBuffer received() {
        return receiveSlab;
    }

    /** Where in the buffer a slot begins. */
    public int offset(int slot) {
        return slot * SLOT_BYTES;
    }

    /** Bytes in a slot: one datagram, or several of {@link #segmentBytes} each, the last of which may be shorter. */
    public int lengthBytes(int slot) {
        return receive.native0.getInt(slot * MESSAGE_BYTES + MESSAGE_LENGTH);
    }

    /** Length of each datagram in a slot. */
    public int segmentBytes(int slot) {
        return segmentBytes(receive, slot);
    }

    private static int segmentBytes(Batch batch, int slot) {
        int lengthBytes = batch.native0.getInt(slot * MESSAGE_BYTES + MESSAGE_LENGTH);
        int at = control(batch, slot, SOL_UDP, UDP_GRO);
        int size = at >= 0 ? batch.native0.getInt(at) : 0;
        return size > 0 ? size : lengthBytes;
    }

    /** IPv4 address that a slot came from. */
    public int sourceAddress(int slot) {
        return sourceAddress(receive, slot);
    }

    private static int sourceAddress(Batch batch, int slot) {
        return Integer.reverseBytes(batch.native0.getInt(batch.nameOffset + slot * ADDRESS_BYTES + 4));
    }

    /** UDP port that a slot came from. */
    public int sourcePort(int slot) {
        return sourcePort(receive, slot);
    }

    private static int sourcePort(Batch batch, int slot) {
        return Short.reverseBytes(batch.native0.getShort(batch.nameOffset + slot * ADDRESS_BYTES + 2)) & 0xFFFF;
    }

    // ---- sending

    /**
     * Makes room for a datagram.
     *
     * @return where to write it in {@link #sending()}; -1 when the batch is full: {@link #flush} first
     */
    public int begin(int destination, int port, int lengthBytes) {
        boolean joins = runs > 0
                && segmentationOffload
                && !runClosed
                && destination == runDestination
                && port == runPort
                && lengthBytes <= runSegmentBytes
                && runSegments < MAX_SEGMENTS
                && runBytes + lengthBytes <= MAX_RUN_BYTES;
        if (!joins) {
            // A run that nothing was committed to is begun again.
            if (runs == 0 || runSegments > 0) {
                if (runs == SEND_SLOTS) {
                    return -1;
                }
                endRun();
                runs++;
            }
            runDestination = destination;
            runPort = port;
            runSegmentBytes = lengthBytes;
            runSegments = 0;
            runBytes = 0;
            runClosed = false;
        }
        beganBytes = lengthBytes;
        return (runs - 1) * SLOT_BYTES + runBytes;
    }

    /** Leaves no more datagrams for the kernel or an adapter to cut. */
    public void sendOneByOne() {
        segmentationOffload = false;
    }

    /** IP identification that the datagram which was begun last will have. */
    public int identification() {
        return runSegments;
    }

    /** The datagram that was begun last is written. */
    public void commit() {
        runBytes += beganBytes;
        runSegments++;
        runClosed = beganBytes < runSegmentBytes;
    }

    /** The buffer to write datagrams into, big-endian. */
    public ByteBuffer sending() {
        return sendSlab;
    }

    private void endRun() {
        if (runs > 0) {
            send.prepare(runs - 1, runDestination, runPort, runBytes, runSegments > 1 ? runSegmentBytes : 0);
        }
    }

    /** Sends the batch; waits until the socket's buffer takes it. What the system refuses is counted and dropped. */
    public void flush() {
        if (runs > 0 && runSegments == 0) {
            runs--;
        } else {
            endRun();
        }
        int sent = 0;
        int failedTries = 0;
        while (sent < runs) {
            int count = Libc.sendmmsg(fd, send.messages + (long) sent * MESSAGE_BYTES, runs - sent, 0);
            if (count > 0) {
                sent += count;
                failedTries = 0;
                continue;
            }
            int error = Libc.errno();
            if (error == Libc.EINTR || ((error == Libc.ENOBUFS || error == Libc.EAGAIN) && failedTries++ < 100)) {
                Thread.onSpinWait();
                continue;
            }
            sendFailures++;
            sent++;
        }
        runs = 0;
        runSegments = 0;
        runBytes = 0;
    }

    // ---- waiting

    /**
     * Waits until something can be received, somebody wakes the socket, or the time has passed.
     *
     * @param timeoutNanos how long to wait
     */
    public void await(long timeoutNanos) {
        await(fd, timeoutNanos);
    }

    /**
     * Lets datagrams gather until somebody wakes the socket, or the time has passed.
     *
     * @param timeoutNanos how long to wait
     */
    public void pause(long timeoutNanos) {
        // The system looks past a descriptor that is negative.
        await(-1, timeoutNanos);
    }

    private void await(int descriptor, long timeoutNanos) {
        long nanos = Math.max(0, timeoutNanos);
        pollFds.putInt(0, descriptor);
        timespec.putLong(0, nanos / 1_000_000_000L).putLong(8, nanos % 1_000_000_000L);
        pollFds.putInt(4, Libc.POLLIN).putInt(12, Libc.POLLIN);
        if (Libc.ppoll(pollAddress, 2, timespecAddress, 0) > 0 && pollFds.getShort(14) != 0) {
            Libc.read(wakeFd, drainAddress, 8);
        }
    }

    /** Makes a waiting {@link #await} return, or the next one if none waits. Any thread, not after {@link #close}. */
    public void wakeUp() {
        if (!closed) {
            Libc.write(wakeFd, wakeAddress, 8);
        }
    }

    /** Closes the socket; only when no thread uses it. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Libc.close(fd);
            Libc.close(wakeFd);
        }
    }

    /** Message headers, addresses, control messages and vectors for a number of slots, in one piece of memory. */
    private static final class Batch {
        private final ByteBuffer native0;
        private final long messages;
        private final int nameOffset;
        private final int controlOffset;
        private final int iovOffset;

        Batch(int slots, ByteBuffer slab, int vectors) {
            nameOffset = slots * MESSAGE_BYTES;
            controlOffset = nameOffset + slots * ADDRESS_BYTES;
            iovOffset = controlOffset + slots * CONTROL_BYTES;
            native0 = NativeMemory.allocate(iovOffset + vectors * IOV_BYTES);
            messages = NativeMemory.address(native0);
            long data = NativeMemory.address(slab);
            for (int i = 0; i < slots; i++) {
                int message = i * MESSAGE_BYTES;
                native0.putLong(message, messages + nameOffset + (long) i * ADDRESS_BYTES);
                native0.putInt(message + MESSAGE_NAME_LENGTH, ADDRESS_BYTES);
                native0.putLong(message + MESSAGE_IOV, messages + iovOffset + (long) i * IOV_BYTES);
                native0.putLong(message + MESSAGE_IOV_COUNT, 1);
                native0.putLong(message + MESSAGE_CONTROL, messages + controlOffset + (long) i * CONTROL_BYTES);
                native0.putLong(iovOffset + i * IOV_BYTES, data + (long) i * SLOT_BYTES);
                native0.putLong(iovOffset + i * IOV_BYTES + 8, SLOT_BYTES);
            }
        }

        void resetForReceive(int slots) {
            for (int i = 0; i < slots; i++) {
                int message = i * MESSAGE_BYTES;
                native0.putInt(message + MESSAGE_NAME_LENGTH, ADDRESS_BYTES);
                native0.putLong(message + MESSAGE_CONTROL_LENGTH, CONTROL_BYTES);
            }
        }

        void prepare(int slot, int destination, int port, int lengthBytes, int segmentBytes) {
            int message = slot * MESSAGE_BYTES;
            putAddress(native0, nameOffset + slot * ADDRESS_BYTES, destination, port);
            native0.putLong(iovOffset + slot * IOV_BYTES + 8, lengthBytes);
            if (segmentBytes == 0) {
                native0.putLong(message + MESSAGE_CONTROL_LENGTH, 0);
                return;
            }
            int control = controlOffset + slot * CONTROL_BYTES;
            native0.putLong(message + MESSAGE_CONTROL_LENGTH, 24);
            native0.putLong(control, CONTROL_DATA + 2);
            native0.putInt(control + CONTROL_LEVEL, SOL_UDP);
            native0.putInt(control + CONTROL_TYPE, UDP_SEGMENT);
            native0.putShort(control + CONTROL_DATA, (short) segmentBytes);
        }
    }
}
