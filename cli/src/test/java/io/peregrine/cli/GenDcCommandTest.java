package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.testing.DeviceContainers;
import io.peregrine.testing.SyntheticContainer;
import io.peregrine.testing.TwoFlows;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code gendc} does with files: good, odd and hostile ones. */
@Timeout(60)
class GenDcCommandTest {
    @TempDir
    private Path directory;

    /** Mono8, 4x2, pixels 0 to 7. */
    private byte[] container() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .id(7)
                .component(component -> component
                        .typeId(1)
                        .format(PfncCodes.MONO8)
                        .part2d(part -> part.format(PfncCodes.MONO8).size(4, 2).flow(0)))
                .build();
        byte[] bytes = Arrays.copyOf(descriptor.toBytes(), Math.toIntExact(descriptor.containerSizeBytes()));
        for (int i = 0; i < 8; i++) {
            bytes[bytes.length - 8 + i] = (byte) i;
        }
        return bytes;
    }

    private String file(byte[] bytes) throws IOException {
        return file("container.gendc", bytes);
    }

    private String file(String name, byte[] bytes) throws IOException {
        return Files.write(directory.resolve(name), bytes).toString();
    }

    private String flow0() throws IOException {
        return file("flow0.bin", TwoFlows.flow0());
    }

    private String flow1() throws IOException {
        return file("flow1.bin", TwoFlows.flow1());
    }

    private String flowTable() throws IOException {
        return file("table.bin", TwoFlows.table());
    }

    private String folder() {
        return directory.resolve("out").toString();
    }

    private byte[] written(String name) throws IOException {
        return Files.readAllBytes(directory.resolve("out").resolve(name));
    }

    // ---- Printing

    @Test
    void aContainerIsPrinted() throws IOException {
        Cli result = Cli.run("gendc", file(container()));
        assertEquals(0, result.exitCode(), result.out() + result.err());
        assertTrue(result.out().contains("INTENSITY"), result.out());
    }

    @Test
    void aContainerIsPrintedAsJson() throws IOException {
        JsonNode json = Cli.run("gendc", file(container()), "--json").json();
        assertEquals(7, json.get("container").get("id").asLong());
        assertEquals(
                4,
                json.get("container")
                        .get("components")
                        .get(0)
                        .get("parts")
                        .get(0)
                        .get("sizeX")
                        .asLong());
    }

    @Test
    void aContainerByTheBookPassesStrictly() throws IOException {
        Cli result = Cli.run("gendc", "--strict", file(DeviceContainers.timeOfFlight()));
        assertEquals(0, result.exitCode(), result.out() + result.err());
    }

    @Test
    void anOddContainerOfTheFieldPasses() throws IOException {
        assertEquals(
                0, Cli.run("gendc", file(DeviceContainers.bendingTheStandard())).exitCode());
    }

    @Test
    void anOddContainerOfTheFieldFailsStrictly() throws IOException {
        assertEquals(
                1,
                Cli.run("gendc", "--strict", file(DeviceContainers.bendingTheStandard()))
                        .exitCode());
    }

    // ---- Taking apart

    @Test
    void partsAreExtractedAsTheyAre() throws IOException {
        Cli result = Cli.run("gendc", file(DeviceContainers.timeOfFlight()), "--extract", folder());
        assertEquals(0, result.exitCode(), result.out() + result.err());
        byte[] container = DeviceContainers.timeOfFlight();
        assertArrayEquals(Arrays.copyOfRange(container, 416, 464), written("00-0-range-Coord3D_ABC32f.raw"));
        assertArrayEquals(Arrays.copyOfRange(container, 464, 472), written("01-0-intensity-Mono16.raw"));
        assertArrayEquals(Arrays.copyOfRange(container, 472, 480), written("02-0-confidence-Confidence16.raw"));
    }

    @Test
    void aPartIsTakenFromItsFlow() throws IOException {
        Cli result = Cli.run("gendc", flow0(), flow1(), "--flow-table", flowTable(), "--extract", folder());
        assertEquals(0, result.exitCode(), result.out() + result.err());
        assertArrayEquals(TwoFlows.flow1(), written("01-0-range-Mono16.raw"));
    }

    @Test
    void flowsGiveTheSamePicturesAsTheLinearContainer() throws IOException {
        Cli.run("gendc", file(SyntheticContainer.TWO_FLOWS.bytes()), "--convert", folder());
        byte[] linear = written("01-range.png");
        Files.delete(directory.resolve("out/01-range.png"));
        Cli.run("gendc", flow0(), flow1(), "--convert", folder());
        assertArrayEquals(linear, written("01-range.png"));
    }

    @Test
    void aFlowTableOfAnotherNumberOfFlowsIsRefused() throws IOException {
        Cli result = Cli.run("gendc", flow0(), "--flow-table", flowTable());
        assertEquals(1, result.exitCode());
        assertTrue(result.err().contains("2 flows"), result.err());
    }

    @Test
    void aFlowThatIsTooShortFails() throws IOException {
        Path shortFlow = Files.write(directory.resolve("flow1"), new byte[127]);
        Cli result = Cli.run("gendc", flow0(), shortFlow.toString());
        assertEquals(1, result.exitCode());
        assertTrue(result.out().contains("PART_REJECTED component 1 part 0"), result.out());
    }

    // ---- Converting

    @Test
    void picturesKeepTheNumbersOfTheCamera() throws IOException {
        Cli result = Cli.run("gendc", file(DeviceContainers.timeOfFlight()), "--convert", folder(), "--to", "png,tiff");
        assertEquals(0, result.exitCode(), result.out() + result.err());
        for (String type : new String[] {"png", "tiff"}) {
            BufferedImage picture =
                    ImageIO.read(directory.resolve("out/01-intensity." + type).toFile());
            int[] samples = picture.getRaster().getPixels(0, 0, 2, 2, (int[]) null);
            assertArrayEquals(new int[] {20_388, 65_535, 3, 4}, samples);
        }
    }

    @Test
    void floatingPointDepthComesBackFromTiff() throws IOException {
        Cli.run("gendc", file(DeviceContainers.timeOfFlight()), "--convert", folder(), "--to", "tiff");
        BufferedImage picture =
                ImageIO.read(directory.resolve("out/00-range.tiff").toFile());
        assertEquals(16.5f, picture.getRaster().getSampleFloat(1, 1, 0));
    }

    @Test
    void floatingPointDepthBecomesGreyLevelsOfTheDepthUnit() throws IOException {
        Cli.run("gendc", file(DeviceContainers.timeOfFlight()), "--convert", folder(), "--depth-unit", "0.1");
        BufferedImage picture =
                ImageIO.read(directory.resolve("out/00-range.png").toFile());
        assertEquals(165, picture.getRaster().getSample(1, 1, 0));
    }

    @Test
    void coordinatesBecomeAPointCloudWithIntensityAndConfidence() throws IOException {
        Cli.run(
                "gendc",
                file(DeviceContainers.timeOfFlight()),
                "--convert",
                folder(),
                "--to",
                "pcd",
                "--scale",
                "0.001");
        byte[] file = written("00-range.pcd");
        String header = new String(file, 0, file.length - 20 * 4, StandardCharsets.US_ASCII);
        assertTrue(header.contains("FIELDS x y z intensity confidence\n"), header);
        assertTrue(header.contains("WIDTH 2\nHEIGHT 2\n"), header);
        ByteBuffer second = ByteBuffer.wrap(file, file.length - 20 * 3, 20).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(0.0045, second.getFloat(), 1e-6);
        assertEquals(0.006, second.getFloat(), 1e-6);
        assertEquals(0.0075, second.getFloat(), 1e-6);
        assertEquals(65_535f, second.getFloat());
        assertEquals(0x0403, second.getFloat());
    }

    @Test
    void aListOfPointsBecomesAPointCloud() throws IOException {
        Cli result =
                Cli.run("gendc", file(SyntheticContainer.POINTCLOUD_1D.bytes()), "--convert", folder(), "--to", "ply");
        assertEquals(0, result.exitCode(), result.out() + result.err());
        byte[] file = written("00-range.ply");
        String header = new String(file, 0, 60, StandardCharsets.US_ASCII);
        assertTrue(header.contains("element vertex 10\n"), header);
        int bytes = (int) Files.size(directory.resolve("out/00-range.ply"));
        assertTrue(bytes > 10 * 12, () -> bytes + " bytes");
    }

    @Test
    void jpegThatIsNoneFailsAndTheRestIsWritten() throws IOException {
        Cli result =
                Cli.run("gendc", file(SyntheticContainer.JPEG.bytes()), "--convert", folder(), "--extract", folder());
        assertEquals(1, result.exitCode());
        assertTrue(result.err().contains("item 0: The JPEG cannot be decoded"), result.err());
        assertTrue(result.out().contains(".jpg"), result.out());
    }

    @Test
    void aConvertedFolderListsItsFilesAsJson() throws IOException {
        JsonNode json = Cli.run("gendc", "--json", file(container()), "--convert", folder())
                .json();
        assertTrue(json.get("files").get(0).asText().endsWith("00-intensity.png"), json.toString());
    }

    // ---- Hostile files

    @Test
    void aFileThatIsNoContainerFails() throws IOException {
        assertEquals(1, Cli.run("gendc", file(new byte[200])).exitCode());
    }

    @Test
    void aFileThatIsNoContainerSaysSoAsJson() throws IOException {
        JsonNode json = Cli.run("gendc", "--json", file(new byte[200])).json();
        assertFalse(json.get("usable").asBoolean(), json.toString());
    }

    @Test
    void anEmptyFileFails() throws IOException {
        assertEquals(1, Cli.run("gendc", file(new byte[0])).exitCode());
    }

    @Test
    void aTornContainerFailsAndWritesNothingOfTheLostPart() throws IOException {
        byte[] whole = container();
        Cli result = Cli.run(
                "gendc", file(Arrays.copyOf(whole, whole.length - 1)), "--extract", folder(), "--convert", folder());
        assertEquals(1, result.exitCode());
        assertFalse(Files.exists(directory.resolve("out/00-0-intensity-Mono8.raw")));
        assertFalse(Files.exists(directory.resolve("out/00-intensity.png")));
    }

    @Test
    void anyDamageEndsWithAnExitCodeAndAMessage() throws IOException {
        Random random = new Random(4);
        for (int round = 0; round < 100; round++) {
            byte[] damaged = container();
            for (int i = 0; i < 3; i++) {
                damaged[random.nextInt(damaged.length - 8)] = (byte) random.nextInt();
            }
            Cli result = Cli.run(
                    "gendc", file(damaged), "--extract", folder(), "--convert", folder(), "--to", "png,tiff,ply,pcd");
            assertFalse(result.err().contains("Exception"), result.err());
            assertTrue(result.exitCode() <= 1, result.err());
        }
    }

    @Test
    void hugeSizesMakeNoRoom() throws IOException {
        byte[] huge = container();
        ByteBuffer bytes = ByteBuffer.wrap(huge).order(ByteOrder.LITTLE_ENDIAN);
        // Container header 64, component header 56; SizeX and SizeY are 40 bytes into the part header.
        bytes.putInt(64 + 56 + 40, Integer.MAX_VALUE).putInt(64 + 56 + 44, Integer.MAX_VALUE);
        Cli result = Cli.run("gendc", file(huge), "--convert", folder());
        assertEquals(1, result.exitCode());
    }

    // ---- Wrong command lines

    @Test
    void twoScalesAreAUsageError() throws IOException {
        assertEquals(2, Cli.run("gendc", file(container()), "--scale", "1,2").exitCode());
    }

    @Test
    void anUnknownFormatIsAUsageError() throws IOException {
        assertEquals(2, Cli.run("gendc", file(container()), "--to", "gif").exitCode());
    }

    @Test
    void noFileIsAUsageError() {
        assertEquals(2, Cli.run("gendc").exitCode());
    }
}
