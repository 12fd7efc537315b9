package io.peregrine.export;

import io.peregrine.composite.CompressedItem;
import io.peregrine.composite.Item;
import io.peregrine.composite.PlaneItem;
import io.peregrine.composite.PlaneRole;
import io.peregrine.composite.PlanesItem;
import io.peregrine.composite.PointCloudItem;
import java.awt.Color;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.awt.image.ComponentSampleModel;
import java.awt.image.DataBuffer;
import java.awt.image.DataBufferByte;
import java.awt.image.DataBufferFloat;
import java.awt.image.DataBufferUShort;
import java.awt.image.PixelInterleavedSampleModel;
import java.awt.image.Raster;
import java.awt.image.SampleModel;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Makes images of items, and PNG and TIFF files of images. An image is a copy: the composite may be closed as soon as
 * it is made. Thread-safe.
 *
 * <p>{@link #of(Item)} keeps the numbers of the camera in grey images, so that they, and files made of them, can be
 * measured in: Mono12 becomes 16-bit grey of 0 to 4095, which looks dark. {@link #forDisplay(Item)} makes 8-bit images
 * to look at, with depth in false colours.
 */
public final class Images {
    /** Most pixels of a JPEG item that room is made for: 128 megapixels; {@link #ofJpeg} takes more. */
    public static final long MAX_JPEG_PIXELS = 128L << 20;

    private static final int COLOURS = 256;
    private static final int[] SCALE = scale();
    private static final int MAX_GREY16 = 0xFFFF;

    private Images() {}

    // ---- The numbers of the camera

    /**
     * The image of an item, 8 bits a sample up to 8 significant bits, else 16. Grey samples are the numbers of the
     * camera, signed ones moved up by half of their range. Colours become RGB of the full range, as
     * {@link io.peregrine.pfnc.PixelConverter} makes it: Bayer mosaics are interpolated, YCbCr is converted, RGB12 of
     * 4095 is 65535; RGB8 and RGB16 stay as they are. JPEG is decoded.
     *
     * @throws ExportException if the item is not complete, or there is no such image of its format: point clouds and
     *     floating-point numbers, see {@link #depth16} and {@link #ofFloats}
     * @throws IllegalStateException if the composite is closed
     */
    public static BufferedImage of(Item item) {
        if (item instanceof CompressedItem compressed) {
            return ofCompressed(compressed);
        }
        if (item instanceof PlanesItem planes) {
            return ofPlanes(planes);
        }
        return of(PixelView.of(item));
    }

    /**
     * The image of pixels with the numbers of the camera, see {@link #of(Item)}.
     *
     * @throws ExportException if there is no such image of the format
     */
    public static BufferedImage of(PixelView pixels) {
        return switch (Conversion.kind(pixels.format())) {
            case GREY8 -> grey8(pixels.width(), pixels.height(), Conversion.grey8(pixels));
            case GREY16 -> grey16(pixels.width(), pixels.height(), Conversion.grey16(pixels));
            case COLOUR8 -> rgb8(pixels.width(), pixels.height(), Conversion.rgb8(pixels));
            case COLOUR16 -> rgb16(pixels.width(), pixels.height(), Conversion.rgb16(pixels));
            case NUMBERS, NONE ->
                throw new ExportException("There is no image of " + pixels.format()
                        + ": take depth16 or falseColours for depth, or a point cloud");
        };
    }

    /**
     * An image of 32-bit floating-point samples, for TIFF: one number a pixel, whatever the format.
     *
     * @throws ExportException if pixels have several numbers
     */
    public static BufferedImage ofFloats(PixelView pixels) {
        float[] numbers = pixels.oneNumberEach();
        SampleModel samples = new ComponentSampleModel(
                DataBuffer.TYPE_FLOAT, pixels.width(), pixels.height(), 1, pixels.width(), new int[] {0});
        ComponentColorModel colours = new ComponentColorModel(
                ColorSpace.getInstance(ColorSpace.CS_GRAY),
                false,
                false,
                ComponentColorModel.OPAQUE,
                DataBuffer.TYPE_FLOAT);
        return new BufferedImage(
                colours,
                Raster.createWritableRaster(samples, new DataBufferFloat(numbers, numbers.length), null),
                false,
                null);
    }

    private static BufferedImage ofCompressed(CompressedItem item) {
        item.incompleteReason().ifPresent(reason -> {
            throw new ExportException("The item is not complete: " + reason);
        });
        if (item.compression() != CompressedItem.Compression.JPEG) {
            throw new ExportException("Java decodes no " + item.compression() + ": save the data of the item instead");
        }
        return ofJpeg(item.data(), MAX_JPEG_PIXELS);
    }

    /**
     * Decodes a JPEG image, which may come from anywhere.
     *
     * @param data from position to limit; bytes after the image are left alone
     * @param maxPixels most pixels to make room for
     * @throws ExportException if it is no JPEG, is damaged, is of a kind that Java does not decode, or is larger
     */
    public static BufferedImage ofJpeg(ByteBuffer data, long maxPixels) {
        return JpegDecoder.decode(data, maxPixels);
    }

    private static BufferedImage ofPlanes(PlanesItem item) {
        Optional<PlaneItem> red = item.plane(PlaneRole.RED);
        Optional<PlaneItem> green = item.plane(PlaneRole.GREEN);
        Optional<PlaneItem> blue = item.plane(PlaneRole.BLUE);
        if (red.isEmpty() || green.isEmpty() || blue.isEmpty()) {
            return of(PixelView.of(item));
        }
        PixelView[] planes = {PixelView.of(red.get()), PixelView.of(green.get()), PixelView.of(blue.get())};
        int width = planes[0].width();
        int height = planes[0].height();
        boolean narrow = planes[0].format().significantBits() <= Byte.SIZE;
        BufferedImage image = narrow
                ? rgb8(width, height, new byte[planes[0].values(3)])
                : rgb16(width, height, new short[planes[0].values(3)]);
        int[] samples = new int[width];
        for (int band = 0; band < planes.length; band++) {
            PixelView plane = planes[band];
            if (plane.width() != width || plane.height() != height) {
                throw new ExportException("The planes of one image differ in size: take each of " + item);
            }
            Raster levels = (narrow
                            ? grey8(width, height, Conversion.display8(plane))
                            : grey16(width, height, Conversion.scaled16(plane)))
                    .getRaster();
            for (int y = 0; y < height; y++) {
                levels.getSamples(0, y, width, 1, 0, samples);
                image.getRaster().setSamples(0, y, width, 1, band, samples);
            }
        }
        return image;
    }

    // ---- Depth

    /**
     * Depth as 16-bit grey: {@code coordinate / unit} to the nearest whole number, 0 where nothing was measured. Depths
     * that do not fit become 1 or 65535.
     *
     * @param item a depth map, or a point cloud, of which the third coordinate is taken
     * @param axis how numbers become depths
     * @param unit depth of one grey level, more than 0: with coordinates in millimetres, 0.1 gives tenths
     * @throws ExportException if the item is not complete, or has no depth
     * @throws IllegalStateException if the composite is closed
     */
    public static BufferedImage depth16(Item item, Axis axis, double unit) {
        return depth16(PixelView.ofDepth(item), axis, unit);
    }

    /**
     * Depth as 16-bit grey, see {@link #depth16(Item, Axis, double)}.
     *
     * @throws ExportException if a pixel has several numbers
     */
    public static BufferedImage depth16(PixelView depth, Axis axis, double unit) {
        if (!(unit > 0)) {
            throw new IllegalArgumentException("The unit " + unit + " is not more than 0");
        }
        float[] numbers = depth.oneNumberEach();
        short[] greys = new short[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            if (axis.measured(numbers[i])) {
                double level = Math.rint(axis.coordinate(numbers[i]) / unit);
                greys[i] = (short) (int) Math.max(1, Math.min(MAX_GREY16, level));
            }
        }
        return grey16(depth.width(), depth.height(), greys);
    }

    /**
     * Depth in false colours from the nearest, blue, to the farthest, red; black where nothing was measured. Without an
     * invalid value of the axis, 0 counts as one.
     *
     * @param item a depth map, or a point cloud, of which the third coordinate is taken
     * @param axis how numbers become depths
     * @throws ExportException if the item is not complete, or has no depth
     * @throws IllegalStateException if the composite is closed
     */
    public static BufferedImage falseColours(Item item, Axis axis) {
        return falseColours(PixelView.ofDepth(item), axis);
    }

    /**
     * Depth in false colours, see {@link #falseColours(Item, Axis)}.
     *
     * @throws ExportException if a pixel has several numbers
     */
    public static BufferedImage falseColours(PixelView depth, Axis axis) {
        Axis known = axis.invalidValue().isPresent() ? axis : axis.withInvalidValue(0);
        float[] numbers = depth.oneNumberEach();
        float nearest = Float.POSITIVE_INFINITY;
        float farthest = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = known.measured(numbers[i]) ? known.coordinate(numbers[i]) : Float.NaN;
            if (!Float.isNaN(numbers[i])) {
                nearest = Math.min(nearest, numbers[i]);
                farthest = Math.max(farthest, numbers[i]);
            }
        }
        double span = farthest > nearest ? (double) farthest - nearest : 1;
        int[] colours = new int[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            if (!Float.isNaN(numbers[i])) {
                colours[i] = SCALE[(int) (((double) numbers[i] - nearest) * (COLOURS - 1) / span)];
            }
        }
        BufferedImage image = new BufferedImage(depth.width(), depth.height(), BufferedImage.TYPE_INT_RGB);
        image.setRGB(0, 0, depth.width(), depth.height(), colours, 0, depth.width());
        return image;
    }

    private static int[] scale() {
        int[] scale = new int[COLOURS];
        float blue = 2f / 3;
        for (int i = 0; i < COLOURS; i++) {
            scale[i] = Color.HSBtoRGB(blue * (COLOURS - 1 - i) / (COLOURS - 1), 1, 1) & 0xFFFFFF;
        }
        return scale;
    }

    // ---- To look at

    /**
     * An image to look at, 8 bits a sample: brightness and colours by their significant bits, depth and the depth of
     * point clouds in false colours.
     *
     * @throws ExportException if the item is not complete, or nothing can be seen in its format
     * @throws IllegalStateException if the composite is closed
     */
    public static BufferedImage forDisplay(Item item) {
        if (item instanceof CompressedItem compressed) {
            return ofCompressed(compressed);
        }
        boolean depth = switch (item.componentType()) {
            case RANGE, DISPARITY -> true;
            default -> item instanceof PointCloudItem;
        };
        if (depth) {
            return falseColours(item, Axis.IDENTITY);
        }
        return item instanceof PlanesItem planes ? narrowed(ofPlanes(planes)) : forDisplay(PixelView.of(item));
    }

    /**
     * Brightness or colours of pixels with 8 bits a sample.
     *
     * @throws ExportException if nothing can be seen in the format
     */
    public static BufferedImage forDisplay(PixelView pixels) {
        return switch (Conversion.kind(pixels.format())) {
            case GREY8, GREY16 -> grey8(pixels.width(), pixels.height(), Conversion.display8(pixels));
            case COLOUR8, COLOUR16 -> rgb8(pixels.width(), pixels.height(), Conversion.rgb8(pixels));
            case NUMBERS -> falseColours(pixels, Axis.IDENTITY);
            case NONE -> throw new ExportException("Nothing can be seen in " + pixels.format());
        };
    }

    // ---- Files

    /**
     * Writes PNG with 8 or 16 bits a sample as the image has them: no value is lost or changed. The stream is not
     * closed.
     *
     * @throws ExportException if the format has no such samples, as PNG has no floating-point ones
     * @throws IOException if the stream refuses
     */
    public static void writePng(BufferedImage image, OutputStream target) throws IOException {
        ImageFiles.writePng(image, target);
    }

    /**
     * Writes a PNG file with 8 or 16 bits a sample as the image has them: no value is lost or changed.
     *
     * @throws ExportException if the format has no such samples, as PNG has no floating-point ones
     * @throws IOException if the file cannot be written
     */
    public static void writePng(BufferedImage image, Path file) throws IOException {
        ImageFiles.writePng(image, file);
    }

    /**
     * Writes TIFF with the samples of the image, compressed without loss (Deflate). The stream is not closed.
     *
     * @throws ExportException if the format has no such samples
     * @throws IOException if the stream refuses
     */
    public static void writeTiff(BufferedImage image, OutputStream target) throws IOException {
        ImageFiles.writeTiff(image, target);
    }

    /**
     * Writes a TIFF file with the samples of the image, compressed without loss (Deflate).
     *
     * @throws ExportException if the format has no such samples
     * @throws IOException if the file cannot be written
     */
    public static void writeTiff(BufferedImage image, Path file) throws IOException {
        ImageFiles.writeTiff(image, file);
    }

    // ---- Pictures of samples

    private static BufferedImage grey8(int width, int height, byte[] samples) {
        return image(width, height, 1, new DataBufferByte(samples, samples.length));
    }

    private static BufferedImage grey16(int width, int height, short[] samples) {
        return image(width, height, 1, new DataBufferUShort(samples, samples.length));
    }

    private static BufferedImage rgb8(int width, int height, byte[] samples) {
        return image(width, height, 3, new DataBufferByte(samples, samples.length));
    }

    private static BufferedImage rgb16(int width, int height, short[] samples) {
        return image(width, height, 3, new DataBufferUShort(samples, samples.length));
    }

    private static BufferedImage image(int width, int height, int bands, DataBuffer samples) {
        ComponentColorModel colours = new ComponentColorModel(
                ColorSpace.getInstance(bands == 1 ? ColorSpace.CS_GRAY : ColorSpace.CS_sRGB),
                false,
                false,
                ComponentColorModel.OPAQUE,
                samples.getDataType());
        SampleModel model = new PixelInterleavedSampleModel(
                samples.getDataType(),
                width,
                height,
                bands,
                bands * width,
                bands == 1 ? new int[1] : new int[] {0, 1, 2});
        return new BufferedImage(colours, Raster.createWritableRaster(model, samples, null), false, null);
    }

    /** The most significant 8 bits of each of 16. */
    private static BufferedImage narrowed(BufferedImage image) {
        if (image.getRaster().getTransferType() == DataBuffer.TYPE_BYTE) {
            return image;
        }
        int[] samples = image.getRaster().getPixels(0, 0, image.getWidth(), image.getHeight(), (int[]) null);
        byte[] narrow = new byte[samples.length];
        for (int i = 0; i < narrow.length; i++) {
            narrow[i] = (byte) (samples[i] >>> Byte.SIZE);
        }
        return rgb8(image.getWidth(), image.getHeight(), narrow);
    }
}
