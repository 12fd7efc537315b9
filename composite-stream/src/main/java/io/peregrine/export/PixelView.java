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
import io.peregrine.pfnc.PixelFormatException;
import io.peregrine.pfnc.PixelLayout;
import io.peregrine.pfnc.PlaneArrangement;
import java.nio.ByteBuffer;
import java.util.List;
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
        PixelLayout layout = layout(format, width, height, strideBytes);
        if (layout.neededBytes() > data.remaining()) {
            throw new ExportException(width + "x" + height + " pixels of " + format + " need " + layout.neededBytes()
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
        if (item instanceof PlaneItem plane && isInterleaved(plane)) {
            return gathered(plane, (int) plane.format().lineSizeBytes(1));
        }
        // Of planes one after the other, the distance of lines in the first one counts.
        Item lines = first(item);
        return new PixelView(item.format(), item.width(), item.height(), lines.strideBytes(), item.data());
    }

    /**
     * The depths of a depth map or of a point cloud: its third coordinates, alone or among the others.
     *
     * @throws ExportException if it is not complete, or holds no depth
     * @throws IllegalStateException if the composite is closed
     */
    public static PixelView ofDepth(Item item) {
        checkComplete(item);
        if (item instanceof PointCloudItem cloud && !cloud.interleaved()) {
            return of(cloud.plane(PlaneRole.Z).orElse(cloud.planes().get(0)));
        }
        if (item instanceof PlanesItem planes && planes.plane(PlaneRole.Z).isPresent()) {
            return of(planes.plane(PlaneRole.Z).get());
        }
        return of(item);
    }

    /** The item whose lines count: of planes one after the other, the first. */
    private static Item first(Item item) {
        List<PlaneItem> planes = List.of();
        if (item instanceof PointCloudItem cloud) {
            planes = cloud.planes();
        } else if (item instanceof PlanesItem group) {
            planes = group.planes();
        }
        if (planes.isEmpty() || isInterleaved(planes.get(0))) {
            return item;
        }
        if (item.format().arrangement() == PlaneArrangement.INTERLEAVED) {
            throw new ExportException("The planes are separate images: take each of " + item);
        }
        return planes.get(0);
    }

    private static boolean isInterleaved(PlaneItem plane) {
        return plane.pixelStrideBytes() > plane.format().lineSizeBytes(1);
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

    /** Whether the numbers of a format are more than grey levels: floating-point ones, or of more than 16 bits. */
    public static boolean isNumeric(PixelFormat format) {
        return Conversion.kind(format) == Conversion.Kind.NUMBERS;
    }

    PixelLayout layout() {
        return layout(format, width, height, strideBytes);
    }

    private static PixelLayout layout(PixelFormat format, int width, int height, long strideBytes) {
        try {
            return strideBytes == 0
                    ? PixelLayout.resolve(format, width, height, 0, 0, format.unalignedSizeBytes((long) width * height))
                    : PixelLayout.strided(format, width, height, strideBytes);
        } catch (PixelFormatException | ArithmeticException e) {
            throw new ExportException(e.getMessage(), e);
        }
    }

    /** Length of an array with some values a pixel. */
    int values(int each) {
        long count = pixels() * each;
        if (count > Integer.MAX_VALUE - Byte.SIZE) {
            throw new ExportException(width + "x" + height + " pixels are too many for an array");
        }
        return (int) count;
    }

    /** All numbers of all pixels, one pixel after the other. */
    float[] numbers() {
        return Conversion.numbers(this);
    }

    /** The number of each pixel; of points, the depth. */
    float[] oneNumberEach() {
        return Conversion.oneNumberEach(this);
    }
}
