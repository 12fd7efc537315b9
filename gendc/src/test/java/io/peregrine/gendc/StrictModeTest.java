package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gendc.GenDcProblem.Severity;
import io.peregrine.testing.RawContainer;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The four severities, as a user sees them. */
class StrictModeTest {
    private static final int MONO8 = 0x01080001;

    private static ByteBuffer image(int variableFields) {
        return RawContainer.begin(1, 0, 1, variableFields, 4, 176, 64)
                .component(64, 0, 1, MONO8, 120)
                .part(120, 0x4200, 56, MONO8, 4, 176)
                .image(2, 2, 0, 0)
                .count(0, 4)
                .end(180);
    }

    private static void assertThrownStrictly(Severity severity, ByteBuffer bytes) {
        GenDcContainer.parse(bytes);
        GenDcException thrown = assertThrows(GenDcException.class, () -> GenDcContainer.parse(bytes, CheckMode.STRICT));
        assertEquals(severity, thrown.problems().get(0).severity());
        assertThrows(GenDcException.class, () -> new GenDcReader(CheckMode.STRICT).read(bytes));
    }

    @Test
    void throwsForWarningsAndRejectedParts() {
        GenDcContainer.parse(image(0), CheckMode.STRICT);
        assertThrownStrictly(Severity.WARNING, image(0).put(7, (byte) 1));
        assertThrownStrictly(Severity.PART_REJECTED, image(0).putInt(164, 3));
    }

    @Test
    void skipsUnknownTypesInStrictModeToo() {
        ByteBuffer bytes = image(0).putShort(120, (short) 0x4E01);

        assertEquals(1, GenDcContainer.parse(bytes, CheckMode.STRICT).problems().size());
    }

    @Test
    void warnsOfDescriptorsThatCannotBeWhatTheyCameAs() {
        assertKind("final descriptor has VariableFields 0x0001", GenDcDescriptor.Kind.FINAL, 1);
        assertKind("without VariableFields is final", GenDcDescriptor.Kind.PRELIMINARY, 0);
        assertKind("only in a prefetch descriptor", GenDcDescriptor.Kind.PRELIMINARY, 0x10);
        assertEquals(List.of(), problems(GenDcDescriptor.Kind.PREFETCH, 0x10));
        assertEquals(List.of(), problems(GenDcDescriptor.Kind.PREFETCH, 0));
        assertEquals(List.of(), problems(GenDcDescriptor.Kind.PRELIMINARY, 1));
        assertEquals(List.of(), problems(GenDcDescriptor.Kind.FINAL, 0));
    }

    private static List<GenDcProblem> problems(GenDcDescriptor.Kind kind, int variableFields) {
        return new GenDcReader().readDescriptor(image(variableFields), kind).problems();
    }

    private static void assertKind(String text, GenDcDescriptor.Kind kind, int variableFields) {
        List<GenDcProblem> found = problems(kind, variableFields);
        assertEquals(1, found.size(), found::toString);
        assertTrue(found.get(0).text().contains(text), found::toString);
        assertThrows(GenDcException.class, () -> GenDcDescriptor.parse(image(variableFields), kind, CheckMode.STRICT));
    }

    @Test
    void reportsAContainerWithoutThrowing() {
        GenDcReport good = GenDcReport.of(image(0));
        GenDcReport odd = GenDcReport.of(image(0).put(7, (byte) 1));
        GenDcReport unknown = GenDcReport.of(image(0).putLong(96, 77));
        GenDcReport damaged = GenDcReport.of(image(0).putInt(164, 3));
        GenDcReport nothing = GenDcReport.of(image(0).put(0, (byte) 0));

        assertEquals("follows GenDC 1.1", good.toString());
        assertTrue(good.strictlyConformant());
        assertEquals("usable\n  WARNING container: reserved bits are not 0", odd.toString());
        assertTrue(odd.usable());
        assertFalse(odd.strictlyConformant());
        assertEquals("follows GenDC 1.1\n  SKIPPED component 0: type id 0x4d is not known", unknown.toString());
        assertEquals(
                "usable but for some parts\n"
                        + "  PART_REJECTED component 0 part 0: 2x3 pixels of Mono8 need 6 bytes, DataSize is 4",
                damaged.toString());
        assertFalse(damaged.usable());
        assertEquals(
                "container rejected\n  CONTAINER_REJECTED container: No container: it begins with 0x43444e00 instead of"
                        + " the signature GNDC",
                nothing.toString());
        assertFalse(nothing.usable());
        assertTrue(nothing.container().isEmpty());
    }

    @Test
    void listsNoMoreThanAHundredProblemsOfASeverity() {
        int count = 150;
        long[] offsets = new long[count];
        int component = 56 + 8 * count;
        for (int i = 0; i < count; i++) {
            offsets[i] = component + 48L * i;
        }
        int size = component + 48 * count;
        ByteBuffer bytes = ByteBuffer.allocate(size);
        bytes.put(RawContainer.begin(1, 0, 1, 0, 0, size, offsets).end(component));
        for (int i = 0; i < count; i++) {
            bytes.put(RawContainer.begin(1, 0, 1, 0, 0, 0)
                    .component(56, 0, 1, MONO8)
                    .end(104)
                    .position(56));
        }

        GenDcDescriptor descriptor = GenDcDescriptor.parse(bytes.flip());

        assertEquals(101, descriptor.problems().size());
        assertEquals(150, descriptor.problemCount(Severity.WARNING));
        assertEquals(
                "WARNING container: and 50 more that are not listed",
                descriptor.problems().get(100).toString());
    }
}
