package io.peregrine.composite;

import io.peregrine.stream.engine.StreamChannel;

/**
 * Point clouds from one stream of a device: each composite has exactly one, {@code find(PointCloudItem.class)}, and
 * perhaps images, confidence or chunk data that belong to it. Waiting throws a {@link CompositeException} when the
 * device sends something else. {@link CompositeStreamBase} describes how it is started, waited for and ended.
 */
public final class PointCloudStream extends CompositeStreamBase {
    private PointCloudStream(StreamChannel channel, AcquisitionControl device) {
        super(channel, device);
    }

    /**
     * Makes a stream, not started yet.
     *
     * @param channel where flow sets come from; closed with the stream
     * @param device the device half
     */
    static PointCloudStream create(StreamChannel channel, AcquisitionControl device) {
        return new PointCloudStream(channel, device);
    }

    @Override
    String wanted() {
        return "composites with exactly one point cloud";
    }

    @Override
    boolean suits(Composite composite) {
        return composite.all(PointCloudItem.class).size() == 1;
    }
}
