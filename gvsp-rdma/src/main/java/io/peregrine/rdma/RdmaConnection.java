package io.peregrine.rdma;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * A reliable connection. Work that is posted completes, in order, on the connection's completion queue: with success,
 * or after a failure or a disconnect with {@link Completion.Status#FLUSHED}. Whatever ends the connection, everything
 * posted completes, and the completion queue is woken.
 *
 * <p>Posting may be done from any thread, but not from several at once.
 */
public interface RdmaConnection extends AutoCloseable {

    /** Where a connection is in its life. */
    enum State {
        /** Made, not connected: receives can be posted, sends cannot. */
        PREPARED,
        /** Connected. */
        CONNECTED,
        /** Ended by either side in good order. */
        DISCONNECTED,
        /** Broken; {@link RdmaConnection#failure()} says why. */
        FAILED,
        /** Closed by its owner. */
        CLOSED
    }

    /** Current state. */
    State state();

    /** Why the connection broke; empty for every other end. */
    Optional<RdmaException> failure();

    /** The other side. */
    InetSocketAddress remoteAddress();

    /** Number of the local queue pair, 24 bit. */
    int queuePairNumber();

    /** Payload bytes a packet, as agreed when connecting. */
    int pathMtuBytes();

    /**
     * Connects to the address that the connection was prepared for.
     *
     * @param privateData what to tell the listening application, up to 56 bytes
     * @param timeout how long to wait for the answer
     * @return what the listening application said: up to 196 bytes; it may be longer than what was sent, and is zero
     *     padded then
     * @throws ConnectionRejectedException if the other side refused
     * @throws RdmaException on time-out or failure
     */
    byte[] connect(byte[] privateData, Duration timeout);

    /**
     * Accepts the request that the connection was prepared for, and waits until it is established.
     *
     * @param privateData what to tell the asking application, up to 196 bytes
     * @param timeout how long to wait until the other side is ready
     * @throws RdmaException on time-out or failure
     */
    void accept(byte[] privateData, Duration timeout);

    /**
     * Posts a receive. Not for a connection with a shared receive queue.
     *
     * @param workId comes back in the completion
     * @param region memory to receive into
     * @param offsetBytes first byte within the region
     * @param lengthBytes most bytes to receive; a longer message breaks the connection
     * @throws RdmaException if the queue is full or the connection has ended
     */
    void postReceive(long workId, MemoryRegion region, long offsetBytes, int lengthBytes);

    /**
     * Posts a message. The memory must not change until it completes.
     *
     * @param workId comes back in the completion
     * @param region memory to send from
     * @param offsetBytes first byte within the region
     * @param lengthBytes bytes to send; 0 is a message too
     * @throws RdmaException if the queue is full or the connection is not connected
     */
    void postSend(long workId, MemoryRegion region, long offsetBytes, int lengthBytes);

    /**
     * Posts a message with 32 bits of immediate data.
     *
     * @see #postSend
     */
    void postSendWithImmediate(long workId, MemoryRegion region, long offsetBytes, int lengthBytes, int immediate);

    /**
     * Posts a write into the peer's memory, which the peer's program does not notice.
     *
     * @param workId comes back in the completion
     * @param region memory to write from
     * @param offsetBytes first byte within the region
     * @param lengthBytes bytes to write
     * @param remoteAddress where to, within the peer's region
     * @param remoteKey key of the peer's region
     * @throws RdmaException if the queue is full or the connection is not connected
     */
    void postWrite(
            long workId, MemoryRegion region, long offsetBytes, int lengthBytes, long remoteAddress, int remoteKey);

    /**
     * Posts a write into the peer's memory that ends with a receive completion at the peer, with 32 bits of immediate
     * data.
     *
     * @see #postWrite
     */
    void postWriteWithImmediate(
            long workId,
            MemoryRegion region,
            long offsetBytes,
            int lengthBytes,
            long remoteAddress,
            int remoteKey,
            int immediate);

    /**
     * Posts a read of the peer's memory, which the peer's program does not notice. What is posted behind it may be done
     * before the read has its bytes. Over {@link ConnectionSettings#maxReads} and what the peer serves, reads wait.
     *
     * @param workId comes back in the completion
     * @param region memory to read into
     * @param offsetBytes first byte within the region
     * @param lengthBytes bytes to read
     * @param remoteAddress where from, within the peer's region
     * @param remoteKey key of the peer's region
     * @throws RdmaException if the queue is full, the connection is not connected, or the peer serves no reads
     */
    void postRead(
            long workId, MemoryRegion region, long offsetBytes, int lengthBytes, long remoteAddress, int remoteKey);

    /** Ends the connection in good order; what is still posted is flushed. Idempotent. */
    void disconnect();

    /** Disconnects, and releases the queue pair. Idempotent. */
    @Override
    void close();
}
