package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;

/** A chunk that the camera can send; the order is that of the GenICam feature ChunkSelector. */
enum ChunkKind {
    FRAME_ID(8),
    TIMESTAMP(8),
    EXPOSURE_TIME(8),
    GAIN(8),
    WIDTH(4),
    HEIGHT(4),
    PIXEL_FORMAT(4),
    OFFSET_X(4),
    OFFSET_Y(4);

    /** Id of the chunk that holds the image. */
    static final int IMAGE_ID = 0xA5000000;

    private final int bytes;

    ChunkKind(int bytes) {
        this.bytes = bytes;
    }

    int id() {
        return IMAGE_ID + 1 + ordinal();
    }

    int bytes() {
        return bytes;
    }

    /** Writes the value, little-endian whatever the transport, as the XML says. */
    void write(ByteBuffer target, Stamp stamp, ChunkData.Values values) {
        switch (this) {
            case FRAME_ID -> target.putLong(stamp.blockId());
            case TIMESTAMP -> target.putLong(stamp.timestamp());
            case EXPOSURE_TIME -> target.putDouble(values.exposureTime);
            case GAIN -> target.putDouble(values.gain);
            case WIDTH -> target.putInt(values.width);
            case HEIGHT -> target.putInt(values.height - stamp.missingLines());
            case PIXEL_FORMAT -> target.putInt(values.pixelFormat);
            case OFFSET_X -> target.putInt(values.offsetX);
            case OFFSET_Y -> target.putInt(values.offsetY);
        }
    }
}
