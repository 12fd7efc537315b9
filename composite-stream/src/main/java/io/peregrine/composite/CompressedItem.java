package io.peregrine.composite;

import io.peregrine.gendc.H264Parameters;
import java.util.Optional;

/** A coded image. The pixel format is what it has when decoded; width and height are 0 when only the code says. */
public final class CompressedItem extends Item {

    /** How the image is coded. */
    public enum Compression {
        /** JPEG. */
        JPEG,
        /** JPEG 2000. */
        JPEG2000,
        /** H.264. */
        H264
    }

    CompressedItem(Lease lease, ItemValues values) {
        super(lease, values);
    }

    /** How it is coded. */
    public Compression compression() {
        return switch (values().kind) {
            case JPEG2000 -> Compression.JPEG2000;
            case H264 -> Compression.H264;
            default -> Compression.JPEG;
        };
    }

    /** Parameters of H.264, as far as the device gives them; empty for the others. */
    public Optional<H264Parameters> h264() {
        return values().h264;
    }

    @Override
    String details() {
        return ", " + compression();
    }
}
