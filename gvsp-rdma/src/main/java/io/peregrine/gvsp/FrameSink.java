package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;

/** Where a {@link FrameAssembler} puts what it made of the packets. Called on the receiver thread: never blocks. */
public interface FrameSink {

    /**
     * Takes a block, whole or not. Its flow set is filled.
     *
     * @param overtaken whether a newer block was delivered before, which happens only where they are not in order
     */
    void onFrame(FlowSet filled, boolean overtaken);

    /**
     * Takes note of a test packet.
     *
     * @param packetSizeBytes size as devices count it, with the IP and UDP headers
     */
    void onTestPacket(int packetSizeBytes);

    /**
     * Lets others of the same processor go on: a block begins, and all flow sets are with the user, who perhaps only
     * waits for the receiver to rest.
     */
    void yieldToConsumer();
}
