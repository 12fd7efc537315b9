package io.peregrine.virtualcamera;

import io.peregrine.rdma.RdmaException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * What stream packets leave by: a socket, or the verbs of an adapter. Counts what it sends and what the network
 * refuses: such a packet is lost, as on a real link. Any thread may {@link #send}; one thread makes batches.
 */
interface PacketOutput extends AutoCloseable {
    /** Size of the socket's buffer to ask for. */
    int BUFFER_BYTES = 4 << 20;

    /**
     * An output.
     *
     * @param output what sends
     * @param refusal why it is not what the scenario asks for; empty if it is
     */
    record Opened(PacketOutput output, String refusal) {
        /** How packets are sent and why not otherwise, as a phrase for people. */
        String state() {
            return output.state() + (refusal.isEmpty() ? "" : ", not by verbs: " + refusal);
        }
    }

    /** The output that a scenario asks for, or a socket. */
    static Opened open(InetAddress address, Scenario scenario, Counters counters) throws IOException {
        PacketOutput socket = socket(address, scenario, counters);
        if (scenario.sending().way() == Scenario.Sending.Way.SOCKET) {
            return new Opened(socket, "");
        }
        try {
            return new Opened(VerbsPacketOutput.open(socket, address, scenario, counters), "");
        } catch (RdmaException e) {
            System.getLogger(PacketOutput.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "Stream packets are sent by a socket, not by verbs: {0}",
                            e.getMessage());
            return new Opened(socket, e.getMessage());
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** The fastest socket that this system has. */
    private static PacketOutput socket(InetAddress address, Scenario scenario, Counters counters) throws IOException {
        String problem = Sockets.problem();
        if (problem.isEmpty()) {
            return MmsgPacketOutput.open(address, scenario.segmentationOffload(), scenario.multicastTtl(), counters);
        }
        System.getLogger(PacketOutput.class.getName())
                .log(System.Logger.Level.INFO, "Stream packets are sent one by one, not in batches: {0}", problem);
        return NioPacketOutput.open(address, scenario.multicastTtl(), counters);
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

    /** How packets are sent, as a phrase for people. */
    default String state() {
        return "by a socket";
    }

    /** Whether the speed of the link is kept below this output. */
    default boolean paced() {
        return false;
    }

    /** Waits until memory may change that packets were added from. */
    default void awaitSent(ByteBuffer memory) {
        // A socket copies.
    }

    /** The memory that packets were added from is not used again. */
    default void forget() {
        // A socket keeps nothing.
    }

    /** Closes the socket. Idempotent. */
    @Override
    void close();
}
