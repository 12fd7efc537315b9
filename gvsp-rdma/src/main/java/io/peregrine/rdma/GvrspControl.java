package io.peregrine.rdma;

import io.peregrine.stream.RdmaMode;

/**
 * The part of a stream that goes by registers, around the connection. Called on the threads that start and stop the
 * stream, never on the receiver thread, but for {@link #renew}.
 */
public interface GvrspControl {

    /**
     * Prepares the device for a connection.
     *
     * @param mode how the bytes shall come
     * @return what was agreed on
     */
    GvrspSession open(RdmaMode mode);

    /**
     * Prepares the device for another connection after one was lost: it admits no peer twice by what was agreed on
     * before. On the receiver thread.
     *
     * @param session what was agreed on
     * @return what is agreed on now
     */
    default GvrspSession renew(GvrspSession session) {
        return session;
    }

    /** Blocks that the device dropped since {@link #open} for lack of an announced flow set. */
    long blocksDropped();

    /** Ends the session in the device. After the connection has ended. */
    void close();
}
