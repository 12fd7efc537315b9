package io.peregrine.stream.engine;

/**
 * What a receiver asks of the control channel when packets are missing. Called on the receiver thread: never blocks.
 */
@FunctionalInterface
public interface ResendRequester {

    /**
     * Asks the device to send a range of packets again. A request that cannot be sent is dropped: the receiver will ask
     * again or give up by its own policy.
     *
     * @param blockId block id of the packets
     * @param firstPacketId first packet id asked for
     * @param lastPacketId last packet id asked for, inclusive
     * @param extendedIds whether the stream uses 64-bit block ids and 32-bit packet ids (GigE Vision 2.0), which
     *     selects the form of the command
     */
    void requestResend(long blockId, long firstPacketId, long lastPacketId, boolean extendedIds);
}
