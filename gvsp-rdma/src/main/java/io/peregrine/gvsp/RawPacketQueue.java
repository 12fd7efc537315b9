package io.peregrine.gvsp;

/**
 * A queue pair of an adapter that writes whole Ethernet packets into memory of this process. Each posted receive takes
 * one packet, in the order in which they were posted, and ends with a completion. Used by one thread at a time, but for
 * {@link #wakeUp}.
 */
public interface RawPacketQueue extends AutoCloseable {
    /** Most pieces of memory that one receive is spread over. */
    int MAX_PIECES = 3;

    /** Most receives that can be posted at a time. */
    int depth();

    /**
     * Lets the adapter write into memory, until the queue is closed.
     *
     * @param address address of the first byte
     * @param lengthBytes number of bytes
     * @return the key with which receives name the memory
     * @throws io.peregrine.nativeio.NativeUnavailableException if that is not possible, with the reason
     */
    int register(long address, long lengthBytes);

    /**
     * Begins a receive. It is posted by {@link #flush} at the latest.
     *
     * @param id what its completion is to be named by
     */
    void post(int id);

    /**
     * Adds a piece of memory to the receive that was begun last, after those before it.
     *
     * @param address where it begins
     * @param lengthBytes number of bytes, at least 1
     * @param key key of the registered memory that it is part of
     */
    void piece(long address, int lengthBytes, int key);

    /** Posts all receives that were begun. */
    void flush();

    /**
     * Takes completions, without waiting.
     *
     * @return number of completions, 0 when there are none
     */
    int poll();

    /** Name of the receive that completed; index from 0. */
    int id(int index);

    /** Bytes of the packet from its Ethernet header on; -1 if the receive failed, as packets that are too long do. */
    int lengthBytes(int index);

    /**
     * Asks for the next completion to end {@link #await}. What completed before does not end it and must be polled for
     * in between.
     */
    void arm();

    /**
     * Waits for a completion after {@link #arm}, or for {@link #wakeUp}. Returns at once where the queue never sleeps.
     *
     * @param timeoutNanos how long at most
     */
    void await(long timeoutNanos);

    /**
     * Lets packets gather until {@link #wakeUp}.
     *
     * @param timeoutNanos how long at most
     */
    void pause(long timeoutNanos);

    /** Whether {@link #await} never sleeps. */
    boolean busy();

    /** Makes a waiting {@link #await} return, or the next one if none waits. Any thread. */
    void wakeUp();

    /**
     * Ends reception: what is posted completes without a packet, and nothing is written any more once all completions
     * were polled. Receives can be posted again after {@link #prepare}.
     */
    void stop();

    /** Makes the queue ready for receives, after opening and after {@link #stop}. Nothing is received yet. */
    void prepare();

    /** Begins reception into the receives that were posted and those to come. */
    void start();

    /** Packets that the adapter dropped for lack of a posted receive since the queue was opened; 0 if unknown. */
    long drops();

    /** Closes the queue; the adapter writes no more. Idempotent. Only when no thread uses it. */
    @Override
    void close();
}
