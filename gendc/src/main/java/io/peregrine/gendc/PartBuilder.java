package io.peregrine.gendc;

import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;

/**
 * One part of a component of a {@link GenDcDescriptorBuilder}: what all kinds have in common. For the call that it is
 * given to only.
 *
 * @param <B> the kind
 */
public abstract sealed class PartBuilder<B extends PartBuilder<B>> {
    private static final int MAX_FLOW_ID = 0xFFFF;
    private static final int NOT_SET = -1;
    private static final H264Parameters NO_PARAMETERS = new H264Parameters(0, 0, 0, 0, 0, 0, 0, 0);

    int type;
    int flags;
    int format;
    int flowId;
    int at;
    long flowOffset;
    long dataOffset;
    long dataSize = NOT_SET;
    long maxDataSize = NOT_SET;
    long[] typeSpecific = {};

    private PartBuilder() {}

    abstract B self();

    /** Sets the PFNC code; that of the component if not set. */
    public final B format(int value) {
        format = value;
        return self();
    }

    /** Sets the flow, 0 to 65535; 0 if not set. */
    public final B flow(int value) {
        flowId = value;
        return self();
    }

    /** Adds fields of the vendor after the standard ones. */
    public final B typeSpecific(long... fields) {
        typeSpecific = fields.clone();
        return self();
    }

    abstract int standardSizeBytes();

    /** Bytes of the data when nothing else was said. */
    abstract long worked(boolean most);

    abstract void writeSpecific(ByteBuffer bytes, boolean most);

    final int headerSizeBytes() {
        return Math.addExact(standardSizeBytes(), Math.multiplyExact(8, typeSpecific.length));
    }

    final long sizeInBytes() {
        return dataSize != NOT_SET ? dataSize : worked(false);
    }

    final long mostBytes() {
        if (maxDataSize != NOT_SET) {
            return maxDataSize;
        }
        return dataSize != NOT_SET ? dataSize : worked(true);
    }

    void settled(int componentFormat) {
        if (format == 0) {
            format = componentFormat;
        }
        if (flowId < 0 || flowId > MAX_FLOW_ID) {
            throw new IllegalArgumentException("Flow id " + flowId + " must be between 0 and 65535");
        }
    }

    final void write(ByteBuffer bytes, boolean most, boolean invalid) {
        bytes.position(at);
        bytes.putShort((short) type).putShort((short) flags).putInt(headerSizeBytes());
        bytes.putInt(format).putShort((short) 0).putShort((short) flowId);
        long size = most ? mostBytes() : sizeInBytes();
        bytes.putLong(flowOffset).putLong(invalid ? 0 : size).putLong(dataOffset);
        writeSpecific(bytes, most);
        for (long field : typeSpecific) {
            bytes.putLong(field);
        }
    }

    static int unsigned16(int value, String what) {
        if (value < 0 || value > 0xFFFF) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be between 0 and 65535");
        }
        return value;
    }

    static int notNegative(int value, String what) {
        if (value < 0) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be 0 or more");
        }
        return value;
    }

    static long notNegative(long value, String what) {
        if (value < 0) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be 0 or more");
        }
        return value;
    }

    /** A two-dimensional part: an image, compressed or not. */
    public static final class Image extends PartBuilder<Image> {
        private int sizeX;
        private int sizeY;
        private int maxX = NOT_SET;
        private int maxY = NOT_SET;
        private int paddingX;
        private int paddingY;
        private final H264Parameters h264;

        Image(int type) {
            this.type = type;
            h264 = NO_PARAMETERS;
        }

        Image(H264Parameters parameters) {
            type = PartType.IMAGE_2D_H264;
            h264 = parameters;
        }

        /** Sets pixels in a line and number of lines. */
        public Image size(int x, int y) {
            sizeX = notNegative(x, "x");
            sizeY = notNegative(y, "y");
            return this;
        }

        /** Sets the most pixels in a line and the most lines that there can be; {@link #size} if not set. */
        public Image maxSize(int x, int y) {
            maxX = notNegative(x, "x");
            maxY = notNegative(y, "y");
            return this;
        }

        /** Sets bytes after each line and bytes at the end. */
        public Image padding(int x, int y) {
            paddingX = unsigned16(x, "x");
            paddingY = unsigned16(y, "y");
            return this;
        }

        /**
         * Sets the bytes of data. Must be set for compressed images; for others it is worked out for lines that end on
         * a byte if not set.
         */
        public Image dataSize(long value) {
            dataSize = notNegative(value, "dataSize");
            return this;
        }

        /** Sets the most bytes of data that there can be; worked out from the rest if not set. */
        public Image maxDataSize(long value) {
            maxDataSize = notNegative(value, "maxDataSize");
            return this;
        }

        @Override
        Image self() {
            return this;
        }

        @Override
        int standardSizeBytes() {
            return type == PartType.IMAGE_2D_H264 ? GenDcPart.SIZE_H264_BYTES : GenDcPart.SIZE_2D_BYTES;
        }

        @Override
        void settled(int componentFormat) {
            super.settled(componentFormat);
            if (PartType.isCompressed(type) && dataSize == NOT_SET) {
                throw new IllegalArgumentException(
                        "The size of a " + PartType.name(type) + " stream cannot be worked out: set dataSize");
            }
        }

        @Override
        long worked(boolean most) {
            return PixelFormat.of(format).imageSizeBytes(x(most), y(most), paddingX, paddingY);
        }

        private int x(boolean most) {
            return most && maxX != NOT_SET ? maxX : sizeX;
        }

        private int y(boolean most) {
            return most && maxY != NOT_SET ? maxY : sizeY;
        }

        @Override
        void writeSpecific(ByteBuffer bytes, boolean most) {
            bytes.putInt(x(most)).putInt(y(most));
            bytes.putShort((short) paddingX).putShort((short) paddingY).putInt(0);
            if (type == PartType.IMAGE_2D_H264) {
                bytes.put((byte) 0).put((byte) h264.profileIdc());
                bytes.put((byte) (h264.constraintSets() | h264.packetizationMode() << 4));
                bytes.put((byte) h264.levelIdc());
                bytes.putShort((short) h264.interleavingDepth()).putShort((short) h264.maxDonDifference());
                bytes.putInt((int) h264.deinterleavingBufferBytes()).putInt((int) h264.initialBufferTime());
            }
        }
    }

    /** A one-dimensional part or a metadata part. */
    public static final class Array extends PartBuilder<Array> {
        private long size;
        private long maxSize = NOT_SET;
        private int padding;
        private long layoutId;

        Array(int type) {
            this.type = type;
        }

        /** Sets the number of elements. */
        public Array size(long value) {
            size = notNegative(value, "size");
            return this;
        }

        /** Sets the most elements that there can be; {@link #size} if not set. */
        public Array maxSize(long value) {
            maxSize = notNegative(value, "maxSize");
            return this;
        }

        /** Sets bytes at the end. */
        public Array padding(int value) {
            padding = unsigned16(value, "padding");
            return this;
        }

        /** Sets the GenICam layout id. Metadata parts only. */
        public Array layoutId(long value) {
            if (!PartType.isMetadata(type)) {
                throw new IllegalStateException("Only metadata has a layout id");
            }
            layoutId = value;
            return this;
        }

        /** Says whether the XML is zipped, and whether it describes the chunk part. XML parts only. */
        public Array xml(boolean zipped, boolean forChunk) {
            if (type != PartType.METADATA_XML) {
                throw new IllegalStateException("Only XML can be zipped or describe a chunk");
            }
            flags = (zipped ? 1 << 8 : 0) | (forChunk ? 1 << 9 : 0);
            return this;
        }

        @Override
        Array self() {
            return this;
        }

        @Override
        int standardSizeBytes() {
            return GenDcPart.SIZE_1D_BYTES;
        }

        private long elements(boolean most) {
            return most && maxSize != NOT_SET ? maxSize : size;
        }

        @Override
        long worked(boolean most) {
            return Math.addExact(PixelFormat.of(format).unalignedSizeBytes(elements(most)), (long) padding);
        }

        @Override
        void writeSpecific(ByteBuffer bytes, boolean most) {
            bytes.putLong(elements(most)).putShort((short) padding).putShort((short) 0);
            bytes.putInt(0).putLong(layoutId);
        }
    }

    /** A part of a kind that the standard leaves to vendors, in the layout that it advises for them. */
    public static final class Custom extends PartBuilder<Custom> {
        private long dimension;
        private int paddingX;
        private int paddingY;

        Custom(int type) {
            this.type = type;
            dataSize = 0;
        }

        /** Sets the number of elements, as a one-dimensional part has it. */
        public Custom size(long elements) {
            dimension = notNegative(elements, "elements");
            return this;
        }

        /** Sets pixels in a line and number of lines, as a two-dimensional part has them. */
        public Custom size(int x, int y) {
            dimension = notNegative(x, "x") | (long) notNegative(y, "y") << 32;
            return this;
        }

        /** Sets the two 16-bit fields of padding; a one-dimensional part has only the first. */
        public Custom padding(int x, int y) {
            paddingX = unsigned16(x, "x");
            paddingY = unsigned16(y, "y");
            return this;
        }

        /** Sets the bytes of data; 0 if not set. */
        public Custom dataSize(long value) {
            dataSize = notNegative(value, "dataSize");
            return this;
        }

        /** Sets the most bytes of data that there can be; {@link #dataSize} if not set. */
        public Custom maxDataSize(long value) {
            maxDataSize = notNegative(value, "maxDataSize");
            return this;
        }

        @Override
        Custom self() {
            return this;
        }

        @Override
        int standardSizeBytes() {
            return GenDcPart.SIZE_2D_BYTES;
        }

        @Override
        long worked(boolean most) {
            return dataSize;
        }

        @Override
        void writeSpecific(ByteBuffer bytes, boolean most) {
            bytes.putLong(dimension).putShort((short) paddingX).putShort((short) paddingY);
            bytes.putInt(0);
        }
    }
}
