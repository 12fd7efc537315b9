package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * The socket that stream packets leave by. Counts what it sends and what the network refuses: such a packet is lost, as
 * on a real link. Any thread may {@link #send}; one thread makes batches.
 */
interface PacketOutput extends AutoCloseable {
    /** Size of the socket's buffer to ask for. */
    int BUFFER_BYTES = 4 << 20;

    /** The fastest output that this system has. */
    static PacketOutput open(InetAddress address, boolean segmentationOffload, int multicastTtl, Counters counters)
            throws IOException {
        String problem = Sockets.problem();
        if (problem.isEmpty()) {
            return MmsgPacketOutput.open(address, segmentationOffload, multicastTtl, counters);
        }
        System.getLogger(PacketOutput.class.getName())
                .log(System.Logger.Level.INFO, "Stream packets are sent one by one, not in batches: {0}", problem);
        return NioPacketOutput.open(address, multicastTtl, counters);
    }

    /** UDP port that packets are sent from. */
    int port();

    /** Sends one packet at once: the buffer from its position to its limit. */
    void send(ByteBuffer packet, InetSocketAddress destination);

    /**
     * Begins a batch, after sending the one before.
     *
     * @param destination where its packets go
     * @param memory direct buffer that holds their data
     */
    void begin(InetSocketAddress destination, ByteBuffer memory);

    /**
     * Adds a packet to the batch, and sends what is in it when it is full.
     *
     * @param head first part of the packet, from its position to its limit; copied
     * @param offset where in the memory of the batch the second part begins
     * @param lengthBytes its length, which may be 0; must not change before the batch is sent
     */
    void add(ByteBuffer head, int offset, int lengthBytes);

    /** Sends what is in the batch. */
    void flush();

    /** Closes the socket. Idempotent. */
    @Override
    void close();
}
