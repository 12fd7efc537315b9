package io.peregrine.rdma;

/** One piece of work that ended: a view that is valid only during the call that gives it. */
public interface Completion {

    /** What the work was. */
    enum Operation {
        /** A send of ours. */
        SEND,
        /** A write of ours. */
        WRITE,
        /** A read of ours. */
        READ,
        /** A message of the peer that filled a receive. */
        RECEIVE,
        /** A write of the peer with immediate data, which used up a receive without touching its memory. */
        RECEIVE_WRITE
    }

    /** How it ended. */
    enum Status {
        /** Done. */
        SUCCESS,
        /** Not done because the connection ended. */
        FLUSHED,
        /** A message was longer than its receive, or did not fit the region. */
        LOCAL_ERROR,
        /** The peer did not allow the write or read. */
        REMOTE_ACCESS_ERROR,
        /** The peer found the request invalid. */
        REMOTE_INVALID_REQUEST,
        /** The peer failed. */
        REMOTE_OPERATION_ERROR,
        /** The peer does not answer: retries are used up. */
        RETRIES_EXCEEDED,
        /** The peer posts no receive: retries are used up. */
        RECEIVER_NOT_READY,
        /** Anything else. */
        OTHER_ERROR
    }

    /** What was given when the work was posted. */
    long workId();

    /** How it ended. */
    Status status();

    /** What it was. For a status other than SUCCESS only sure to tell own work from receives if known. */
    Operation operation();

    /** The connection it belongs to. */
    RdmaConnection connection();

    /** Bytes received; 0 for our own sends, writes and reads. */
    long lengthBytes();

    /** Whether there is immediate data. */
    boolean hasImmediate();

    /** The immediate data. */
    int immediate();
}
