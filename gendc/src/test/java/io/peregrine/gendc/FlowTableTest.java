package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.testing.RawContainer;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowTableTest {

    @Test
    void readsWhatFollowsTheStandard() {
        byte[] bytes = HexFormat.of().parseHex("00700000180000000100000001000000" + "0010000000000000");

        assertArrayEquals(
                new long[] {4096}, FlowTable.parse(ByteBuffer.wrap(bytes)).flowSizes());
        assertArrayEquals(bytes, FlowTable.of(4096).toBytes());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0070000018000000010000000100000",
                "00710000180000000100000001000000" + "0010000000000000",
                "00700000180000000200000001000000" + "0010000000000000",
                "00700000180000000100000000000000" + "0010000000000000",
                "00700000180000000100000002000000" + "0010000000000000",
                "007000001800000001000000FFFFFFFF" + "0010000000000000",
                "00700000200000000100000001000000" + "0010000000000000",
                "00700000180000000100000001000000" + "00100000000000FF"
            })
    void rejectsWhatDoesNot(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.length() % 2 == 0 ? hex : hex.substring(1));

        assertThrows(GenDcException.class, () -> FlowTable.parse(ByteBuffer.wrap(bytes)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00700100180000000100000001000000" + "0010000000000000",
                "00700000180000000101000001000000" + "0010000000000000",
                "00700000180000000100010001000000" + "0010000000000000",
                "00700000200000000100000001000000" + "0010000000000000" + "0000000000000000"
            })
    void readsWhatBendsTheStandardUnlessInStrictMode(String hex) {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));

        assertEquals(4096, FlowTable.parse(bytes).flowSize(0));
        assertThrows(GenDcException.class, () -> FlowTable.parse(bytes, CheckMode.STRICT));
    }

    @Test
    void findsPartsThatHaveNoPlaceInTheFlows() {
        GenDcDescriptor descriptor = GenDcDescriptor.parse(RawContainer.begin(1, 0, 1, 0, 8, 296, 72, 184)
                .component(72, 0, 1, 0x01080001, 128)
                .part(128, 0x4200, 0, 56, 0x01080001, 0, 296, 4, 296)
                .image(2, 2, 0, 0)
                .component(184, 0, 2, 0x01080001, 240)
                .part(240, 0x4200, 0, 56, 0x01080001, 1, 0, 4, 300)
                .image(2, 2, 0, 0)
                .end(296));

        assertEquals(List.of(), FlowTable.of(300, 4).check(descriptor));
        assertEquals(List.of(), FlowTable.of(2400, 32, 1).check(descriptor));
        assertEquals(
                List.of(
                        "WARNING container: the descriptor of 296 bytes does not fit flow 0 of 295 bytes",
                        "WARNING component 0 part 0: data of 4 bytes at 296 does not fit flow 0 of 295 bytes",
                        "WARNING component 1 part 0: is in flow 1, there are 1 flows"),
                FlowTable.of(295).check(descriptor).stream()
                        .map(GenDcProblem::toString)
                        .toList());
    }
}
