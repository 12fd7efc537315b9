package io.peregrine.virtualcamera;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Sends batches of packets by one call of {@code sendmmsg}, each gathered from its head and from where its data lies.
 * Runs of packets of one length can go as one message that the network cuts (generic segmentation offload, udp(7)).
 */
final class MmsgPacketOutput implements PacketOutput {
    private static final int MESSAGES = 64;
    /** Most packets of a run, and most bytes, that the kernel cuts. */
    private static final int RUN_PACKETS = 64;

    private static final int RUN_BYTES = 65507;
    private static final int BATCH_PACKETS = 256;
    private static final int HEADS_BYTES = 1 << 17;
    private static final int TRIES = 1000;

    // struct mmsghdr, struct iovec, struct sockaddr_in and a control message of 16 bits, on LP64.
    private static final int MESSAGE_BYTES = 64;
    private static final int MESSAGE_NAME = 0;
    private static final int MESSAGE_NAME_LENGTH = 8;
    private static final int MESSAGE_VECTORS = 16;
    private static final int MESSAGE_VECTOR_COUNT = 24;
    private static final int MESSAGE_CONTROL = 32;
    private static final int MESSAGE_CONTROL_LENGTH = 40;
    private static final int VECTOR_BYTES = 16;
    private static final int ADDRESS_BYTES = 16;
    private static final int CONTROL_BYTES = 24;
    private static final int CONTROL_USED_BYTES = 18;

    private static final int VECTORS_OFFSET = MESSAGES * MESSAGE_BYTES;
    private static final int ADDRESS_OFFSET = VECTORS_OFFSET + 2 * BATCH_PACKETS * VECTOR_BYTES;
    private static final int CONTROLS_OFFSET = ADDRESS_OFFSET + ADDRESS_BYTES;
    private static final int HEADS_OFFSET = CONTROLS_OFFSET + MESSAGES * CONTROL_BYTES;

    private final int fd;
    private final int port;
    private final Counters counters;
    private final ByteBuffer batch = structure(HEADS_OFFSET + HEADS_BYTES);
    private final long batchAddress = address(batch);

    private boolean segmentationOffload;
    private ByteBuffer batchMemory = batch;
    /** Valid as long as the memory is reachable. */
    private long batchMemoryAddress;

    private int headsBytes;
    private int packets;
    private int messages;
    private int runPackets;
    private int runBytes;
    private int runPacketBytes;
    private boolean runEnded;

    /** One packet at a time, from any thread. */
    private final ByteBuffer single = structure(MESSAGE_BYTES + VECTOR_BYTES + ADDRESS_BYTES + 65536);

    private final long singleAddress = address(single);
    private volatile boolean closed;

    private MmsgPacketOutput(int fd, int port, boolean segmentationOffload, Counters counters) {
        this.fd = fd;
        this.port = port;
        this.segmentationOffload = segmentationOffload;
        this.counters = counters;
    }

    static MmsgPacketOutput open(InetAddress address, boolean segmentationOffload, int multicastTtl, Counters counters)
            throws IOException {
        int fd = Sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM_CLOEXEC, 0);
        if (fd < 0) {
            throw failure("no socket");
        }
        ByteBuffer value = structure(2 * ADDRESS_BYTES);
        long at = address(value);
        value.putInt(0, BUFFER_BYTES);
        Sockets.setsockopt(fd, Sockets.SOL_SOCKET, Sockets.SO_SNDBUF, at, 4);
        value.putInt(0, multicastTtl);
        Sockets.setsockopt(fd, Sockets.IPPROTO_IP, Sockets.IP_MULTICAST_TTL, at, 4);
        value.put(0, address.getAddress());
        Sockets.setsockopt(fd, Sockets.IPPROTO_IP, Sockets.IP_MULTICAST_IF, at, 4);
        putAddress(value, 0, new InetSocketAddress(address, 0));
        value.putInt(ADDRESS_BYTES, ADDRESS_BYTES);
        if (Sockets.bind(fd, at, ADDRESS_BYTES) != 0 || Sockets.getsockname(fd, at, at + ADDRESS_BYTES) != 0) {
            IOException failure = failure("no port at " + address.getHostAddress());
            Sockets.close(fd);
            throw failure;
        }
        int port = Short.toUnsignedInt(Short.reverseBytes(value.getShort(2)));
        return new MmsgPacketOutput(fd, port, segmentationOffload, counters);
    }

    private static IOException failure(String what) {
        return new IOException("The stream socket cannot be opened: " + what + ", error " + Native.getLastError());
    }

    private static ByteBuffer structure(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private static long address(ByteBuffer buffer) {
        return Pointer.nativeValue(Native.getDirectBufferPointer(buffer));
    }

    private static void putAddress(ByteBuffer target, int at, InetSocketAddress address) {
        target.putShort(at, (short) Sockets.AF_INET);
        target.put(at + 2, (byte) (address.getPort() >>> 8)).put(at + 3, (byte) address.getPort());
        target.put(at + 4, address.getAddress().getAddress()).putLong(at + 8, 0);
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public synchronized void send(ByteBuffer packet, InetSocketAddress destination) {
        int vector = MESSAGE_BYTES;
        int name = vector + VECTOR_BYTES;
        int data = name + ADDRESS_BYTES;
        int bytes = packet.remaining();
        single.put(data, packet, packet.position(), bytes);
        packet.position(packet.limit());
        putAddress(single, name, destination);
        single.putLong(vector, singleAddress + data).putLong(vector + 8, bytes);
        single.putLong(MESSAGE_NAME, singleAddress + name).putInt(MESSAGE_NAME_LENGTH, ADDRESS_BYTES);
        single.putLong(MESSAGE_VECTORS, singleAddress + vector).putLong(MESSAGE_VECTOR_COUNT, 1);
        single.putLong(MESSAGE_CONTROL_LENGTH, 0);
        count(push(singleAddress, 1) == 1, 1, bytes);
    }

    @Override
    public void begin(InetSocketAddress destination, ByteBuffer memory) {
        flush();
        batchMemory = memory;
        batchMemoryAddress = memory.capacity() == 0 ? 0 : address(memory);
        putAddress(batch, ADDRESS_OFFSET, destination);
    }

    @Override
    public void add(ByteBuffer head, int offset, int lengthBytes) {
        Objects.checkFromIndexSize(offset, lengthBytes, batchMemory.capacity());
        int headBytes = head.remaining();
        if (packets == BATCH_PACKETS || headsBytes + headBytes > HEADS_BYTES) {
            flush();
        }
        int bytes = headBytes + lengthBytes;
        boolean joins = segmentationOffload
                && messages > 0
                && !runEnded
                && bytes <= runPacketBytes
                && runPackets < RUN_PACKETS
                && runBytes + bytes <= RUN_BYTES;
        if (!joins) {
            if (messages == MESSAGES) {
                flush();
            }
            beginRun(bytes);
        }
        int headAt = HEADS_OFFSET + headsBytes;
        batch.put(headAt, head, head.position(), headBytes);
        headsBytes += headBytes;
        int vector = VECTORS_OFFSET + 2 * packets * VECTOR_BYTES;
        batch.putLong(vector, batchAddress + headAt).putLong(vector + 8, headBytes);
        // An empty vector is no harm, and each packet has two.
        batch.putLong(vector + 16, batchMemoryAddress + offset).putLong(vector + 24, lengthBytes);
        packets++;
        runPackets++;
        runBytes += bytes;
        runEnded = bytes < runPacketBytes;
        int message = (messages - 1) * MESSAGE_BYTES;
        batch.putLong(message + MESSAGE_VECTOR_COUNT, 2L * runPackets);
        batch.putLong(message + MESSAGE_CONTROL_LENGTH, runPackets > 1 ? CONTROL_BYTES : 0);
    }

    private void beginRun(int bytes) {
        int message = messages * MESSAGE_BYTES;
        int control = CONTROLS_OFFSET + messages * CONTROL_BYTES;
        batch.putLong(message + MESSAGE_NAME, batchAddress + ADDRESS_OFFSET);
        batch.putInt(message + MESSAGE_NAME_LENGTH, ADDRESS_BYTES);
        batch.putLong(message + MESSAGE_VECTORS, batchAddress + VECTORS_OFFSET + 2L * packets * VECTOR_BYTES);
        batch.putLong(message + MESSAGE_CONTROL, batchAddress + control);
        batch.putLong(control, CONTROL_USED_BYTES).putInt(control + 8, Sockets.SOL_UDP);
        batch.putInt(control + 12, Sockets.UDP_SEGMENT).putShort(control + 16, (short) bytes);
        messages++;
        runPackets = 0;
        runBytes = 0;
        runPacketBytes = bytes;
        runEnded = false;
    }

    @Override
    public void flush() {
        int sent = 0;
        while (sent < messages) {
            int count = push(batchAddress + (long) sent * MESSAGE_BYTES, messages - sent);
            for (int i = 0; i < count; i++) {
                countRun(sent++, true);
            }
            if (count <= 0) {
                if (vectors(sent) > 2) {
                    sendOneByOne(sent);
                } else {
                    countRun(sent, false);
                }
                sent++;
            }
        }
        messages = 0;
        packets = 0;
        headsBytes = 0;
    }

    private int vectors(int message) {
        return (int) batch.getLong(message * MESSAGE_BYTES + MESSAGE_VECTOR_COUNT);
    }

    /** The system refuses to cut this run, for instance because its packets are larger than the interface takes. */
    private void sendOneByOne(int message) {
        segmentationOffload = false;
        int at = message * MESSAGE_BYTES;
        int left = vectors(message);
        batch.putLong(at + MESSAGE_VECTOR_COUNT, 2).putLong(at + MESSAGE_CONTROL_LENGTH, 0);
        while (left > 0) {
            countRun(message, push(batchAddress + at, 1) == 1);
            batch.putLong(at + MESSAGE_VECTORS, batch.getLong(at + MESSAGE_VECTORS) + 2 * VECTOR_BYTES);
            left -= 2;
        }
    }

    private void countRun(int message, boolean success) {
        int vectors = vectors(message);
        int at = (int) (batch.getLong(message * MESSAGE_BYTES + MESSAGE_VECTORS) - batchAddress);
        long bytes = 0;
        for (int i = 0; i < vectors; i++) {
            bytes += batch.getLong(at + i * VECTOR_BYTES + 8);
        }
        count(success, vectors / 2, bytes);
    }

    private void count(boolean success, int number, long bytes) {
        if (success) {
            counters.packetsSent.add(number);
            counters.bytesSent.add(bytes);
        } else {
            counters.sendFailures.add(number);
        }
    }

    /** Sends messages; waits while the socket's buffer is full. The number that was sent, or -1. */
    private int push(long at, int count) {
        for (int i = 0; i < TRIES && !closed; i++) {
            int sent = Sockets.sendmmsg(fd, at, count, 0);
            if (sent > 0) {
                return sent;
            }
            int error = Native.getLastError();
            if (error != Sockets.EINTR && error != Sockets.EAGAIN && error != Sockets.ENOBUFS) {
                return -1;
            }
            Thread.onSpinWait();
        }
        return -1;
    }

    /** Not while another thread makes a batch. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Sockets.close(fd);
        }
    }
}
