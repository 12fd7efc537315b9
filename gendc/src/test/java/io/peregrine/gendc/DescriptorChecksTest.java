package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gendc.GenDcProblem.Severity;
import io.peregrine.testing.RawContainer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each check with the smallest container that fails it: a Mono8 image of 4 by 2 pixels, written down by hand. */
class DescriptorChecksTest {
    private static final int COMPONENT = 64;
    private static final int PART = 120;

    private static final String GOOD =
            // Container header: signature, 1.1.0, type, flags, size, id, variable fields, data size and offset.
            "474E4443 01010000 0010 0000 40000000 0700000000000000 0000 000000000000"
                    + "0800000000000000 B000000000000000 B0000000 01000000 4000000000000000"
                    // Component header: type, flags, size, group, source, region, offsets, time, type id, format.
                    + "0020 0000 38000000 0000 0000 0000 0000 00000000 00000000 0500000000000000"
                    + "0100000000000000 01000801 0000 0100 7800000000000000"
                    // Part header: type, flags, size, format, flow, flow offset, data size, data offset, geometry.
                    + "0042 0000 38000000 01000801 0000 0000 B000000000000000 0800000000000000 B000000000000000"
                    + "04000000 02000000 0000 0000 00000000"
                    + "0001020304050607";

    private static ByteBuffer with(Consumer<ByteBuffer> change) {
        ByteBuffer bytes =
                ByteBuffer.wrap(HexFormat.of().parseHex(GOOD.replace(" ", ""))).order(ByteOrder.LITTLE_ENDIAN);
        change.accept(bytes);
        return bytes;
    }

    private static List<GenDcProblem> problems(Consumer<ByteBuffer> change) {
        return GenDcContainer.parse(with(change)).problems();
    }

    private static void assertOnlyWarning(String text, Consumer<ByteBuffer> change) {
        List<GenDcProblem> found = problems(change);
        assertEquals(1, found.size(), found::toString);
        assertEquals(Severity.WARNING, found.get(0).severity());
        assertTrue(found.get(0).text().contains(text), found::toString);
    }

    private static void assertPartRejected(String text, Consumer<ByteBuffer> change) {
        GenDcContainer container = GenDcContainer.parse(with(change));
        GenDcPart part = container.components().get(0).parts().get(0);
        assertFalse(part.usable());
        assertTrue(
                container.problems().stream()
                        .anyMatch(p -> p.severity() == Severity.PART_REJECTED
                                && p.text().contains(text)),
                container::toString);
        assertThrows(GenDcException.class, () -> container.data(part));
    }

    @Test
    void acceptsTheGoodOne() {
        assertEquals(List.of(), problems(bytes -> {}));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0x42, 1, instead of the signature",
        "4, 2, 1, version 2",
        "9, 0x20, 1, Header type of the container",
        "12, 63, 4, Container header of 63",
        "12, 177, 4, Container header of 177",
        "48, 55, 4, Descriptor of 55",
        "48, 185, 4, Descriptor of 185",
        "48, -1, 4, Descriptor of 4294967295",
        "52, 2, 4, 2 components",
        "52, -1, 4, 4294967295 components",
        "56, -1, 8, component 0 at -1",
        "56, 176, 8, component 0 at 176",
        "56, 9223372036854775807, 8, component 0 at 9223372036854775807",
        "64, 0x2001, 2, Header type of component 0",
        "68, 55, 4, Header of component 0 with 55",
        "68, 113, 4, Header of component 0 with 113",
        "110, 2, 2, 2 parts",
        "112, 137, 8, part 0 at 137",
        "112, -8, 8, part 0 at -8",
        "124, 39, 4, part 0 with 39",
        "124, 57, 4, part 0 with 57",
        "32, -1, 8, beyond 63 bits",
        "40, -1, 8, beyond 63 bits",
        "40, 9223372036854775807, 8, beyond 63 bits"
    })
    void rejectsTheContainer(int offset, String value, int width, String message) {
        ByteBuffer bytes = with(b -> put(b, offset, Long.decode(value), width));

        GenDcException thrown = assertThrows(GenDcException.class, () -> GenDcContainer.parse(bytes));
        assertTrue(thrown.getMessage().contains(message), thrown::getMessage);
        assertThrows(GenDcException.class, () -> GenDcDescriptor.parse(bytes.limit(176)));
    }

    private static void put(ByteBuffer bytes, int offset, long value, int width) {
        switch (width) {
            case 1 -> bytes.put(offset, (byte) value);
            case 2 -> bytes.putShort(offset, (short) value);
            case 4 -> bytes.putInt(offset, (int) value);
            default -> bytes.putLong(offset, value);
        }
    }

    @Test
    void rejectsWhatIsTooShortForAHeader() {
        assertThrows(GenDcException.class, () -> GenDcContainer.parse(with(b -> b.limit(55))));
        assertThrows(GenDcException.class, () -> GenDcContainer.parse(ByteBuffer.allocate(0)));
    }

    @Test
    void rejectsHeadersThatCanOnlyBeThereByOverlap() {
        int count = 1000;
        ByteBuffer bytes = ByteBuffer.allocate(56 + 8 * count + 64).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(with(b -> {}).limit(64)).clear();
        bytes.putInt(12, 56 + 8 * count).putInt(48, bytes.limit()).putInt(52, count);
        for (int i = 0; i < count; i++) {
            bytes.putLong(56 + 8 * i, 56 + 8 * count);
        }

        GenDcException thrown = assertThrows(GenDcException.class, () -> GenDcDescriptor.parse(bytes));
        assertTrue(thrown.getMessage().contains("without overlap"), thrown::getMessage);
    }

    @Test
    void rejectsAPartWhoseDataIsNotThere() {
        assertPartRejected("beyond the 184 bytes", b -> b.putLong(PART + 32, 177));
        assertPartRejected("not possible", b -> b.putLong(PART + 32, -1));
        assertPartRejected("not possible", b -> b.putLong(PART + 24, -1));
        assertPartRejected("not possible", b -> b.putLong(PART + 24, Long.MAX_VALUE));
        assertPartRejected("of a flow is not possible", b -> b.putLong(PART + 16, -1));
    }

    @Test
    void rejectsAPartThatIsTooSmallForItsGeometry() {
        assertPartRejected("need 12 bytes, DataSize is 8", b -> b.putInt(PART + 44, 3));
        assertPartRejected(
                "pixels are beyond 63 bits", b -> b.putInt(PART + 40, -1).putInt(PART + 44, -1));
    }

    @Test
    void rejectsAPartWhoseHeaderHasNoRoomForItsGeometry() {
        assertPartRejected("no room for the geometry", b -> b.putInt(PART + 4, 48));
        assertPartRejected("no room for the size", b -> b.putShort(PART, (short) 0x4100));
    }

    @Test
    void warnsOfWhatCanBeLivedWith() {
        assertOnlyWarning("reserved bits", b -> b.put(7, (byte) 1));
        assertOnlyWarning("reserved bits", b -> b.putShort(10, (short) 4));
        assertOnlyWarning("reserved bits", b -> b.putShort(26, (short) 1));
        assertOnlyWarning("reserved bits", b -> b.putShort(COMPONENT + 8, (short) 1));
        assertOnlyWarning("reserved flags", b -> b.putShort(PART + 2, (short) 1));
        assertOnlyWarning("FlowOffset 0 in flow 0", b -> b.putLong(PART + 16, 0));
        assertOnlyWarning("flag ComponentInvalid is not set", b -> b.putShort(COMPONENT + 2, (short) 1));
        assertOnlyWarning("negative", b -> b.putLong(COMPONENT + 24, -5));
        assertOnlyWarning("group id 0xF001 is reserved", b -> b.putShort(COMPONENT + 10, (short) 0xF001));
        assertOnlyWarning("is not that of its component", b -> b.putInt(COMPONENT + 40, 0x01080009));
        assertOnlyWarning("need 4 bytes, DataSize is 8", b -> b.putInt(PART + 44, 1));
        assertOnlyWarning(
                "an image has the format Data8",
                b -> b.putInt(COMPONENT + 40, 0x01080116).putInt(PART + 8, 0x01080116));
        assertOnlyWarning("flow 1 is not used, but flow 2 is", b -> b.putShort(PART + 14, (short) 2));
        assertOnlyWarning("is not DescriptorSize", b -> b.putLong(40, 175).putLong(32, 9));
        assertOnlyWarning("beyond the container's end", b -> b.putLong(32, 7));
        assertOnlyWarning("the container has 185 bytes, only 184 are there", b -> b.putLong(32, 9));
    }

    @Test
    void warnsOfPartsThatOverlapOrLieInTheDescriptor() {
        GenDcContainer container = GenDcContainer.parse(RawContainer.begin(1, 0, 1, 0, 8, 240, 64)
                .component(64, 0, 1, 0x01080001, 128, 184)
                .part(128, 0x4200, 56, 0x01080001, 4, 243)
                .image(2, 2, 0, 0)
                .part(184, 0x4200, 56, 0x01080001, 4, 240)
                .image(2, 2, 0, 0)
                .count(0, 8)
                .end(248));

        assertEquals(
                List.of("WARNING component 0 part 0: data at 243 overlaps that of another part"),
                container.problems().stream().map(GenDcProblem::toString).toList());
        assertOnlyWarning(
                "overlaps the descriptor", b -> b.putLong(PART + 16, 170).putLong(PART + 32, 170));
    }

    @Test
    void warnsOfAFlowThatIsNotOneRunOfTheContainer() {
        GenDcContainer container = GenDcContainer.parse(RawContainer.begin(1, 0, 1, 0, 12, 304, 64)
                .component(64, 0, 1, 0x01080001, 136, 192, 248)
                .part(136, 0x4200, 56, 0x01080001, 4, 304)
                .image(2, 2, 0, 0)
                .part(192, 0x4200, 0, 56, 0x01080001, 1, 0, 4, 308)
                .image(2, 2, 0, 0)
                .part(248, 0x4200, 0, 56, 0x01080001, 1, 5, 4, 312)
                .image(2, 2, 0, 0)
                .count(0, 12)
                .end(316));

        assertEquals(
                List.of("WARNING component 0 part 2: flow 1 begins at 307 by this part, at 308 by an earlier one"),
                container.problems().stream().map(GenDcProblem::toString).toList());
    }

    @Test
    void warnsOfMetadataThatIsNotBytes() {
        GenDcContainer container = GenDcContainer.parse(RawContainer.begin(1, 0, 1, 0, 4, 184, 64)
                .component(64, 0, 1, 0x01080001, 120)
                .part(120, 0x4000, 64, 0x01080001, 4, 184)
                .array(4, 0, 0)
                .count(0, 4)
                .end(188));

        assertEquals(
                List.of(
                        "WARNING component 0 part 0: is metadata in a component of another type",
                        "WARNING component 0 part 0: a part of metadata has the format Mono8, not Data8"),
                container.problems().stream().map(GenDcProblem::toString).toList());
    }

    @Test
    void rejectsAnH264PartWithoutRoomForItsParameters() {
        assertPartRejected("no room for the H.264 parameters", b -> b.putShort(PART, (short) 0x4203));
    }

    @Test
    void rejectsADescriptorLargerThanAnyDeviceNeeds() {
        int size = (16 << 20) + 8;
        ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(with(b -> {})).putInt(48, size).clear();

        GenDcException thrown = assertThrows(GenDcException.class, () -> GenDcDescriptor.parse(bytes));
        assertTrue(thrown.getMessage().contains("larger than 16777216"), thrown::getMessage);
    }

    @Test
    void makesNoFlowTableOfFlowIdsThatAreMostlyHoles() {
        GenDcDescriptor descriptor = GenDcDescriptor.parse(with(b -> b.putShort(PART + 14, (short) 0xFFFF)));

        assertThrows(GenDcException.class, descriptor::flowTable);
    }

    @Test
    void skipsTypesItDoesNotKnow() {
        List<GenDcProblem> component = problems(b -> b.putLong(COMPONENT + 32, 77));
        List<GenDcProblem> part = problems(b -> b.putShort(PART, (short) 0x4E00));

        assertEquals(
                "SKIPPED component 0: type id 0x4d is not known",
                component.get(0).toString());
        assertEquals(
                "SKIPPED component 0 part 0: part type 0x4E00 is not known",
                part.get(0).toString());
    }

    @Test
    void acceptsLinesThatRunOn() {
        // 5 x 3 pixels of Mono10p: 150 bits are 19 bytes, against 21 with lines that end on a byte.
        ByteBuffer bytes = ByteBuffer.allocate(176 + 19).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(with(b -> b.putInt(COMPONENT + 40, 0x010A0046)
                        .putInt(PART + 8, 0x010A0046)
                        .putInt(PART + 40, 5)
                        .putInt(PART + 44, 3)
                        .putLong(PART + 24, 19)
                        .putLong(32, 19)
                        .limit(176)))
                .clear();

        assertEquals(List.of(), GenDcContainer.parse(bytes).problems());
    }

    @Test
    void acceptsFirmwareWithHeadersLargerThanNeeded() {
        // A reference design reuses the template of three parts: component header 72 instead of 56, descriptor 200.
        ByteBuffer bytes = ByteBuffer.allocate(208).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer good = with(b -> {});
        bytes.put(0, good, 0, 120).put(136, good, 120, 56);
        bytes.putLong(40, 200).putInt(48, 200);
        bytes.putInt(COMPONENT + 4, 72).putLong(COMPONENT + 48, 136);
        bytes.putLong(136 + 16, 200).putLong(136 + 32, 200);

        GenDcContainer container = GenDcContainer.parse(bytes);

        assertTrue(container.components().get(0).parts().get(0).usable());
        assertEquals(2, container.problems().size());
        assertTrue(container.problems().stream().allMatch(p -> p.severity() == Severity.WARNING));
    }

    @Test
    void doesNotMoveThePositionOfWhatItReads() {
        ByteBuffer bytes = ByteBuffer.allocate(200);
        bytes.position(16);
        bytes.put(with(b -> {})).position(16);

        GenDcContainer container = GenDcContainer.parse(bytes);

        assertEquals(16, bytes.position());
        assertEquals(
                7, container.data(container.components().get(0).parts().get(0)).get(7));
    }

    @Test
    void printsEverything() {
        assertEquals("""
                GenDC 1.1.0 id=7 flags=0x0000 headerSize=64 variableFields=0x0000 dataSize=8 dataOffset=176 \
                descriptorSize=176 components=1
                  [0] Component INTENSITY @64 typeId=0x1 format=Mono8 flags=0x0000 headerSize=56 \
                groupId=0 sourceId=0 regionId=0 regionOffset=0,0 timestamp=5 parts=1
                    [0] Part 2D @120 format=Mono8 flags=0x0000 headerSize=56 flowId=0 flowOffset=176 dataSize=8 \
                dataOffset=176 size=4x2 padding=0,0""", GenDcContainer.parse(with(b -> {})).toString());
    }
}
