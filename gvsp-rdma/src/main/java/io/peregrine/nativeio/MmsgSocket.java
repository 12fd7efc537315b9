package io.peregrine.nativeio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An IPv4 UDP socket that moves datagrams in batches: {@code recvmmsg} and {@code sendmmsg}, with the kernel cutting
 * and joining runs of datagrams of the same length (generic segmentation and receive offload) where it can. Datagrams
 * are never fragmented, and leave with IP identification 0; those cut from one run by the kernel with 0, 1, 2 and so
 * on.
 *
 * <p>One thread at a time receives and sends; any may {@link #wakeUp}.
 */
public final class MmsgSocket implements AutoCloseable {
    /** Datagrams, or runs of them, that are received at a time. */
    public static final int RECEIVE_SLOTS = 16;
    /** Datagrams, or runs of them, that are sent at a time. */
    public static final int SEND_SLOTS = SendBatch.SLOTS;

    /** Longest head of a datagram that is received apart. */
    public static final int MAX_HEAD_BYTES = SplitReceive.MAX_HEAD_BYTES;

    private final UdpOptions options;
    private final int fd;
    private final int wakeFd;
    private final ByteBuffer receiveSlab =
            NativeMemory.allocate(RECEIVE_SLOTS * MessageVector.SLOT_BYTES).order(ByteOrder.BIG_ENDIAN);
    private final MessageVector receive = new MessageVector(RECEIVE_SLOTS, receiveSlab, RECEIVE_SLOTS);
    private final SplitReceive apart = new SplitReceive(receiveSlab);
    private final SendBatch send;
    private final ByteBuffer pollFds = NativeMemory.allocate(16);
    private final long pollAddress = NativeMemory.address(pollFds);
    private final ByteBuffer timespec = NativeMemory.allocate(16);
    private final long timespecAddress = NativeMemory.address(timespec);
    private final ByteBuffer wakeValue = NativeMemory.allocate(8).putLong(0, 1);
    private final long wakeAddress = NativeMemory.address(wakeValue);
    private final ByteBuffer drain = NativeMemory.allocate(8);
    private final long drainAddress = NativeMemory.address(drain);
    private long drops;
    private volatile boolean closed;

    private MmsgSocket(UdpOptions options, int wakeFd) {
        this.options = options;
        this.wakeFd = wakeFd;
        fd = options.fileDescriptor();
        send = new SendBatch(fd, options.segmentationOffload());
        pollFds.putInt(0, fd).putInt(8, wakeFd);
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
        UdpOptions options = UdpOptions.open(address, port, bufferBytes, shared);
        try {
            return new MmsgSocket(options, Libc.newEvent());
        } catch (RuntimeException e) {
            Libc.close(options.fileDescriptor());
            throw e;
        }
    }

    /**
     * Whether the kernel joins what arrives at an interface to runs before this socket gets it: since Linux 5.0 if
     * generic receive offload is on there (ethtool -k). True also where the system does not report it.
     *
     * @param interfaceName name of the interface
     */
    public boolean getsRunsFrom(String interfaceName) {
        return options.getsRunsFrom(interfaceName);
    }

    /**
     * Sets the type of service of what is sent from now on, and the priority of the socket with it (ip(7)).
     *
     * @param value DSCP times 4
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    public void typeOfService(int value) {
        options.typeOfService(value);
    }

    /**
     * Lets the kernel ask the adapter for packets before a thread sleeps.
     *
     * @param micros how long
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    public void busyPoll(int micros) {
        options.busyPoll(micros);
    }

    /**
     * Joins a group for all who send to it, until the socket is closed (ip(7)).
     *
     * @param group IPv4 address of the group
     * @param local IPv4 address of the interface
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    public void join(int group, int local) {
        options.join(group, local);
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
        options.join(group, local, source);
    }

    /**
     * From now on nothing that arrives is kept: the socket only holds its port.
     *
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    public void keepNothing() {
        options.keepNothing();
    }

    /** From now on no packets are joined to runs, for others that listen at the interface either. */
    public void joinNothing() {
        options.joinNothing();
    }

    /**
     * Keeps all that arrives from now on, or that of a share of the numbers. What is not kept counts as dropped.
     *
     * @param number where a datagram has the number that decides
     * @param share the share, from 1 to {@link NumberField#PARTS}
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    public void keepShare(NumberField number, int share) {
        options.keepShare(number, share);
    }

    /** UDP port that the socket is bound to. */
    public int localPort() {
        return options.localPort();
    }

    /**
     * Datagrams that the system dropped since the socket was opened because its buffer was full, as far as received.
     */
    public long drops() {
        return drops;
    }

    /** Size of the receive buffer as the system granted it. */
    public int receiveBufferBytes() {
        return options.receiveBufferBytes();
    }

    /** Datagrams that the system refused to send. */
    public long sendFailures() {
        return send.sendFailures();
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

    private int take(MessageVector vector, int slots) {
        int count = vector.receive(fd, slots);
        if (count > 0) {
            // The system counts in 32 bits; the newest message has the newest count.
            drops += vector.drops(count - 1, (int) drops) - (int) drops & 0xFFFFFFFFL;
        }
        return count;
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
     * @return whether something came; it is what slot 0 describes, but not {@link #gather}ed there
     */
    public boolean receiveApart(int headBytes, int dataBytes, long address, int roomBytes, int mostDatagrams) {
        apart.prepare(headBytes, dataBytes, address, roomBytes, mostDatagrams);
        return take(apart.message(), 1) == 1;
    }

    /** The heads of what was received apart, big-endian, each {@link #MAX_HEAD_BYTES} behind the one before. */
    public ByteBuffer heads() {
        return apart.heads();
    }

    /** Number of datagrams that there was room for apart. */
    public int apartRoom() {
        return apart.room();
    }

    /** Bytes of what was received apart. */
    public int apartLengthBytes() {
        return apart.message().lengthBytes(0);
    }

    /** Length of each datagram that was received apart. */
    public int apartSegmentBytes() {
        return apart.message().segmentBytes(0);
    }

    /** IPv4 address that what was received apart came from. */
    public int apartSourceAddress() {
        return apart.message().sourceAddress(0);
    }

    /** UDP port that what was received apart came from. */
    public int apartSourcePort() {
        return apart.message().sourcePort(0);
    }

    /**
     * Puts what was received apart together again, at the begin of {@link #received()}.
     *
     * @param fromDatagram first datagram to put there
     * @param memory the memory that the data of the datagrams went to
     * @param offset where that of the first one went
     */
    public void gather(int fromDatagram, ByteBuffer memory, int offset) {
        apart.gather(fromDatagram, memory, offset);
    }

    /** The buffer that holds what was received, big-endian. */
    public ByteBuffer received() {
        return receiveSlab;
    }

    /** Where in the buffer a slot begins. */
    public int offset(int slot) {
        return slot * MessageVector.SLOT_BYTES;
    }

    /** Bytes in a slot: one datagram, or several of {@link #segmentBytes} each, the last of which may be shorter. */
    public int lengthBytes(int slot) {
        return receive.lengthBytes(slot);
    }

    /** Length of each datagram in a slot. */
    public int segmentBytes(int slot) {
        return receive.segmentBytes(slot);
    }

    /** IPv4 address that a slot came from. */
    public int sourceAddress(int slot) {
        return receive.sourceAddress(slot);
    }

    /** UDP port that a slot came from. */
    public int sourcePort(int slot) {
        return receive.sourcePort(slot);
    }

    // ---- sending

    /**
     * Makes room for a datagram.
     *
     * @return where to write it in {@link #sending()}; -1 when the batch is full: {@link #flush} first
     */
    public int begin(int destination, int port, int lengthBytes) {
        return send.begin(destination, port, lengthBytes);
    }

    /** Leaves no more datagrams for the kernel or an adapter to cut. */
    public void sendOneByOne() {
        send.sendOneByOne();
    }

    /** IP identification that the datagram which was begun last will have. */
    public int identification() {
        return send.identification();
    }

    /** The datagram that was begun last is written. */
    public void commit() {
        send.commit();
    }

    /** The buffer to write datagrams into, big-endian. */
    public ByteBuffer sending() {
        return send.buffer();
    }

    /** Sends the batch; waits until the socket's buffer takes it. What the system refuses is counted and dropped. */
    public void flush() {
        send.flush();
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
}
