package io.peregrine.rdma;

/** Receives that several connections share. */
public interface SharedReceiveQueue extends AutoCloseable {

    /**
     * Posts a receive, for whichever connection needs one next.
     *
     * @param workId comes back in the completion
     * @param region memory to receive into
     * @param offsetBytes first byte within the region
     * @param lengthBytes most bytes to receive
     * @throws RdmaException if the queue is full or closed
     */
    void postReceive(long workId, MemoryRegion region, long offsetBytes, int lengthBytes);

    /** Closes the queue, after the connections that use it. Idempotent. */
    @Override
    void close();
}
