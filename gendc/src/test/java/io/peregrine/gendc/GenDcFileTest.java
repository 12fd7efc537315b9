package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.testing.RawContainer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenDcFileTest {
    @TempDir
    private Path folder;

    private static byte[] twoImages() {
        return RawContainer.begin(1, 0, 7, 0, 8, 296, 72, 184)
                .component(72, 0, 1, 0x01080001, 128)
                .part(128, 0x4200, 0, 56, 0x01080001, 0, 296, 4, 296)
                .image(2, 2, 0, 0)
                .component(184, 0, 2, 0x01080001, 240)
                .part(240, 0x4200, 0, 56, 0x01080001, 1, 0, 4, 300)
                .image(2, 2, 0, 0)
                .count(1, 8)
                .end(304)
                .array();
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("container.gendc"), bytes);
    }

    private List<Path> files() throws IOException {
        try (var found = Files.list(folder)) {
            return found.toList();
        }
    }

    @Test
    void loadsWhatAFileHolds() throws IOException {
        GenDcContainer container = GenDcContainer.load(file(twoImages()));

        assertEquals(7, container.id());
        assertEquals(
                5, container.data(container.components().get(1).parts().get(0)).get(0));
    }

    @Test
    void savesALinearContainerAsItIs() throws IOException {
        Path file = folder.resolve("saved.gendc");

        GenDcContainer.parse(ByteBuffer.wrap(twoImages())).save(file);

        assertArrayEquals(twoImages(), Files.readAllBytes(file));
        assertEquals(List.of(file), files());
    }

    @Test
    void savesAContainerInFlowsAsOneRun() throws IOException {
        Path file = file(new byte[3]);
        ByteBuffer all = ByteBuffer.wrap(twoImages());

        GenDcContainer.parseFlows(List.of(all.slice(0, 300), all.slice(300, 4)), CheckMode.STRICT)
                .save(file);

        assertArrayEquals(twoImages(), Files.readAllBytes(file));
    }

    /** A container of 424 bytes, of which the last component, which is invalid, leaves 64 without a part. */
    private static byte[] endsWithAnInvalidComponent() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .component(
                        component -> component.typeId(1).format(PfncCodes.MONO8).part2d(part -> part.size(16, 4)))
                .component(component -> component
                        .typeId(6)
                        .format(PfncCodes.MONO8)
                        .invalid(true)
                        .part2d(part -> part.size(16, 4)))
                .build();
        return Arrays.copyOf(descriptor.toBytes(), 424);
    }

    @Test
    void aSavedContainerIsAsLongAsItsDescriptorSays() throws IOException {
        Path file = folder.resolve("saved.gendc");

        GenDcContainer.parse(ByteBuffer.wrap(endsWithAnInvalidComponent()), CheckMode.STRICT)
                .save(file);

        assertDoesNotThrow(() -> GenDcContainer.load(file, 424, CheckMode.STRICT));
    }

    @Test
    void bytesBehindTheLastPartAreSavedAsTheyAre() throws IOException {
        Path file = folder.resolve("saved.gendc");
        byte[] bytes = endsWithAnInvalidComponent();
        bytes[423] = 9;

        GenDcContainer.parse(ByteBuffer.wrap(bytes)).save(file);

        assertArrayEquals(bytes, Files.readAllBytes(file));
    }

    @Test
    void bytesBehindTheContainerAreNotSaved() throws IOException {
        Path file = folder.resolve("saved.gendc");

        GenDcContainer.parse(ByteBuffer.wrap(Arrays.copyOf(twoImages(), 400))).save(file);

        assertArrayEquals(twoImages(), Files.readAllBytes(file));
    }

    @Test
    void aContainerInFlowsIsSavedAsLongAsItsDescriptorSays() throws IOException {
        Path file = folder.resolve("saved.gendc");
        byte[] bytes = endsWithAnInvalidComponent();

        GenDcContainer.parseFlows(List.of(ByteBuffer.wrap(bytes, 0, 360)), CheckMode.STRICT)
                .save(file);

        assertArrayEquals(bytes, Files.readAllBytes(file));
    }

    @Test
    void aLinearContainerWithoutItsPaddingIsSavedWithIt() throws IOException {
        Path file = folder.resolve("saved.gendc");
        byte[] bytes = endsWithAnInvalidComponent();

        GenDcContainer.parse(ByteBuffer.wrap(bytes, 0, 360)).save(file);

        assertArrayEquals(bytes, Files.readAllBytes(file));
    }

    @Test
    void aPartThatIsNotThereIsNotSavedAsZeros() throws IOException {
        Path file = folder.resolve("saved.gendc");
        byte[] torn = Arrays.copyOf(twoImages(), 302);

        GenDcContainer.parse(ByteBuffer.wrap(torn)).save(file);

        assertArrayEquals(torn, Files.readAllBytes(file));
    }

    @Test
    void aFlowThatIsNotThereIsNotSavedAsZeros() throws IOException {
        Path file = folder.resolve("saved.gendc");
        byte[] first = Arrays.copyOf(twoImages(), 300);

        GenDcContainer.parseFlows(List.of(ByteBuffer.wrap(first)), CheckMode.TOLERANT)
                .save(file);

        assertArrayEquals(first, Files.readAllBytes(file));
    }

    /** The first flow, and after the second, which has the planes 2 and 3 of a component, more data of the first. */
    private static List<ByteBuffer> planesOfAnotherFlowBetween(int bytesOfTheSecond) {
        byte[] all = RawContainer.begin(1, 0, 7, 0, 12, 360, 72, 248)
                .component(72, 0, 1, 0x01080001, 136, 192)
                .part(136, 0x4200, 0, 56, 0x01080001, 1, 0, 4, 360)
                .image(2, 2, 0, 0)
                .part(192, 0x4200, 0, 56, 0x01080001, 1, 4, 4, 364)
                .image(2, 2, 0, 0)
                .component(248, 0, 2, 0x01080001, 304)
                .part(304, 0x4200, 0, 56, 0x01080001, 0, 368, 4, 368)
                .image(2, 2, 0, 0)
                .zerosTo(368)
                .count(9, 4)
                .end(372)
                .array();
        return List.of(ByteBuffer.wrap(all), ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 0, bytesOfTheSecond));
    }

    private GenDcContainer savedAndLoaded(List<ByteBuffer> flows) throws IOException {
        Path file = folder.resolve("saved.gendc");
        GenDcContainer.parseFlows(flows, CheckMode.TOLERANT).save(file);
        return GenDcContainer.load(file, 1000, CheckMode.STRICT);
    }

    @Test
    void aComponentThatMissesAPartBeforeOthersIsSavedAsInvalid() throws IOException {
        GenDcContainer loaded = savedAndLoaded(planesOfAnotherFlowBetween(6));

        assertEquals(
                List.of(true, false),
                loaded.components().stream().map(GenDcComponent::invalid).toList());
    }

    @Test
    void aComponentThatMissesNoPartIsSavedAsValid() throws IOException {
        assertFalse(savedAndLoaded(planesOfAnotherFlowBetween(8)).descriptor().componentInvalid());
    }

    /** The flows of {@link #twoImages()}, of which the second belongs to another place of the container. */
    private void isNotSavedWithSecondFlowAt(long place, String refusal) {
        byte[] bytes = twoImages();
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(240 + 32, place);
        ByteBuffer all = ByteBuffer.wrap(bytes);
        GenDcContainer container =
                GenDcContainer.parseFlows(List.of(all.slice(0, 300), all.slice(300, 4)), CheckMode.TOLERANT);
        GenDcException thrown = assertThrows(GenDcException.class, () -> container.save(folder.resolve("saved.gendc")));
        assertEquals(refusal, thrown.getMessage());
    }

    @Test
    void aPartOfAFlowThatLiesOnOthersInOneRunIsRefused() {
        isNotSavedWithSecondFlowAt(
                298, "Part 0 of component 0 lies on other data in the linear container: it cannot be put together");
    }

    @Test
    void aPartOfAFlowThatLiesInTheDescriptorInOneRunIsRefused() {
        isNotSavedWithSecondFlowAt(
                0, "Part 0 of component 1 lies on other data in the linear container: it cannot be put together");
    }

    @Test
    void noMoreZerosAreSavedThanDoNoHarm() throws IOException {
        Path file = folder.resolve("saved.gendc");
        byte[] bytes = twoImages();
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(32, Long.MAX_VALUE - 296);

        GenDcContainer.parse(ByteBuffer.wrap(bytes)).save(file);

        assertArrayEquals(bytes, Files.readAllBytes(file));
    }

    @Test
    void aSavedFileMayBeReadByThoseWhoMayReadOthers() throws IOException {
        assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"));
        Path file = folder.resolve("saved.gendc");
        Path other = Files.createFile(folder.resolve("other"));

        GenDcContainer.parse(ByteBuffer.wrap(twoImages())).save(file);

        assertEquals(Files.getPosixFilePermissions(other), Files.getPosixFilePermissions(file));
    }

    @Test
    void leavesNothingBehindWhenAFileCannotBeWritten() throws IOException {
        Path taken = Files.createDirectory(folder.resolve("taken"));
        Path inside = Files.createFile(taken.resolve("file"));
        GenDcContainer container = GenDcContainer.parse(ByteBuffer.wrap(twoImages()));

        assertThrows(IOException.class, () -> container.save(folder.resolve("none/file")));
        assertThrows(IOException.class, () -> container.save(taken));
        assertEquals(List.of(taken), files());
        assertTrue(Files.exists(inside));
    }

    @Test
    void readsThePartsThatATornFileStillHas() throws IOException {
        GenDcContainer container = GenDcContainer.load(file(Arrays.copyOf(twoImages(), 301)));

        assertTrue(container.components().get(0).parts().get(0).usable());
        assertFalse(container.components().get(1).parts().get(0).usable());
    }

    @Test
    void readsNoMoreThanTheContainer() throws IOException {
        byte[] bytes = Arrays.copyOf(twoImages(), 100_000);

        GenDcContainer container = GenDcContainer.load(file(bytes), 304, CheckMode.STRICT);

        assertEquals(304, container.containerSizeBytes());
    }

    @Test
    void allocatesNoMoreThanItMay() throws IOException {
        Path file = file(twoImages());

        GenDcException thrown =
                assertThrows(GenDcException.class, () -> GenDcContainer.load(file, 303, CheckMode.TOLERANT));
        assertTrue(thrown.getMessage().contains("has 304 bytes; no more than 303"), thrown::getMessage);
    }

    @Test
    void allocatesNoMoreThanTheFileHasWhateverItsHeaderSays() throws IOException {
        byte[] bytes = twoImages();
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(32, Long.MAX_VALUE - 296);

        GenDcContainer container = GenDcContainer.load(file(bytes));

        assertEquals(Long.MAX_VALUE, container.containerSizeBytes());
        assertTrue(container.components().get(1).parts().get(0).usable());
    }

    @Test
    void refusesWhatIsNoContainer() throws IOException {
        Path file = file(new byte[500]);
        Path empty = Files.createFile(folder.resolve("empty"));

        assertThrows(GenDcException.class, () -> GenDcContainer.load(file));
        assertThrows(GenDcException.class, () -> GenDcContainer.load(empty));
        assertThrows(GenDcException.class, () -> GenDcContainer.load(folder));
        assertThrows(GenDcException.class, () -> GenDcContainer.load(folder.resolve("nothing")));
    }
}
