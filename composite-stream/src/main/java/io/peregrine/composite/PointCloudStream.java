package io.peregrine.composite;

import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.stream.engine.StreamChannel;

/**
 * Point clouds from one stream of a device: each composite has exactly one, {@code find(PointCloudItem.class)}, and
 * perhaps images, confidence or chunk data that belong to it. Waiting throws a {@link CompositeException} when the
 * device sends something else. {@link CompositeStream} describes how it is started, waited for and ended.
 */
public final class PointCloudStream extends CompositeStream {
    PointCloudStream(StreamChannel channel, AcquisitionControl device) {
        super(channel, device);
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
