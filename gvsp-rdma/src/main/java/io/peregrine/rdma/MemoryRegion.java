package io.peregrine.rdma;

/**
 * Registered memory. Closing it takes the permission back; a peer's late write or read then fails without touching it.
 */
public interface MemoryRegion extends AutoCloseable {

    /** The memory. */
    RdmaMemory memory();

    /** Address of the first byte as a peer must give it to write or read. */
    long remoteAddress();

    /** Key that a peer must give to write or read; 32 opaque bits. */
    int remoteKey();

    /** Length in bytes. */
    default long lengthBytes() {
        return memory().lengthBytes();
    }

    /** Ends the registration. Idempotent. Not while work requests with this region are posted. */
    @Override
    void close();
}
