package io.peregrine.rdma;

/** What a {@link GvrspMapping} makes of messages of the device. Nothing of it is checked against the flow sets yet. */
public interface GvrspEvents {

    /**
     * A flow is where it belongs.
     *
     * @param setId id of the flow set
     * @param flow flow id
     * @param lengthBytes bytes from the start of the flow, as the device or the transport says; not negative
     */
    void flowDone(long setId, int flow, long lengthBytes);

    /**
     * What the device says about a block whose end is reported next.
     *
     * @param setId id of the flow set
     * @param status GigE Vision status, 0 for a good block
     * @param blockId block id
     * @param totalBytes bytes of all flows, as the device says
     * @param blocksDropped blocks that the device dropped so far
     */
    void blockReported(long setId, int status, long blockId, long totalBytes, long blocksDropped);

    /** The last flow of a block is where it belongs. */
    void blockDone(long setId);

    /**
     * The device broke the protocol; nothing that it says can be relied on.
     *
     * @param reason what is wrong, as part of a sentence
     */
    void broken(String reason);
}
