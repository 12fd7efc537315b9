package io.peregrine.composite;

import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.stream.engine.StreamChannel;

/**
 * Images from one stream of a device: each composite has exactly one image, {@link Composite#image()}, and perhaps
 * confidence or chunk data. Waiting throws a {@link CompositeException} when the device sends something else.
 * {@link CompositeStream} describes how it is started, waited for and ended.
 */
public final class ImageStream extends CompositeStream {
    ImageStream(StreamChannel channel, AcquisitionControl device) {
        super(channel, device);
    }

    @Override
    String wanted() {
        return "composites with exactly one image";
    }

    @Override
    boolean suits(Composite composite) {
        return composite.images().size() == 1
                && composite.all(PointCloudItem.class).isEmpty();
    }
}
