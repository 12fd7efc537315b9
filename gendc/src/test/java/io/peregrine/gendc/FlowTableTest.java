package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.HexFormat;
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
}
