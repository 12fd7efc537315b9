package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Chunk data: values, each followed by its id and length; in front of them, if wanted, the image as a chunk. */
final class ChunkData implements PartData {
    /** The values of the chunks. Other threads change them while they are sent. */
    static final class Values {
        volatile double exposureTime;
        volatile double gain;
        volatile int width;
        volatile int height;
        volatile int pixelFormat;
        volatile int offsetX;
        volatile int offsetY;
    }

    private static final int TAG_BYTES = 8;

    private final List<ChunkKind> kinds;
    private final ByteOrder tagOrder;
    private final Values values;
    private final PartData image;

    /**
     * Chunk data.
     *
     * @param kinds the chunks
     * @param tagOrder order of id and length: big-endian for GigE Vision, little-endian for GenDC
     * @param values their values
     */
    ChunkData(List<ChunkKind> kinds, ByteOrder tagOrder, Values values) {
        this(kinds, tagOrder, values, new FixedData(new byte[0]));
    }

    /** The same after a chunk with an image, unless that is empty. */
    ChunkData(List<ChunkKind> kinds, ByteOrder tagOrder, Values values, PartData image) {
        this.kinds = List.copyOf(kinds);
        this.tagOrder = tagOrder;
        this.values = values;
        this.image = image;
    }

    /** A number that is different for each choice of chunks. */
    int layoutId() {
        int id = image.maxBytes() > 0 ? 0x101 : 0x100;
        for (ChunkKind kind : kinds) {
            id |= 2 << kind.ordinal();
        }
        return id;
    }

    @Override
    public int maxBytes() {
        return valueBytes() + imageBytes(image.maxBytes());
    }

    private int valueBytes() {
        return kinds.stream().mapToInt(kind -> kind.bytes() + TAG_BYTES).sum();
    }

    /** A chunk is as long as a multiple of 4. */
    private static int imageBytes(int bytes) {
        return bytes == 0 ? 0 : ((bytes + 3) & ~3) + TAG_BYTES;
    }

    @Override
    public int bytes(Stamp stamp) {
        return valueBytes() + imageBytes(image.maxBytes() == 0 ? 0 : image.bytes(stamp));
    }

    @Override
    public int count(Stamp stamp) {
        return bytes(stamp);
    }

    @Override
    public void fill(Stamp stamp, ByteBuffer target) {
        if (image.maxBytes() > 0) {
            int start = target.position();
            image.fill(stamp, target);
            while ((target.position() - start) % 4 != 0) {
                target.put((byte) 0);
            }
            tag(target, ChunkKind.IMAGE_ID, target.position() - start);
        }
        for (ChunkKind kind : kinds) {
            target.order(ByteOrder.LITTLE_ENDIAN);
            kind.write(target, stamp, values);
            tag(target, kind.id(), kind.bytes());
        }
        target.order(ByteOrder.BIG_ENDIAN);
    }

    private void tag(ByteBuffer target, int id, int length) {
        target.order(tagOrder).putInt(id).putInt(length);
    }
}
