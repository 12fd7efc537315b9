package io.peregrine.export;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompressedItem;
import io.peregrine.composite.ImageItem;
import io.peregrine.composite.Item;
import io.peregrine.composite.PackedItem;
import io.peregrine.composite.PlaneItem;
import io.peregrine.composite.PlaneRole;
import io.peregrine.composite.PlanesItem;
import io.peregrine.composite.PointCloudItem;
import io.peregrine.pfnc.ColourFamily;
import io.peregrine.pfnc.PixelFormat;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Points with coordinates as 32-bit floats, in the order of the camera, and attributes such as intensity and
 * confidence. It is a copy: the composite that it comes from may be closed. Instances do not change, and are for any
 * number of threads.
 *
 * <p>Invalid points keep their place, with three NaN coordinates, so that a point of the grid stays at {@code row *
 * width + column}.
 */
public final class PointCloud {
    private static final int[] NO_COLOURS = {};
    private static final List<String> RESERVED_NAMES = List.of("x", "y", "z", "red", "green", "blue", "rgb");
    private static final Pattern ATTRIBUTE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final int width;
    private final int height;
    /** x, y, z one after the other. */
    private final float[] coordinates;

    private final int validCount;
    private final List<String> attributeNames;
    private final List<float[]> attributes;
    /** 0xRRGGBB for each point, or none at all. */
    private final int[] colours;

    private PointCloud(
            int width,
            int height,
            float[] coordinates,
            int validCount,
            List<String> attributeNames,
            List<float[]> attributes,
            int[] colours) {
        this.width = width;
        this.height = height;
        this.coordinates = coordinates;
        this.validCount = validCount;
        this.attributeNames = attributeNames;
        this.attributes = attributes;
        this.colours = colours;
    }

    /**
     * A cloud of numbers as the camera sends them.
     *
     * @param width points in a row of the grid; all of them when there is no grid
     * @param height rows; 1 when there is no grid
     * @param numbers three for each point, A, B and C one after the other; taken over
     */
    static PointCloud of(int width, int height, float[] numbers, Coordinates scale) {
        int valid = 0;
        for (int i = 0; i < numbers.length; i += 3) {
            if (scale.x().measured(numbers[i])
                    && scale.y().measured(numbers[i + 1])
                    && scale.z().measured(numbers[i + 2])) {
                numbers[i] = scale.x().coordinate(numbers[i]);
                numbers[i + 1] = scale.y().coordinate(numbers[i + 1]);
                numbers[i + 2] = scale.z().coordinate(numbers[i + 2]);
                valid++;
            } else {
                numbers[i] = Float.NaN;
                numbers[i + 1] = Float.NaN;
                numbers[i + 2] = Float.NaN;
            }
        }
        return new PointCloud(width, height, numbers, valid, List.of(), List.of(), NO_COLOURS);
    }

    /**
     * The cloud of an item.
     *
     * @throws ExportException if the item is not complete
     * @throws IllegalStateException if the composite is closed
     */
    public static PointCloud of(PointCloudItem item, Coordinates scale) {
        List<PlaneItem> planes = item.planes();
        if (planes.isEmpty() || item.interleaved()) {
            return ofPoints(PixelView.of(item), scale);
        }
        return ofPlanes(PixelView.of(planes.get(0)), PixelView.of(planes.get(1)), PixelView.of(planes.get(2)), scale);
    }

    /**
     * A cloud from a packed format of three coordinates, for example Coord3D_ABC16 or Coord3D_ABC32f.
     *
     * @param points an image, or a list of points with the height 1
     * @throws ExportException if the format has no three coordinates
     */
    public static PointCloud ofPoints(PixelView points, Coordinates scale) {
        Objects.requireNonNull(scale, "scale");
        PixelFormat format = points.format();
        if (format.family() != ColourFamily.COORDINATES || format.componentsPerPixel() != 3) {
            throw new ExportException(points.format()
                    + " does not have three coordinates: use ofPlanes or ofDepth, or name another item");
        }
        return of(points.width(), points.height(), points.numbers(), scale);
    }

    /**
     * A cloud from three planes of the same size, for example those of Coord3D_ABC16_Planar.
     *
     * @throws ExportException if the planes differ in size, or one holds more than one coordinate
     */
    public static PointCloud ofPlanes(PixelView x, PixelView y, PixelView z, Coordinates scale) {
        Objects.requireNonNull(scale, "scale");
        checkSameSize(x, y);
        checkSameSize(x, z);
        float[] a = x.oneNumberEach();
        float[] b = y.oneNumberEach();
        float[] c = z.oneNumberEach();
        float[] numbers = new float[Math.multiplyExact(3, a.length)];
        for (int i = 0; i < a.length; i++) {
            numbers[3 * i] = a[i];
            numbers[3 * i + 1] = b[i];
            numbers[3 * i + 2] = c[i];
        }
        return of(x.width(), x.height(), numbers, scale);
    }

    /**
     * A cloud from a depth map that was rectified to a uniform sampling in x and y (SFNC 2.7.1, Scan3dOutputMode
     * RectifiedC): the numbers A and B of a pixel are its column and its row. For a map of a camera that does not
     * rectify, the scales of x and y say nothing; ask the camera for a calibrated format then.
     *
     * @throws ExportException if the map holds more than one coordinate
     */
    public static PointCloud ofDepth(PixelView depth, Coordinates scale) {
        Objects.requireNonNull(scale, "scale");
        float[] c = depth.oneNumberEach();
        float[] numbers = new float[Math.multiplyExact(3, c.length)];
        int at = 0;
        for (int row = 0; row < depth.height(); row++) {
            for (int column = 0; column < depth.width(); column++) {
                numbers[3 * at] = column;
                numbers[3 * at + 1] = row;
                numbers[3 * at + 2] = c[at++];
            }
        }
        return of(depth.width(), depth.height(), numbers, scale);
    }

    private static void checkSameSize(PixelView one, PixelView other) {
        if (one.width() != other.width() || one.height() != other.height()) {
            throw new ExportException("Planes of one cloud are " + one.width() + "x" + one.height() + " and "
                    + other.width() + "x" + other.height() + "; they must have the same size");
        }
    }

    /**
     * The same points with one more number each.
     *
     * @param name ASCII letters, digits and underscores, not x, y, z, red, green, blue or rgb, and not used yet
     * @param values one number for each point: same size, one component a pixel
     * @throws ExportException if the size differs
     */
    public PointCloud withAttribute(String name, PixelView values) {
        boolean unused = !attributeNames.contains(name) && !RESERVED_NAMES.contains(name);
        if (!unused || !ATTRIBUTE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name + "' cannot name an attribute: use ASCII letters, digits and"
                    + " underscores, and no name twice");
        }
        if (values.pixels() != size()) {
            throw new ExportException(
                    "Attribute " + name + " has " + values.pixels() + " values for " + size() + " points");
        }
        List<String> names = new ArrayList<>(attributeNames);
        names.add(name);
        List<float[]> all = new ArrayList<>(attributes);
        all.add(values.oneNumberEach());
        return new PointCloud(width, height, coordinates, validCount, List.copyOf(names), List.copyOf(all), colours);
    }

    /**
     * The same points with a colour each, for example of {@link Images#of(Item)}.
     *
     * @param image as wide and high as the grid, or as many pixels when there is no grid; samples of more than 8 bits
     *     are rounded
     * @throws ExportException if the size differs
     */
    public PointCloud withColours(BufferedImage image) {
        if (!fits(image.getWidth(), image.getHeight())) {
            throw new ExportException("An image of " + image.getWidth() + "x" + image.getHeight()
                    + " pixels cannot colour " + width + "x" + height + " points");
        }
        int[] rgb = PixelColours.of(image);
        return new PointCloud(width, height, coordinates, validCount, attributeNames, attributes, rgb);
    }

    /** Whether an image has a pixel for each point: in the same grid, or one for each of a list. */
    private boolean fits(int imageWidth, int imageHeight) {
        boolean sameGrid = imageWidth == width && imageHeight == height;
        return sameGrid || (height == 1 && (long) imageWidth * imageHeight == size());
    }

    /**
     * The same points in the colours of the first complete item of the frame that has colours, a pixel for each point,
     * and belongs to the same group and region: RGB, YCbCr, a Bayer mosaic, colour planes, or JPEG. Without one the
     * points stay as they are.
     *
     * @param composite the frame
     * @param range the item that the cloud was made of
     * @throws ExportException if the item with colours cannot be read
     * @throws IllegalStateException if the composite is closed
     */
    public PointCloud withColoursOf(Composite composite, Item range) {
        for (Item item : composite.items()) {
            if (item != range
                    && item.complete()
                    && item.groupId() == range.groupId()
                    && item.regionId() == range.regionId()
                    && fits(item.width(), item.height())
                    && mayHaveColours(item)) {
                BufferedImage image = Images.of(item);
                if (image.getColorModel().getNumColorComponents() == 3) {
                    return withColours(image);
                }
            }
        }
        return this;
    }

    private static boolean mayHaveColours(Item item) {
        if (item instanceof CompressedItem compressed) {
            return compressed.compression() == CompressedItem.Compression.JPEG;
        }
        if (item instanceof PlanesItem planes) {
            return planes.plane(PlaneRole.RED).isPresent()
                    || planes.plane(PlaneRole.LUMA).isPresent();
        }
        boolean pixels = item instanceof ImageItem || item instanceof PackedItem;
        Conversion.Kind kind = pixels ? Conversion.kind(item.format()) : Conversion.Kind.NONE;
        return kind == Conversion.Kind.COLOUR8 || kind == Conversion.Kind.COLOUR16;
    }

    /**
     * The same points with the other items of the frame as attributes: those of the same group which have as many
     * pixels, one number each, and are complete. An attribute is called as its component, for example
     * {@code intensity}; of several with the same name the first counts.
     *
     * @param composite the frame
     * @param range the item that the cloud was made of
     * @throws IllegalStateException if the composite is closed
     */
    public PointCloud withAttributesOf(Composite composite, Item range) {
        PointCloud cloud = this;
        for (Item item : composite.items()) {
            String name = item.componentType().name().toLowerCase(Locale.ROOT);
            boolean plain = item instanceof ImageItem || item instanceof PackedItem || item instanceof PlaneItem;
            if (plain
                    && item != range
                    && item.complete()
                    && item.groupId() == range.groupId()
                    && item.format().componentsPerPixel() == 1
                    && (long) item.width() * item.height() == size()
                    && !cloud.attributeNames.contains(name)) {
                cloud = cloud.withAttribute(name, PixelView.of(item));
            }
        }
        return cloud;
    }

    /** Points in a row of the grid. */
    public int width() {
        return width;
    }

    /** Rows of the grid; 1 when there is none. */
    public int height() {
        return height;
    }

    /** Points, invalid ones included. */
    public int size() {
        return coordinates.length / 3;
    }

    /** Points that were measured. */
    public int validCount() {
        return validCount;
    }

    /** Whether a point was measured. */
    public boolean valid(int index) {
        return !Float.isNaN(coordinates[3 * index]);
    }

    /** First coordinate of a point, NaN when it is invalid. */
    public float x(int index) {
        return coordinates[3 * index];
    }

    /** Second coordinate of a point, NaN when it is invalid. */
    public float y(int index) {
        return coordinates[3 * index + 1];
    }

    /** Third coordinate of a point, NaN when it is invalid. */
    public float z(int index) {
        return coordinates[3 * index + 2];
    }

    /** Names of the attributes, in the order in which they were added. */
    public List<String> attributeNames() {
        return attributeNames;
    }

    /**
     * Attribute of a point.
     *
     * @param attribute position in {@link #attributeNames()}
     * @param index point
     */
    public float attribute(int attribute, int index) {
        return attributes.get(attribute)[index];
    }

    /** Whether points have colours. */
    public boolean coloured() {
        return colours.length > 0;
    }

    /**
     * Colour of a point as 0xRRGGBB.
     *
     * @throws IndexOutOfBoundsException if there is no such point, or there are no colours
     */
    public int colour(int index) {
        return colours[index];
    }

    // ---- Files

    /**
     * Writes the valid points as PLY 1.0, binary and little-endian, every value a 32-bit float, colours as three bytes
     * {@code red green blue}. PLY has no word for an invalid point. The stream is not closed.
     *
     * @throws IOException if the stream refuses
     */
    public void writePly(OutputStream target) throws IOException {
        PointCloudFiles.writePly(this, target);
    }

    /**
     * Writes the valid points as a PLY file, see {@link #writePly(OutputStream)}.
     *
     * @throws IOException if the file cannot be written
     */
    public void writePly(Path file) throws IOException {
        PointCloudFiles.writePly(this, file);
    }

    /**
     * Writes all points as PCD 0.7, binary and little-endian, every value a 32-bit float, colours as a field
     * {@code rgb}, a float whose bits are 0x00RRGGBB. The grid of the camera is kept ({@code WIDTH}, {@code HEIGHT});
     * an invalid point has three NaN coordinates, as the format wants it, and its attributes. The stream is not closed.
     *
     * @throws IOException if the stream refuses
     */
    public void writePcd(OutputStream target) throws IOException {
        PointCloudFiles.writePcd(this, target);
    }

    /**
     * Writes all points as a PCD file, see {@link #writePcd(OutputStream)}.
     *
     * @throws IOException if the file cannot be written
     */
    public void writePcd(Path file) throws IOException {
        PointCloudFiles.writePcd(this, file);
    }

    /** Size and attributes. */
    @Override
    public String toString() {
        return "PointCloud[" + width + "x" + height + ", " + validCount + " valid, attributes " + attributeNames
                + (coloured() ? ", coloured]" : "]");
    }
}
