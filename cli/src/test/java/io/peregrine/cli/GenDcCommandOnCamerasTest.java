package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.TestData;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code gendc} makes of containers of real devices, of the optional test data. */
@Timeout(60)
class GenDcCommandOnCamerasTest {
    @TempDir
    private Path directory;

    private static String sample(String name) {
        return TestData.file("gendc/" + name).toString();
    }

    private String folder() {
        return directory.resolve("out").toString();
    }

    private byte[] written(String name) throws IOException {
        return Files.readAllBytes(directory.resolve("out").resolve(name));
    }

    @Test
    void aContainerByTheBookPassesStrictly() {
        Cli result = Cli.run("gendc", "--strict", sample("little_boxes.gendc"));
        assertEquals(0, result.exitCode(), result.out() + result.err());
    }

    @Test
    void anOddContainerOfTheFieldPasses() {
        assertEquals(0, Cli.run("gendc", sample("sensing-dev_output.bin")).exitCode());
    }

    @Test
    void anOddContainerOfTheFieldFailsStrictly() {
        assertEquals(
                1,
                Cli.run("gendc", "--strict", sample("sensing-dev_output.bin")).exitCode());
    }

    @Test
    void partsAreExtractedAsTheyAre() throws IOException {
        // CRC-32 of the three parts, computed by another program.
        Cli result = Cli.run("gendc", sample("little_boxes.gendc"), "--extract", folder());
        assertEquals(0, result.exitCode(), result.out() + result.err());
        assertEquals(
                "5a1ee0eb 9ad288d9 9b3062a5",
                crc32(written("00-0-range-Coord3D_ABC32f.raw")) + " " + crc32(written("01-0-intensity-Mono16.raw"))
                        + " " + crc32(written("02-0-confidence-Confidence16.raw")));
    }

    private static String crc32(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return Long.toHexString(crc.getValue());
    }

    @Test
    void picturesKeepTheNumbersOfTheCamera() throws IOException {
        Cli result = Cli.run("gendc", sample("little_boxes.gendc"), "--convert", folder(), "--to", "png,tiff");
        assertEquals(0, result.exitCode(), result.out() + result.err());
        for (String type : new String[] {"png", "tiff"}) {
            BufferedImage picture =
                    ImageIO.read(directory.resolve("out/01-intensity." + type).toFile());
            int[] samples = picture.getRaster().getPixels(0, 0, 160, 120, (int[]) null);
            assertEquals(703550292L, Arrays.stream(samples).asLongStream().sum());
        }
    }

    @Test
    void floatingPointDepthComesBackFromTiff() throws IOException {
        Cli.run("gendc", sample("little_boxes.gendc"), "--convert", folder(), "--to", "tiff");
        BufferedImage picture =
                ImageIO.read(directory.resolve("out/00-range.tiff").toFile());
        assertEquals(651.25507f, picture.getRaster().getSampleFloat(80, 60, 0));
    }

    @Test
    void floatingPointDepthBecomesGreyLevelsOfTheDepthUnit() throws IOException {
        Cli.run("gendc", sample("little_boxes.gendc"), "--convert", folder(), "--depth-unit", "0.1");
        BufferedImage picture =
                ImageIO.read(directory.resolve("out/00-range.png").toFile());
        assertEquals(6513, picture.getRaster().getSample(80, 60, 0));
    }

    @Test
    void coordinatesBecomeAPointCloudWithIntensityAndConfidence() throws IOException {
        Cli.run("gendc", sample("little_boxes.gendc"), "--convert", folder(), "--to", "pcd", "--scale", "0.001");
        byte[] file = written("00-range.pcd");
        String header = new String(file, 0, 300, StandardCharsets.US_ASCII);
        assertTrue(header.contains("FIELDS x y z intensity confidence\n"), header);
        assertTrue(header.contains("WIDTH 160\nHEIGHT 120\n"), header);
        ByteBuffer first =
                ByteBuffer.wrap(file, file.length - 20 * 160 * 120, 20).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(-0.468768, first.getFloat(), 1e-6);
        assertEquals(-0.338492, first.getFloat(), 1e-6);
        assertEquals(0.746624, first.getFloat(), 1e-6);
        assertEquals(20388f, first.getFloat());
        assertEquals(1769f, first.getFloat());
    }
}
