package io.peregrine.export;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.composite.Composite;
import io.peregrine.composite.Item;
import io.peregrine.composite.PointCloudItem;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcDescriptorBuilder.ComponentBuilder;
import io.peregrine.pfnc.PfncCodes;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** Each kind of item, of containers in memory, against samples that were worked out by hand. */
class ItemExportTest {

    /** A container of one component, its data the given bytes from the start of the data section on. */
    private static Composite composite(String hex, Consumer<ComponentBuilder> component) {
        return composite(HexFormat.of().parseHex(hex.replace(" ", "")), component);
    }

    private static Composite composite(byte[] data, Consumer<ComponentBuilder> component) {
        GenDcDescriptor descriptor =
                GenDcDescriptor.builder().alignmentBytes(1).component(component).build();
        byte[] container = Arrays.copyOf(descriptor.toBytes(), Math.toIntExact(descriptor.containerSizeBytes()));
        System.arraycopy(data, 0, container, Math.toIntExact(descriptor.dataOffset()), data.length);
        return Composite.of(ByteBuffer.wrap(container));
    }

    private static Composite image(int typeId, int format, int width, int height, String hex) {
        return composite(
                hex,
                component -> component
                        .typeId(typeId)
                        .format(format)
                        .part2d(part -> part.format(format).size(width, height)));
    }

    private static Item only(Composite composite) {
        assertEquals(1, composite.items().size(), composite.toString());
        return composite.items().get(0);
    }

    private static int[] samples(BufferedImage picture) {
        return picture.getRaster().getPixels(0, 0, picture.getWidth(), picture.getHeight(), (int[]) null);
    }

    private static int[] pixel(BufferedImage picture, int x, int y) {
        return picture.getRaster().getPixel(x, y, (int[]) null);
    }

    // ---- Pictures

    @Test
    void packedPixelsOfGigEVisionKeepTheirNumbers() {
        // Mono12Packed: 0xABC and 0x123; the byte in the middle has the low bits of both.
        assertArrayEquals(
                new int[] {0xABC, 0x123},
                samples(Images.of(only(image(1, PfncCodes.MONO12_PACKED, 2, 1, "AB 3C 12")))));
    }

    @Test
    void aRedSceneBehindABayerMosaicIsRed() {
        // RG/GB: red pixels 200, all others 0.
        BufferedImage picture =
                Images.of(only(image(1, PfncCodes.BAYER_RG8, 4, 4, "C800C800 00000000 C800C800 00000000")));
        assertArrayEquals(new int[] {200, 0, 0}, pixel(picture, 1, 1));
    }

    @Test
    void aGreyPixelOfYCbCrIsGrey() {
        // Y Cb Y Cr, no chroma.
        BufferedImage picture = Images.of(only(image(1, PfncCodes.YCBCR422_8, 2, 1, "64 80 C8 80")));
        assertArrayEquals(new int[] {100, 100, 100, 200, 200, 200}, samples(picture));
    }

    @Test
    void planesInPartsOfTheirOwnBecomeColours() {
        try (Composite composite = composite(
                "01 02  0A 14  64 C8",
                component -> component
                        .typeId(1)
                        .format(PfncCodes.RGB8_PLANAR)
                        .part2d(part -> part.format(PfncCodes.R8).size(2, 1))
                        .part2d(part -> part.format(PfncCodes.G8).size(2, 1))
                        .part2d(part -> part.format(PfncCodes.B8).size(2, 1)))) {
            assertArrayEquals(new int[] {1, 10, 100, 2, 20, 200}, samples(Images.of(only(composite))));
        }
    }

    @Test
    void planesInOnePartBecomeColours() {
        assertArrayEquals(
                new int[] {1, 10, 100, 2, 20, 200},
                samples(Images.of(only(image(1, PfncCodes.RGB8_PLANAR, 2, 1, "01 02  0A 14  64 C8")))));
    }

    @Test
    void aGreySceneOfSemiPlanarYCbCrIsGrey() {
        BufferedImage picture =
                Images.of(only(image(1, PfncCodes.YCBCR420_8_YY_CBCR_SEMIPLANAR, 2, 2, "0A 14 1E 28  80 80")));
        assertArrayEquals(new int[] {10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40}, samples(picture));
    }

    @Test
    void bandsAreImagesOfTheirOwn() {
        try (Composite composite = composite(
                "01 02 03 04",
                component -> component
                        .typeId(9)
                        .format(PfncCodes.MONO8)
                        .part2d(part -> part.format(PfncCodes.MONO8).size(2, 1))
                        .part2d(part -> part.format(PfncCodes.MONO8).size(2, 1)))) {
            Item bands = only(composite);
            assertThrows(ExportException.class, () -> Images.of(bands));
        }
    }

    @Test
    void confidenceKeepsItsNumbers() {
        assertArrayEquals(
                new int[] {0, 1, 255}, samples(Images.of(only(image(6, PfncCodes.CONFIDENCE8, 3, 1, "0001FF")))));
    }

    @Test
    void jpegIsDecoded() throws IOException {
        BufferedImage grey = new BufferedImage(16, 16, BufferedImage.TYPE_BYTE_GRAY);
        for (int i = 0; i < 256; i++) {
            grey.getRaster().setSample(i % 16, i / 16, 0, 77);
        }
        ByteArrayOutputStream jpeg = new ByteArrayOutputStream();
        ImageIO.write(grey, "jpeg", jpeg);
        try (Composite composite = composite(
                jpeg.toByteArray(),
                component -> component
                        .typeId(1)
                        .format(PfncCodes.MONO8)
                        .partJpeg(part ->
                                part.format(PfncCodes.MONO8).size(16, 16).dataSize(jpeg.size())))) {
            assertEquals(77, Images.of(only(composite)).getRaster().getSample(8, 8, 0), 1);
        }
    }

    @Test
    void jpeg2000IsRefusedWithAReason() {
        try (Composite composite = composite(
                "FF4FFF51",
                component -> component
                        .typeId(1)
                        .format(PfncCodes.MONO8)
                        .partJpeg2000(
                                part -> part.format(PfncCodes.MONO8).size(2, 2).dataSize(4)))) {
            Item item = only(composite);
            assertThrows(ExportException.class, () -> Images.of(item));
        }
    }

    @Test
    void anInvalidComponentIsRefused() {
        try (Composite composite = composite(
                "",
                component -> component
                        .typeId(1)
                        .format(PfncCodes.MONO8)
                        .invalid(true)
                        .part2d(part -> part.format(PfncCodes.MONO8).size(2, 2)))) {
            Item item = only(composite);
            assertThrows(ExportException.class, () -> Images.of(item));
        }
    }

    // ---- Depth

    @Test
    void interleavedPointsHaveADepth() {
        Item points = only(image(4, PfncCodes.COORD3D_ABC16, 2, 1, "0100 0200 0300  0400 0500 0600"));
        assertArrayEquals(new int[] {3, 6}, samples(Images.depth16(points, Axis.IDENTITY, 1)));
    }

    @Test
    void onePlaneOfInterleavedPointsIsAPicture() {
        PointCloudItem points =
                (PointCloudItem) only(image(4, PfncCodes.COORD3D_ABC16, 2, 1, "0100 0200 0300  0400 0500 0600"));
        assertArrayEquals(new int[] {2, 5}, samples(Images.of(points.planes().get(1))));
    }

    // ---- Points

    private static String points(Item item) {
        PointCloud cloud = PointCloud.of((PointCloudItem) item, Coordinates.IDENTITY);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < cloud.size(); i++) {
            text.append(cloud.x(i))
                    .append(' ')
                    .append(cloud.y(i))
                    .append(' ')
                    .append(cloud.z(i))
                    .append("; ");
        }
        return text.toString();
    }

    @Test
    void interleavedPointsBecomeACloud() {
        assertEquals(
                "1.0 2.0 3.0; 4.0 5.0 6.0; ",
                points(only(image(4, PfncCodes.COORD3D_ABC16, 2, 1, "0100 0200 0300  0400 0500 0600"))));
    }

    @Test
    void pointsThatShareBytesBecomeACloud() {
        // Coord3D_ABC10p: 1, 2, 3 in 30 bits, and 2 bits that belong to nothing.
        assertEquals("1.0 2.0 3.0; ", points(only(image(4, PfncCodes.COORD3D_ABC10P, 1, 1, "01 08 30 00"))));
    }

    @Test
    void planesOfPointsInOnePartBecomeACloud() {
        assertEquals(
                "1.0 2.0 3.0; 4.0 5.0 6.0; ",
                points(only(image(4, PfncCodes.COORD3D_ABC16_PLANAR, 2, 1, "0100 0400  0200 0500  0300 0600"))));
    }

    @Test
    void planesOfPointsInPartsOfTheirOwnBecomeACloud() {
        try (Composite composite = composite(
                "0100 0400  0200 0500  0300 0600",
                component -> component
                        .typeId(4)
                        .format(PfncCodes.COORD3D_ABC16_PLANAR)
                        .part2d(part -> part.format(PfncCodes.COORD3D_A16).size(2, 1))
                        .part2d(part -> part.format(PfncCodes.COORD3D_B16).size(2, 1))
                        .part2d(part -> part.format(PfncCodes.COORD3D_C16).size(2, 1)))) {
            assertEquals("1.0 2.0 3.0; 4.0 5.0 6.0; ", points(only(composite)));
        }
    }

    @Test
    void aListOfPointsBecomesACloudOfOneRow() {
        // 1, 2, 3 as IEEE 754 singles.
        try (Composite composite = composite(
                "0000803F 00000040 00004040",
                component -> component
                        .typeId(4)
                        .format(PfncCodes.COORD3D_ABC32F)
                        .part1d(part -> part.format(PfncCodes.COORD3D_ABC32F).size(1)))) {
            assertEquals("1.0 2.0 3.0; ", points(only(composite)));
        }
    }

    /** Two points of range, and two pixels of a colour image in a region. */
    private static Composite colouredRange(int format, int regionId, String colours) {
        return colouredRange(2, 1, "010203040506", format, 2, 1, regionId, colours);
    }

    private static Composite colouredRange(
            int width,
            int height,
            String points,
            int format,
            int colourWidth,
            int colourHeight,
            int regionId,
            String colours) {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .alignmentBytes(1)
                .component(c -> c.typeId(4)
                        .format(PfncCodes.COORD3D_ABC8)
                        .part2d(part -> part.format(PfncCodes.COORD3D_ABC8).size(width, height)))
                .component(c -> c.typeId(1)
                        .regionId(regionId)
                        .format(format)
                        .part2d(part -> part.format(format).size(colourWidth, colourHeight)))
                .build();
        byte[] data = HexFormat.of().parseHex(points + colours.replace(" ", ""));
        byte[] container = Arrays.copyOf(descriptor.toBytes(), Math.toIntExact(descriptor.containerSizeBytes()));
        System.arraycopy(data, 0, container, Math.toIntExact(descriptor.dataOffset()), data.length);
        return Composite.of(ByteBuffer.wrap(container));
    }

    private static PointCloud colouredCloud(Composite composite) {
        PointCloudItem range = composite.find(PointCloudItem.class).orElseThrow();
        return PointCloud.of(range, Coordinates.IDENTITY).withColoursOf(composite, range);
    }

    @Test
    void pointsTakeTheColoursOfTheirRegion() {
        PointCloud rgb = colouredCloud(colouredRange(PfncCodes.RGB8, 0, "102030 405060"));
        assertEquals(0x102030, rgb.colour(0));
        assertEquals(0x405060, rgb.colour(1));
        assertEquals(
                0x302010,
                colouredCloud(colouredRange(PfncCodes.BGR8, 0, "102030 405060")).colour(0));
    }

    @Test
    void coloursOfAnotherGridWithAsManyPixelsAreNotTaken() {
        PointCloud cloud = colouredCloud(colouredRange(
                2, 2, "000000010101020202030303", PfncCodes.RGB8, 4, 1, 0, "102030 405060 708090 A0B0C0"));
        assertFalse(cloud.coloured());
    }

    @Test
    void coloursOfMoreThan8BitsAreRounded() {
        // RGB16: 0x1234, 0xFFFF and 0: the upper 8 bits.
        PointCloud cloud = colouredCloud(colouredRange(PfncCodes.RGB16, 0, "3412 FFFF 0000 0000 0000 0000"));
        assertEquals(0x12FF00, cloud.colour(0));
    }

    @Test
    void coloursOfAnotherRegionAndGreyAreNone() {
        assertFalse(
                colouredCloud(colouredRange(PfncCodes.RGB8, 1, "102030 405060")).coloured());
        assertFalse(colouredCloud(colouredRange(PfncCodes.MONO8, 0, "10 20")).coloured());
    }

    @Test
    void aClosedCompositeGivesNothing() {
        Composite composite = image(1, PfncCodes.MONO8, 1, 1, "00");
        Item item = only(composite);
        composite.close();
        assertThrows(IllegalStateException.class, () -> Images.of(item));
    }
}
