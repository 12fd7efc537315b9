package io.peregrine.rdma;

/** What a connected peer that knows the key may do with registered memory. */
public enum RemoteAccess {
    /** Nothing: the memory is for the own sends, receives, writes and reads. */
    NONE,
    /** Read it. */
    READ,
    /** Write into it. */
    WRITE,
    /** Both. */
    READ_WRITE;

    /** Whether the peer may read. */
    public boolean reads() {
        return this == READ || this == READ_WRITE;
    }

    /** Whether the peer may write. */
    public boolean writes() {
        return this == WRITE || this == READ_WRITE;
    }
}
