package io.peregrine.export;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files against what ImageIO reads back, and against their bytes by the format descriptions (PNG, TIFF 6.0). */
class ImageFilesTest {
    private static PixelView view(int code, int width, int height, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return new PixelView(PixelFormat.of(code), width, height, 0, ByteBuffer.wrap(bytes));
    }

    private static byte[] png(BufferedImage picture) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageFiles.writePng(picture, bytes);
        return bytes.toByteArray();
    }

    private static byte[] tiff(BufferedImage picture) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageFiles.writeTiff(picture, bytes);
        return bytes.toByteArray();
    }

    private static int[] samples(byte[] file) throws IOException {
        BufferedImage picture = ImageIO.read(new ByteArrayInputStream(file));
        return picture.getRaster().getPixels(0, 0, picture.getWidth(), picture.getHeight(), (int[]) null);
    }

    private static final PixelView MONO16 = view(PfncCodes.MONO16, 3, 2, "0000 0100 FF00  0001 FEFF FFFF");
    private static final int[] MONO16_SAMPLES = {0, 1, 255, 256, 65534, 65535};
    private static final PixelView RGB8 = view(PfncCodes.RGB8, 2, 1, "010203 FDFEFF");

    @Test
    void sixteenBitsComeBackFromPng() throws IOException {
        assertArrayEquals(MONO16_SAMPLES, samples(png(Images.of(MONO16))));
    }

    @Test
    void sixteenBitsComeBackFromTiff() throws IOException {
        assertArrayEquals(MONO16_SAMPLES, samples(tiff(Images.of(MONO16))));
    }

    @Test
    void twelveBitsKeepTheirNumbers() throws IOException {
        assertArrayEquals(
                new int[] {0, 1, 4095}, samples(png(Images.of(view(PfncCodes.MONO12, 3, 1, "0000 0100 FF0F")))));
    }

    @Test
    void coloursComeBackFromPng() throws IOException {
        assertArrayEquals(new int[] {1, 2, 3, 253, 254, 255}, samples(png(Images.of(RGB8))));
    }

    @Test
    void coloursComeBackFromTiff() throws IOException {
        assertArrayEquals(new int[] {1, 2, 3, 253, 254, 255}, samples(tiff(Images.of(RGB8))));
    }

    @Test
    void floatingPointComesBackFromTiff() throws IOException {
        byte[] file = tiff(Images.ofFloats(view(PfncCodes.COORD3D_C32F, 2, 1, "0000C03F 000080BF")));
        float[] numbers =
                ImageIO.read(new ByteArrayInputStream(file)).getRaster().getPixels(0, 0, 2, 1, (float[]) null);
        assertArrayEquals(new float[] {1.5f, -1}, numbers);
    }

    @Test
    void pngRefusesFloatingPoint() {
        BufferedImage picture = Images.ofFloats(view(PfncCodes.COORD3D_C32F, 1, 1, "0000C03F"));
        assertThrows(ExportException.class, () -> png(picture));
    }

    @Test
    void anImageThatDoesNotFitLeavesTheFileAsItWas(@TempDir Path folder) throws IOException {
        BufferedImage picture = Images.ofFloats(view(PfncCodes.COORD3D_C32F, 1, 1, "0000C03F"));
        Path file = Files.writeString(folder.resolve("old.png"), "an older picture");
        assertThrows(ExportException.class, () -> ImageFiles.writePng(picture, file));
        assertEquals("an older picture", Files.readString(file));
    }

    @Test
    void anImageThatDoesNotFitMakesNoFile(@TempDir Path folder) {
        BufferedImage picture = Images.ofFloats(view(PfncCodes.COORD3D_C32F, 1, 1, "0000C03F"));
        Path file = folder.resolve("new.png");
        assertThrows(ExportException.class, () -> ImageFiles.writePng(picture, file));
        assertFalse(Files.exists(file));
    }

    @Test
    void aMissingImageLeavesTheTiffFileAsItWas(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("old.tiff"), "an older picture");
        assertThrows(NullPointerException.class, () -> ImageFiles.writeTiff(null, file));
        assertEquals("an older picture", Files.readString(file));
    }

    /** Without ImageIO: signature, IHDR with 16 bits of grey, and the filtered lines, which are big-endian. */
    @Test
    void pngHasTheHeaderAndTheLinesOfItsDescription() throws IOException, DataFormatException {
        ByteBuffer file = ByteBuffer.wrap(png(Images.of(view(PfncCodes.MONO16, 1, 2, "3412 7856"))));
        assertEquals(0x89504E470D0A1A0AL, file.getLong());
        assertEquals(13, file.getInt());
        assertEquals(0x49484452, file.getInt());
        assertEquals(1, file.getInt(), "width");
        assertEquals(2, file.getInt(), "height");
        assertEquals(16, file.get(), "bits of a sample");
        assertEquals(0, file.get(), "grey");
        file.position(8 + 12 + 13);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        while (file.hasRemaining()) {
            int length = file.getInt();
            int type = file.getInt();
            if (type == 0x49444154) {
                packed.write(file.array(), file.position(), length);
            }
            file.position(file.position() + length + 4);
        }
        Inflater inflater = new Inflater();
        inflater.setInput(packed.toByteArray());
        byte[] lines = new byte[6];
        assertEquals(6, inflater.inflate(lines));
        inflater.end();
        // Whatever the filter: left of and above the first pixel there is nothing to take away.
        assertEquals("1234", HexFormat.of().formatHex(lines, 1, 3));
    }

    /** Without ImageIO: byte order, magic number, and the tags of the first directory. */
    @Test
    void tiffHasTheTagsOfItsDescription() throws IOException {
        ByteBuffer file = ByteBuffer.wrap(tiff(Images.of(MONO16)));
        file.order(file.getShort(0) == 0x4949 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        assertEquals(42, file.getShort(2));
        int directory = file.getInt(4);
        assertEquals(3, tag(file, directory, 256), "width");
        assertEquals(2, tag(file, directory, 257), "height");
        assertEquals(16, tag(file, directory, 258), "bits of a sample");
        assertEquals(8, tag(file, directory, 259), "compression: Adobe Deflate");
        assertEquals(1, tag(file, directory, 262), "0 is black");
        assertEquals(1, tag(file, directory, 277), "samples of a pixel");
    }

    private static int tag(ByteBuffer file, int directory, int wanted) {
        int count = file.getShort(directory);
        for (int at = directory + 2; at < directory + 2 + 12 * count; at += 12) {
            if (Short.toUnsignedInt(file.getShort(at)) == wanted) {
                return file.getShort(at + 2) == 3 ? file.getShort(at + 8) : file.getInt(at + 8);
            }
        }
        throw new AssertionError("There is no tag " + wanted);
    }
}
