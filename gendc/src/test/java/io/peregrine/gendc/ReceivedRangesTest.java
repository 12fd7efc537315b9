package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.RawContainer;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReceivedRangesTest {

    /** Part 0 at 320 of flow 0 (320 linear), part 1 at 8 of flow 1 (392 linear), component 2 invalid. */
    private static GenDcDescriptor descriptor(int variableFields) {
        return GenDcDescriptor.parse(RawContainer.begin(1, 2, 1, variableFields, 0, 416, 80, 192, 304)
                .component(80, 0, 1, 0x01080001, 136)
                .part(136, 0x4200, 0, 56, 0x01080001, 0, 420, 64, 420)
                .image(8, 8, 0, 0)
                .component(192, 0, 4, 0x01080001, 248)
                .part(248, 0x4200, 0, 56, 0x01080001, 1, 8, 16, 492)
                .image(4, 4, 0, 0)
                .component(304, 1, 6, 0x01080001, 360)
                .part(360, 0x4200, 0, 56, 0x01080001, 1, 24, 16, 508)
                .image(4, 4, 0, 0)
                .end(416));
    }

    private static boolean partComplete(ReceivedRanges ranges, int component) {
        GenDcComponent found = descriptor(0).components().get(component);
        assertEquals(ranges.complete(found.parts().get(0)) && !found.invalid(), ranges.complete(found));
        return ranges.complete(found.parts().get(0));
    }

    @Test
    void tellsWhichPartsArrivedInTheirFlows() {
        ReceivedRanges ranges = ReceivedRanges.flows(2);
        ranges.add(0, 0, 416);
        ranges.add(1, 0, 24);
        ranges.add(0, 420, 32);

        assertFalse(partComplete(ranges, 0));
        assertTrue(partComplete(ranges, 1));
        assertEquals(
                32,
                ranges.missingBytes(descriptor(0).components().get(0).parts().get(0)));
        assertFalse(ranges.complete(descriptor(0)));

        ranges.add(0, 452, 32);

        assertTrue(partComplete(ranges, 0));
        assertTrue(ranges.complete(descriptor(0)));
        assertFalse(ranges.complete(descriptor(0).components().get(2)));
        assertEquals(480, ranges.receivedBytes(0));
        assertEquals("ReceivedRanges flow 0[0..416, 420..484] flow 1[0..24]", ranges.toString());
    }

    @Test
    void tellsWhichPartsArrivedInOneRun() {
        ReceivedRanges ranges = ReceivedRanges.linear();
        ranges.add(0, 0, 484);

        assertTrue(partComplete(ranges, 0));
        assertFalse(partComplete(ranges, 1));

        ranges.add(0, 492, 16);

        assertTrue(partComplete(ranges, 1));
        assertTrue(ranges.complete(descriptor(0)));
    }

    @Test
    void isIncompleteWithoutItsFinalDescriptor() {
        ReceivedRanges ranges = ReceivedRanges.linear();
        ranges.add(0, 1, 600);

        assertFalse(ranges.complete(descriptor(0)));

        ranges.add(0, 0, 1);

        assertTrue(ranges.complete(descriptor(0)));
        assertFalse(ranges.complete(descriptor(1)));
    }

    @Test
    void takesARejectedPartForMissing() {
        GenDcDescriptor descriptor = GenDcDescriptor.parse(RawContainer.begin(1, 0, 1, 0, 4, 176, 64)
                .component(64, 0, 1, 0x01080001, 120)
                .part(120, 0x4200, 56, 0x01080001, 4, 176)
                .image(2, 3, 0, 0)
                .end(176));
        ReceivedRanges ranges = ReceivedRanges.linear();
        ranges.add(0, 0, 180);

        assertFalse(ranges.complete(descriptor.components().get(0).parts().get(0)));
        assertFalse(ranges.complete(descriptor));
    }

    @Test
    void agreesWithASetOfBytes() {
        Random random = new Random(5);
        ReceivedRanges ranges = ReceivedRanges.flows(1);
        BitSet bytes = new BitSet();
        for (int i = 0; i < 2000; i++) {
            if (i % 400 == 0) {
                ranges.clear();
                bytes.clear();
            }
            int start = random.nextInt(1000);
            int length = random.nextInt(12);
            assertTrue(ranges.add(0, start, length));
            bytes.set(start, start + length);
            int from = random.nextInt(1000);
            int size = random.nextInt(100);
            int there = bytes.get(from, from + size).cardinality();
            assertEquals(size - there, ranges.missingBytes(0, from, size));
            assertEquals(size == there, ranges.covers(0, from, size));
            assertEquals(bytes.cardinality(), ranges.receivedBytes(0));
        }
    }

    @Test
    void keepsNoMoreRangesThanItMay() {
        ReceivedRanges ranges = ReceivedRanges.linear();
        for (int i = 0; i < ReceivedRanges.MAX_RANGES; i++) {
            assertTrue(ranges.add(0, 2L * i, 1));
        }

        assertFalse(ranges.add(0, 2L * ReceivedRanges.MAX_RANGES, 1));
        assertFalse(ranges.covers(0, 2L * ReceivedRanges.MAX_RANGES, 1));
        assertTrue(ranges.add(0, 1, 1));
        assertTrue(ranges.covers(0, 0, 3));
    }

    @Test
    void staysExactAtTheEndOfWhatALongCanHold() {
        ReceivedRanges ranges = ReceivedRanges.linear();
        ranges.add(0, Long.MAX_VALUE - 10, 10);

        assertTrue(ranges.covers(0, Long.MAX_VALUE - 10, 10));
        assertFalse(ranges.covers(0, Long.MAX_VALUE - 10, 11));
        assertFalse(ranges.covers(0, -1, 5));
        assertFalse(ranges.covers(3, 0, 5));
    }

    @Test
    void refusesWhatIsNoRange() {
        ReceivedRanges ranges = ReceivedRanges.linear();

        assertThrows(IllegalArgumentException.class, () -> ranges.add(0, -1, 5));
        assertThrows(IllegalArgumentException.class, () -> ranges.add(0, 1, -5));
        assertThrows(IllegalArgumentException.class, () -> ranges.add(0, Long.MAX_VALUE, 1));
        assertThrows(IllegalArgumentException.class, () -> ranges.add(1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> ReceivedRanges.flows(0));
        assertThrows(IllegalArgumentException.class, () -> ReceivedRanges.flows(65_537));
    }
}
