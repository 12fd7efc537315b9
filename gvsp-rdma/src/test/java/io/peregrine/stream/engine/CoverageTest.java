package io.peregrine.stream.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoverageTest {

    @Test
    void rangesThatTouchAreOne() {
        Coverage coverage = new Coverage();
        coverage.add(10, 20);
        coverage.add(30, 40);
        assertFalse(coverage.covers(10, 40));
        coverage.add(20, 30);
        assertTrue(coverage.covers(10, 40));
        assertEquals(30, coverage.bytes());
    }

    @Test
    void emptyRangeIsAlwaysCovered() {
        assertTrue(new Coverage().covers(5, 5));
        assertFalse(new Coverage().covers(5, 6));
    }

    @Test
    void positionsBeyond32BitsAreKept() {
        Coverage coverage = new Coverage();
        coverage.add(1L << 40, (1L << 40) + 3);
        assertTrue(coverage.covers(1L << 40, (1L << 40) + 3));
        assertFalse(coverage.covers(0, 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void anyRangesGiveTheSameAsOneBitForEachByte(long seed) {
        Random random = new Random(seed);
        Coverage coverage = new Coverage();
        BitSet bits = new BitSet();
        for (int i = 0; i < 3000; i++) {
            if (random.nextInt(500) == 0) {
                coverage.clear();
                bits.clear();
            }
            int start = random.nextInt(2000);
            int end = start + random.nextInt(8);
            coverage.add(start, end);
            bits.set(start, end);
            assertEquals(bits.cardinality(), coverage.bytes());
            int from = random.nextInt(2000);
            int to = from + 1 + random.nextInt(20);
            assertEquals(bits.nextClearBit(from) >= to, coverage.covers(from, to));
        }
    }
}
