package io.peregrine.gvsp;

import static io.peregrine.gvsp.TestPackets.hex;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Parts of 20, 40 and 10 bytes, which begin at 0, 20 and 60 of the block. */
class PartOffsetsTest {
    private static final int PACKET_BYTES = 10;

    private final PartTable parts = new PartTable();
    private final PartOffsets offsets = new PartOffsets();

    PartOffsetsTest() {
        String rest = "01080001 0000 00 00 00000000 0000 0000" + "00".repeat(24);
        parts.read(
                hex(
                        "0000 000A 0000000000000000",
                        "0001 000000000014" + rest,
                        "0001 000000000028" + rest,
                        "0001 00000000000A" + rest),
                0,
                3);
    }

    private long place(int part, long offset) {
        long place = offsets.inPart(parts, part, offset, PACKET_BYTES);
        if (place != PartOffsets.OUTSIDE) {
            parts.addStored(part, PACKET_BYTES);
        }
        return place;
    }

    @Test
    void aPartThatBeginsAtZeroCountsFromItsOwnStart() {
        assertEquals(0, place(1, 0));
        assertEquals(20, place(1, 20));
    }

    @Test
    void aPartThatBeginsBehindThePartsBeforeCountsFromTheStartOfTheBlock() {
        assertEquals(0, place(1, 20));
        assertEquals(10, place(1, 30));
    }

    @Test
    void aPacketThatFitsOnlyOneWayTellsForThoseThatFitBoth() {
        assertEquals(0, place(2, 60));
        assertEquals(10, place(1, 30));
    }

    @Test
    void aPacketThatFitsOnlyTheOtherWayCorrectsAGuess() {
        assertEquals(0, place(1, 20));
        assertEquals(10, place(1, 10));
        assertEquals(20, place(1, 20));
    }

    @Test
    void theFirstPartTellsNothing() {
        assertEquals(0, place(0, 0));
        assertEquals(10, place(0, 10));
        assertEquals(0, place(1, 20));
    }

    @Test
    void aPacketBeyondItsPartEitherWayHasNoPlace() {
        assertEquals(PartOffsets.OUTSIDE, place(1, 51));
        assertEquals(PartOffsets.OUTSIDE, place(0, 11));
        assertEquals(PartOffsets.OUTSIDE, place(3, 0));
    }
}
