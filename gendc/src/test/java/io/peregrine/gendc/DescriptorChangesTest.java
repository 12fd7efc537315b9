package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.gendc.GenDcDescriptor.VariableField;
import io.peregrine.testing.RawContainer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a final descriptor may do differently from the one that announced it. */
class DescriptorChangesTest {
    private static final int COMPONENT = 72;
    private static final int PART = 128;

    private static GenDcDescriptor descriptor(int variableFields, Consumer<ByteBuffer> change) {
        ByteBuffer bytes = RawContainer.begin(1, 2, 1, variableFields, 32, 296, 72, 184)
                .component(72, 0, 1, 0x01080001, 128)
                .part(128, 0x4200, 56, 0x01080001, 16, 296)
                .image(4, 4, 0, 0)
                .component(184, 0, 2, 0x01080001, 240)
                .part(240, 0x4200, 56, 0x01080001, 16, 312)
                .image(4, 4, 0, 0)
                .end(296);
        change.accept(bytes);
        return GenDcDescriptor.parse(bytes);
    }

    private static List<String> changes(int variableFields, Consumer<ByteBuffer> change) {
        return descriptor(0, change).changesFrom(descriptor(variableFields, b -> {})).stream()
                .map(GenDcProblem::toString)
                .toList();
    }

    @Test
    void findsNothingWhereNothingChanged() {
        assertEquals(List.of(), changes(0, b -> {}));
    }

    @ParameterizedTest
    @CsvSource({
        "DATA_SIZE, 128, 24, 8, 8",
        "SIZE_X, 128, 40, 4, 3",
        "SIZE_X, 128, 48, 2, 1",
        "SIZE_Y, 128, 44, 4, 3",
        "SIZE_Y, 128, 50, 2, 1",
        "REGION_OFFSET, 72, 16, 4, 9",
        "REGION_OFFSET, 72, 20, 4, 9",
        "FORMAT, 72, 40, 4, 17825799",
        "FORMAT, 128, 8, 4, 17825799",
        "TIMESTAMP, 72, 24, 8, 77",
        "COMPONENT_INVALID, 72, 2, 2, 1",
        "COMPONENT_COUNT, 0, 52, 4, 1"
    })
    void allowsOnlyWhatWasAnnounced(VariableField field, int header, int at, int width, int value) {
        Consumer<ByteBuffer> change = bytes -> {
            switch (width) {
                case 2 -> bytes.putShort(header + at, (short) value);
                case 4 -> bytes.putInt(header + at, value);
                default -> bytes.putLong(header + at, value);
            }
        };

        assertEquals(List.of(), changes(field.bit(), change));
        assertEquals(1, changes(0xFF & ~field.bit(), change).size());
    }

    @Test
    void neverAllowsMoreThanWasAnnounced() {
        assertEquals(
                List.of("WARNING component 0 part 0: SizeY is 5, no more than 4 was announced"),
                changes(0xFF, b -> b.putInt(PART + 44, 5)));
        assertEquals(
                List.of("WARNING component 0 part 0: DataSize is 17, no more than 16 was announced"),
                changes(0xFF, b -> b.putLong(PART + 24, 17)));
        assertEquals(
                List.of("WARNING container: the container has 329 bytes, 328 were announced"),
                changes(0xFF, b -> b.putLong(32, 33)));
    }

    @Test
    void neverAllowsOffsetsAndIdsToChange() {
        assertEquals(
                List.of(
                        "WARNING component 0 part 0: FlowOffset is 298, 296 was announced and may not change",
                        "WARNING component 0 part 0: DataOffset is 300, 296 was announced and may not change"),
                changes(0xFF, b -> b.putLong(PART + 16, 298).putLong(PART + 32, 300)));
        assertEquals(
                List.of("WARNING component 0: TypeId is 6, 1 was announced and may not change"),
                changes(0xFF, b -> b.putLong(COMPONENT + 32, 6)));
        assertEquals(
                List.of("WARNING component 0: SourceId is 6, 0 was announced and may not change"),
                changes(0xFF, b -> b.putShort(COMPONENT + 12, (short) 6)));
    }

    @Test
    void acceptsAnInvalidComponentWithoutData() {
        assertEquals(
                List.of(),
                changes(
                        VariableField.COMPONENT_INVALID.bit(),
                        b -> b.putShort(COMPONENT + 2, (short) 1).putLong(PART + 24, 0)));
    }
}
