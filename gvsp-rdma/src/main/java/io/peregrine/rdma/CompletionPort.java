package io.peregrine.rdma;

import java.nio.ByteBuffer;

/**
 * Where a channel's work completes, and where the messages of its device arrive: a separate queue, or one that it
 * shares with others. All methods but {@link #wake()} are for the thread that holds the channel's state.
 */
interface CompletionPort extends AutoCloseable {

    /** Takes what completes. */
    interface Handler extends CompletionHandler {

        /**
         * A receive for a message ended.
         *
         * @param completion a view, valid only during this call
         * @param message what arrived if it ended well, little-endian from index 0, valid only during this call
         */
        void onMessage(Completion completion, ByteBuffer message);

        /** Whether the thread of the channel has something to do that does not wait for its next completion. */
        boolean mustAct();
    }

    /**
     * What a new connection must use.
     *
     * @param sendDepth most sends that are posted at a time
     * @param flowReceives most receives into flows that are posted at a time
     */
    ConnectionSettings settings(int sendDepth, int flowReceives);

    /** A connection was prepared with the settings: its work is handed to the handler from now on. */
    void attach(RdmaConnection connection);

    /** The connection is closed: nothing of it is handed to the handler any more. */
    void detach();

    /** Receives for messages that are posted on the connection and end with it. */
    int postedReceives();

    /** Hands over what has completed, if that is not done elsewhere. */
    int poll();

    /** Waits until there may be something to do. */
    void await(long deadlineNanos);

    /** Returns when all that completed before the call was handed over. */
    void settle(long deadlineNanos);

    /** Makes a waiting {@link #await} return, or the next one if none waits. Any thread, also after closing. */
    void wake();

    @Override
    void close();
}
