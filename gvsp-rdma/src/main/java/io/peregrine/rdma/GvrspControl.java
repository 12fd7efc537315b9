package io.peregrine.rdma;

/**
 * The part of a stream that goes by registers, around the connection. Called on the threads that start and stop the
 * stream, never on the receiver thread.
 */
public interface GvrspControl {

    /**
     * Prepares the device for a connection.
     *
     * @param mode how the bytes shall come
     * @return what was agreed on
     */
    GvrspSession open(RdmaMode mode);

    /** Blocks that the device dropped since {@link #open} for want of an announced flow set. */
    long blocksDropped();

    /** Tells the device that it is over. After the connection has ended. */
    void close();
}
