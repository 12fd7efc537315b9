package io.peregrine.export;

import io.peregrine.composite.BufferItem;
import io.peregrine.composite.ChunkItem;
import io.peregrine.composite.CompressedItem;
import io.peregrine.composite.Item;
import io.peregrine.composite.PlaneItem;
import io.peregrine.composite.PlaneRole;
import io.peregrine.composite.PlanesItem;
import io.peregrine.composite.PointCloudItem;
import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Uncompressed pixels where they lie: of an item, or of any other memory. Nothing is copied; of an item it must not be
 * used after the composite was closed.
 *
 * @param format what a pixel is
 * @param width pixels in a line, 1 or more
 * @param height lines, 1 or more
 * @param strideBytes bytes from the start of a line to the start of the next; 0 when lines follow each other bit by bit
 * @param data from position to limit, at least as many bytes as the pixels need
 */
public record PixelView(PixelFormat format, int width, int height, long strideBytes, ByteBuffer data) {

    /**
     * Checks the geometry against the data.
     *
     * @throws ExportException if the size is not possible, or the data is shorter
     */
    public PixelView {
        Objects.requireNonNull(format, "format");
        if (width < 1 || height < 1) {
            throw new ExportException("There are no pixels in " + width + "x" + height);
        }
        if (format.bitsPerPixel() == 0) {
            throw new ExportException("The format " + format + " does not say how large a pixel is");
        }
        long line = format.lineSizeBytes(width);
        long needed;
        try {
            needed = strideBytes == 0
                    ? format.unalignedSizeBytes((long) width * height)
                    : Math.addExact(Math.multiplyExact(strideBytes, height - 1L), line);
        } catch (ArithmeticException e) {
            throw new ExportException(width + "x" + height + " pixels of " + format + " are too many", e);
        }
        if (strideBytes != 0 && strideBytes < line) {
            throw new ExportException(
                    "Lines of " + line + " bytes do not fit a distance of " + strideBytes + " bytes from line to line");
        }
        if (needed > data.remaining()) {
            throw new ExportException(width + "x" + height + " pixels of " + format + " need " + needed
                    + " bytes, and there are " + data.remaining());
        }
        data = data.slice().asReadOnlyBuffer().order(java.nio.ByteOrder.LITTLE_ENDIAN);
    }

    /** Pixels whose lines end on bytes, with bytes after each line. */
    static PixelView of(PixelFormat format, int width, int height, int paddingX, ByteBuffer data) {
        return new PixelView(format, width, height, Math.addExact(format.lineSizeBytes(width), paddingX), data);
    }

    /**
     * The pixels of an item.
     *
     * @throws ExportException if it is not complete, or holds no uncompressed pixels in one piece
     * @throws IllegalStateException if the composite is closed
     */
    public static PixelView of(Item item) {
        checkComplete(item);
        if (item instanceof CompressedItem || item instanceof ChunkItem || item instanceof BufferItem) {
            throw new ExportException("The item holds no pixels: " + item);
        }
        if (item instanceof PlaneItem plane) {
            int bytes = (int) plane.format().lineSizeBytes(1);
            if (plane.pixelStrideBytes() > bytes) {
                return gathered(plane, bytes);
            }
        }
        return new PixelView(item.format(), item.width(), item.height(), item.strideBytes(), item.data());
    }

    /**
     * The depths of a depth map or of a point cloud: its third coordinates.
     *
     * @throws ExportException if it is not complete, or holds no depth
     * @throws IllegalStateException if the composite is closed
     */
    public static PixelView ofDepth(Item item) {
        if (item instanceof PointCloudItem cloud) {
            checkComplete(cloud);
            return of(cloud.plane(PlaneRole.Z)
                    .orElseThrow(() -> new ExportException(
                            "The coordinates of " + cloud.format() + " share bytes: make a point cloud of it")));
        }
        if (item instanceof PlanesItem planes && planes.plane(PlaneRole.Z).isPresent()) {
            checkComplete(planes);
            return of(planes.plane(PlaneRole.Z).get());
        }
        return of(item);
    }

    private static void checkComplete(Item item) {
        item.incompleteReason().ifPresent(reason -> {
            throw new ExportException("The item is not complete: " + reason);
        });
    }

    /** One coordinate of interleaved ones, moved together. */
    private static PixelView gathered(PlaneItem plane, int bytes) {
        ByteBuffer source = plane.data();
        long last = (plane.height() - 1L) * plane.strideBytes() + (plane.width() - 1L) * plane.pixelStrideBytes();
        if (last + bytes > source.capacity()) {
            throw new ExportException("The item is shorter than its geometry: " + plane);
        }
        byte[] together = new byte[Math.multiplyExact(bytes, Math.multiplyExact(plane.width(), plane.height()))];
        int at = 0;
        for (int y = 0; y < plane.height(); y++) {
            long line = y * plane.strideBytes();
            for (int x = 0; x < plane.width(); x++) {
                source.get(Math.toIntExact(line + (long) x * plane.pixelStrideBytes()), together, at, bytes);
                at += bytes;
            }
        }
        return of(plane.format(), plane.width(), plane.height(), 0, ByteBuffer.wrap(together));
    }

    /** Number of pixels. */
    public long pixels() {
        return (long) width * height;
    }

    /** Whether the numbers of a format are floating-point ones. */
    public static boolean isFloatingPoint(PixelFormat format) {
        return Conversion.kind(format) == Conversion.Kind.FLOATS;
    }

    /** All numbers of all pixels, one pixel after the other. */
    float[] numbers() {
        return Conversion.floats(this);
    }

    /** The number of each pixel. */
    float[] oneNumberEach() {
        if (format.componentsPerPixel() != 1) {
            throw new ExportException("A pixel of " + format + " has several numbers; one is needed");
        }
        return numbers();
    }
}
