package io.peregrine.composite;

import io.peregrine.stream.engine.StreamChannel;

/**
 * Composites of every kind from one stream of a device. {@link CompositeStreamBase} describes how it is started, waited
 * for and ended.
 */
public final class CompositeStream extends CompositeStreamBase {
    private CompositeStream(StreamChannel channel, AcquisitionControl device) {
        super(channel, device);
    }

    /**
     * Makes a stream, not started yet.
     *
     * @param channel where flow sets come from; closed with the stream
     * @param device the device half
     */
    static CompositeStream create(StreamChannel channel, AcquisitionControl device) {
        return new CompositeStream(channel, device);
    }

    @Override
    String wanted() {
        return "anything";
    }

    @Override
    boolean suits(Composite composite) {
        return true;
    }
}
