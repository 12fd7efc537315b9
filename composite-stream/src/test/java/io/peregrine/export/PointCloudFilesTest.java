package io.peregrine.export;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Clouds against bytes that were worked out by hand from the descriptions of PLY 1.0 and PCD 0.7. */
class PointCloudFilesTest {
    private static PixelView view(int code, int width, int height, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return new PixelView(PixelFormat.of(code), width, height, 0, ByteBuffer.wrap(bytes));
    }

    /** The numbers (2, 4, 6), (7, 7, 0) and (1, 65534, 65535), which are (1, 2, 3), no point, (0.5, -65528, 131061). */
    private static PointCloud threePoints() {
        return PointCloud.ofPoints(
                view(PfncCodes.COORD3D_ABC16, 3, 1, "0200 0400 0600  0700 0700 0000  0100 FEFF FFFF"),
                new Coordinates(Axis.of(0.5, 0), Axis.of(-1, 6), Axis.of(2, -9).withInvalidValue(0)));
    }

    private static byte[] ply(PointCloud cloud) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PointCloudFiles.writePly(cloud, bytes);
        return bytes.toByteArray();
    }

    private static byte[] pcd(PointCloud cloud) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PointCloudFiles.writePcd(cloud, bytes);
        return bytes.toByteArray();
    }

    private static byte[] join(String header, String hex) {
        byte[] text = header.getBytes(StandardCharsets.US_ASCII);
        byte[] points = HexFormat.of().parseHex(hex.replace(" ", ""));
        return ByteBuffer.allocate(text.length + points.length)
                .put(text)
                .put(points)
                .array();
    }

    @Test
    void plyHasTheValidPointsOnly() throws IOException {
        assertArrayEquals(join("""
                        ply
                        format binary_little_endian 1.0
                        element vertex 2
                        property float x
                        property float y
                        property float z
                        end_header
                        """, "0000803F 00000040 00004040  0000003F 00F87FC7 80FAFF47"), ply(threePoints()));
    }

    @Test
    void pcdHasEveryPointAndMarksInvalidOnesByNaN() throws IOException {
        assertArrayEquals(
                join("""
                        # .PCD v0.7 - Point Cloud Data file format
                        VERSION 0.7
                        FIELDS x y z
                        SIZE 4 4 4
                        TYPE F F F
                        COUNT 1 1 1
                        WIDTH 3
                        HEIGHT 1
                        VIEWPOINT 0 0 0 1 0 0 0
                        POINTS 3
                        DATA binary
                        """, "0000803F 00000040 00004040  0000C07F 0000C07F 0000C07F  0000003F 00F87FC7 80FAFF47"),
                pcd(threePoints()));
    }

    @Test
    void attributesFollowTheCoordinatesOfTheirPoint() throws IOException {
        PointCloud cloud = threePoints()
                .withAttribute("intensity", view(PfncCodes.MONO16, 3, 1, "0100 0200 FFFF"))
                .withAttribute("confidence", view(PfncCodes.CONFIDENCE8, 3, 1, "FF 00 80"));
        assertArrayEquals(
                join(
                        """
                        ply
                        format binary_little_endian 1.0
                        element vertex 2
                        property float x
                        property float y
                        property float z
                        property float intensity
                        property float confidence
                        end_header
                        """,
                        "0000803F 00000040 00004040 0000803F 00007F43"
                                + "0000003F 00F87FC7 80FAFF47 00FF7F47 00000043"),
                ply(cloud));
        String header = new String(pcd(cloud), StandardCharsets.US_ASCII);
        assertTrue(header.contains(
                "\nFIELDS x y z intensity confidence\nSIZE 4 4 4 4 4\nTYPE F F F F F\nCOUNT 1 1 1 1 1\n"));
    }

    /** Red, green and blue: the second point is invalid. */
    private static PointCloud colouredPoints() {
        BufferedImage picture = new BufferedImage(3, 1, BufferedImage.TYPE_INT_RGB);
        picture.setRGB(0, 0, 0xFF0102);
        picture.setRGB(1, 0, 0x03FF04);
        picture.setRGB(2, 0, 0x0506FF);
        return threePoints()
                .withColours(picture)
                .withAttribute("intensity", view(PfncCodes.MONO16, 3, 1, "0100 0200 FFFF"));
    }

    @Test
    void plyHasColoursAsThreeBytesBehindTheAttributes() throws IOException {
        assertArrayEquals(
                join(
                        """
                        ply
                        format binary_little_endian 1.0
                        element vertex 2
                        property float x
                        property float y
                        property float z
                        property float intensity
                        property uchar red
                        property uchar green
                        property uchar blue
                        end_header
                        """,
                        "0000803F 00000040 00004040 0000803F FF 01 02"
                                + "0000003F 00F87FC7 80FAFF47 00FF7F47 05 06 FF"),
                ply(colouredPoints()));
    }

    @Test
    void pcdHasColoursInTheBitsOfAFloat() throws IOException {
        byte[] file = pcd(colouredPoints());
        String text = new String(file, StandardCharsets.ISO_8859_1);
        assertTrue(text.contains("\nFIELDS x y z intensity rgb\nSIZE 4 4 4 4 4\nTYPE F F F F F\nCOUNT 1 1 1 1 1\n"));
        byte[] points = Arrays.copyOfRange(file, file.length - 3 * 20, file.length);
        assertEquals("0201ff00", HexFormat.of().formatHex(points, 16, 20));
        assertEquals("04ff0300", HexFormat.of().formatHex(points, 36, 40), "of the invalid point");
        assertEquals("ff060500", HexFormat.of().formatHex(points, 56, 60));
    }

    @Test
    void aGreyImageColoursPointsWithItsSamples() {
        PointCloud cloud = threePoints().withColours(Images.of(view(PfncCodes.MONO8, 3, 1, "00 80 FF")));
        assertArrayEquals(
                new int[] {0x000000, 0x808080, 0xFFFFFF},
                new int[] {cloud.colour(0), cloud.colour(1), cloud.colour(2)});
    }

    @Test
    void sixteenBitsOfGreyAreRounded() {
        PointCloud cloud = threePoints().withColours(Images.of(view(PfncCodes.MONO16, 3, 1, "8080 0081 FFFF")));
        assertArrayEquals(
                new int[] {0x808080, 0x808080, 0xFFFFFF},
                new int[] {cloud.colour(0), cloud.colour(1), cloud.colour(2)});
    }

    @Test
    void plyHasTheSamplesOfAGreyImage() throws IOException {
        byte[] file = ply(threePoints().withColours(Images.of(view(PfncCodes.MONO8, 3, 1, "80 00 40"))));
        assertEquals("404040", HexFormat.of().formatHex(file, file.length - 3, file.length));
    }

    @Test
    void coloursOfAnotherSizeAreRefused() {
        BufferedImage picture = new BufferedImage(2, 1, BufferedImage.TYPE_INT_RGB);
        assertThrows(ExportException.class, () -> threePoints().withColours(picture));
    }

    @Test
    void pcdKeepsTheGridOfTheCamera() throws IOException {
        PointCloud cloud = PointCloud.ofDepth(
                view(PfncCodes.COORD3D_C16, 2, 3, "0100 0200 0300 0400 0500 0600"), Coordinates.IDENTITY);
        String header = new String(pcd(cloud), StandardCharsets.US_ASCII);
        assertTrue(header.contains("\nWIDTH 2\nHEIGHT 3\n"), header);
    }

    @Test
    void manyPointsAreWrittenInPieces() throws IOException {
        int points = 10_000;
        ByteBuffer numbers = ByteBuffer.allocate(points * 6);
        for (int i = 0; i < points; i++) {
            numbers.put(6 * i, (byte) i).put(6 * i + 1, (byte) (i >> 8));
        }
        byte[] file = pcd(PointCloud.ofPoints(
                new PixelView(PixelFormat.of(PfncCodes.COORD3D_ABC16), 100, 100, 0, numbers), Coordinates.IDENTITY));
        ByteBuffer last = ByteBuffer.wrap(file, file.length - 12, 12).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        assertEquals(9999f, last.getFloat());
    }

    @Test
    void planesMakeTheSameCloudAsPackedCoordinates() throws IOException {
        PointCloud planar = PointCloud.ofPlanes(
                view(PfncCodes.COORD3D_A16, 3, 1, "0200 0700 0100"),
                view(PfncCodes.COORD3D_B16, 3, 1, "0400 0700 FEFF"),
                view(PfncCodes.COORD3D_C16, 3, 1, "0600 0000 FFFF"),
                new Coordinates(Axis.of(0.5, 0), Axis.of(-1, 6), Axis.of(2, -9).withInvalidValue(0)));
        assertArrayEquals(pcd(threePoints()), pcd(planar));
    }

    @Test
    void aDepthMapTakesColumnAndRowAsCoordinates() {
        PointCloud cloud = PointCloud.ofDepth(
                view(PfncCodes.COORD3D_C16, 2, 2, "0A00 1400 1E00 2800"),
                new Coordinates(Axis.of(2, -1), Axis.of(3, 5), Axis.of(0.1, 0)));
        assertEquals("1.0 8.0 4.0", cloud.x(3) + " " + cloud.y(3) + " " + cloud.z(3));
    }

    @Test
    void numbersThatAreNotFiniteAreNoPoints() {
        // NaN, infinity, and a good point.
        PointCloud cloud = PointCloud.ofPoints(
                view(
                        PfncCodes.COORD3D_ABC32F,
                        3,
                        1,
                        "0000C07F 00000000 00000000  00000000 0000807F 00000000  00000000 00000000 00000000"),
                Coordinates.IDENTITY);
        assertEquals(1, cloud.validCount());
    }

    @Test
    void aFormatWithoutThreeCoordinatesIsRefused() {
        PixelView depth = view(PfncCodes.COORD3D_C16, 1, 1, "0000");
        assertThrows(ExportException.class, () -> PointCloud.ofPoints(depth, Coordinates.IDENTITY));
    }

    @Test
    void planesOfDifferentSizesAreRefused() {
        PixelView two = view(PfncCodes.COORD3D_A16, 2, 1, "0000 0000");
        PixelView one = view(PfncCodes.COORD3D_B16, 1, 1, "0000");
        assertThrows(ExportException.class, () -> PointCloud.ofPlanes(two, one, two, Coordinates.IDENTITY));
    }

    @Test
    void anAttributeOfAnotherSizeIsRefused() {
        PixelView two = view(PfncCodes.MONO8, 2, 1, "0000");
        assertThrows(ExportException.class, () -> threePoints().withAttribute("intensity", two));
    }

    @Test
    void aNameThatWouldBreakTheHeaderIsRefused() {
        PixelView three = view(PfncCodes.MONO8, 3, 1, "000000");
        assertThrows(IllegalArgumentException.class, () -> threePoints().withAttribute("a\nelement face 9", three));
    }
}
