package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BlockNumberTest {
    @Test
    void everyShareHasItsPartOfAllBlocks() {
        for (int share = 1; share <= BlockNumber.ALL; share++) {
            int of = share;
            assertEquals(
                    share,
                    LongStream.range(1000, 1000 + BlockNumber.ALL)
                            .filter(number -> BlockNumber.isIn(number, of))
                            .count());
        }
    }

    @Test
    void blocksOfAShareAreSpreadEvenly() {
        for (int share = 1; share <= BlockNumber.ALL; share++) {
            int longest = 0;
            int between = 0;
            for (int number = 0; number < 2 * BlockNumber.ALL; number++) {
                between = BlockNumber.isIn(number, share) ? 0 : between + 1;
                longest = Math.max(longest, between);
            }
            int evenly = (BlockNumber.ALL - 1) / share;
            assertTrue(longest <= evenly, share + ": " + longest + " in a row are left out");
        }
    }
}
