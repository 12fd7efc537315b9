package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsumerReportTest {
    /** By the documentation's table. */
    private static final String WRITTEN = "50474352 01 01 0300 07000000 08000000 3930 0a00 64000000"
            + "0100000000000000 0200000000000000 0300000000000000 0400000000000000 0500000000000000 0600000000000000"
            + "0700000000000000";

    private static final ConsumerReport REPORT =
            new ConsumerReport(false, true, true, 7, 8, 12345, 10, 100, 1, 2, 3, 4, 5, 6, 7);

    private static UnsafeBuffer hex(String text) {
        return new UnsafeBuffer(HexFormat.of().parseHex(text.replace(" ", "")));
    }

    @Test
    void aReportIsReadAsItIsDocumented() {
        UnsafeBuffer bytes = hex(WRITTEN);
        assertEquals(Optional.of(REPORT), ConsumerReport.parse(bytes, 0, bytes.capacity()));
    }

    @Test
    void aReportIsWrittenAsItIsDocumented() {
        UnsafeBuffer to = new UnsafeBuffer(new byte[ConsumerReport.SIZE_BYTES]);
        REPORT.put(to);
        assertArrayEquals(hex(WRITTEN).byteArray(), to.byteArray());
    }

    @Test
    void whatEndsEarlyIsNoReport() {
        for (int length = 0; length < ConsumerReport.SIZE_BYTES; length++) {
            assertEquals(Optional.empty(), ConsumerReport.parse(hex(WRITTEN), 0, length), "length " + length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 5, 31, 39, 47, 55, 63, 71, 79})
    void whatIsOfAnotherKindOrCountsBackwardsIsNoReport(int at) {
        UnsafeBuffer bytes = hex(WRITTEN);
        bytes.putByte(at, (byte) 0x80);
        assertEquals(Optional.empty(), ConsumerReport.parse(bytes, 0, bytes.capacity()));
    }

    @Test
    void moreFramesThanAPoolCanHaveAreNotPossible() {
        UnsafeBuffer bytes = hex(WRITTEN);
        bytes.putByte(19, (byte) 0x7F);
        assertEquals(Optional.empty(), ConsumerReport.parse(bytes, 0, bytes.capacity()));
    }
}
