package io.peregrine.rdma;

import java.nio.ByteBuffer;

/**
 * A queue pair of an adapter that sends whole Ethernet packets, headers included, from memory of this process. Packets
 * leave in the order in which they were posted. Used by one thread at a time.
 */
public interface RawSendQueue extends AutoCloseable {
    /** Most pieces of memory that one packet is gathered from. */
    int MAX_PIECES = 2;

    /** Name of the adapter. */
    String deviceName();

    /** MAC address of the adapter's interface, 6 bytes; zeros where it has none. */
    byte[] mac();

    /** Most packets that can be posted and not sent. */
    int depth();

    /**
     * Lets the adapter keep a rate.
     *
     * @param kilobitsPerSecond rate of Ethernet packets
     * @return empty if the adapter keeps it, else why it does not
     */
    String limitRate(long kilobitsPerSecond);

    /**
     * Lets the adapter read memory, until the queue is closed or the memory is {@link #unregister}ed.
     *
     * @param memory direct buffer, all of it
     * @return the number by which packets name it, from 0
     * @throws RdmaException if that is not possible, with the reason
     */
    int register(ByteBuffer memory);

    /** The adapter no longer reads memory, all packets of which have been sent. */
    void unregister(int region);

    /**
     * Begins a packet, which is posted by {@link #flush} at the latest. No more than {@link #depth} packets may be
     * posted after the last one that is known to be sent.
     *
     * @param number its number, one more than that of the packet before, the first is 0
     */
    void post(long number);

    /**
     * Adds a piece to the packet that was begun last; the first holds at least the Ethernet header. The memory must not
     * change until the packet was sent.
     *
     * @param region registered memory
     * @param offset index of the first byte in its buffer
     * @param lengthBytes number of bytes, at least 1
     */
    void piece(int region, int offset, int lengthBytes);

    /** Posts all packets that were begun; others are posted when enough were. */
    void flush();

    /**
     * The number of the last packet that is known to be sent, as all before it are; -1 before the first. An adapter
     * reports some packets only, the last before each {@link #flush} in any case.
     *
     * @throws RdmaException if a packet could not be sent, the first time; none is sent after it
     */
    long sent();

    /**
     * Waits until a packet was sent.
     *
     * @param number the number of a packet that was posted by {@link #flush}
     * @param timeoutNanos how long at most
     * @return whether it was sent
     * @throws RdmaException if a packet could not be sent; none is sent after it
     */
    boolean await(long number, long timeoutNanos);

    /** Closes the queue; packets that were not sent may be lost. Idempotent. */
    @Override
    void close();
}
