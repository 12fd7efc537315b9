package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;

/** The test pattern, as an image or, line after line, as one-dimensional data. */
record PatternData(long typeId, int format, int width, int height, int paddingX, int paddingY, boolean flat)
        implements PartData {
    /** What padding consists of. */
    static final byte PADDING = (byte) 0xB7;

    @Override
    public int maxBytes() {
        return bytes(height);
    }

    @Override
    public int bytes(Stamp stamp) {
        return bytes(height - stamp.missingLines());
    }

    private int bytes(int lines) {
        return Math.toIntExact((TestPattern.lineBytes(format, width) + paddingX) * lines + paddingY);
    }

    @Override
    public int count(Stamp stamp) {
        int lines = height - stamp.missingLines();
        return flat ? lines * width : lines;
    }

    @Override
    public void fill(Stamp stamp, ByteBuffer target) {
        int lines = height - stamp.missingLines();
        if (paddingX == 0) {
            TestPattern.fill(typeId, format, stamp.image(), width, lines, target);
        } else {
            TestPattern.fillPadded(typeId, format, stamp.image(), width, lines, paddingX, target);
        }
        pad(paddingY, target);
    }

    static void pad(int count, ByteBuffer target) {
        for (int i = 0; i < count; i++) {
            target.put(PADDING);
        }
    }
}
