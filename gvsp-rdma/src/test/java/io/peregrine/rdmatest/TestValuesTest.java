package io.peregrine.rdmatest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.rdmatest.TestPlan.Direction;
import io.peregrine.rdmatest.TestPlan.Transfer;
import io.peregrine.rdmatest.TestResult.RoundTrips;
import io.peregrine.stream.StreamException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans, patterns and results of tests. */
class TestValuesTest {

    @ParameterizedTest
    @CsvSource({
        "0, 1, 1, 0, 0 message bytes are not possible in a test: 1 to 16777216 are",
        "16777217, 1, 1, 0, 16777217 message bytes are not possible in a test: 1 to 16777216 are",
        "1, 129, 1, 0, 129 messages under way are not possible in a test: 1 to 128 are",
        "1048576, 65, 1, 0, 68157440 bytes under way are not possible in a test: 1 to 67108864 are",
        "1, 1, 3601, 0, A test of 3601 s is not possible: give up to an hour",
        "1, 1, 1, 1, 1 messages are not possible in a test: 0 to 0 are",
        "1, 1, 0, 0, 0 messages are not possible in a test: 1 to 9223372036854775807 are"
    })
    void plansOutOfRangeAreRefused(int bytes, int depth, int seconds, long count, String message) {
        StreamException why = assertThrows(
                StreamException.class,
                () -> new TestPlan(
                        Transfer.SEND, Direction.TO_SERVER, bytes, depth, Duration.ofSeconds(seconds), count));
        assertEquals(message, why.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"1, 128", "1048576, 64", "16777216, 4"})
    void asManyMessagesAreUnderWayAsFitTheWindow(int bytes, int depth) {
        assertEquals(
                depth,
                TestPlan.counting(Transfer.SEND, Direction.TO_SERVER, bytes, 1).depth());
    }

    /** The first two values of SplitMix64 with seed 0, as published with it. */
    @Test
    void thePatternIsThatOfSplitMix64() {
        ByteBuffer pattern = Pattern.of(1);

        assertEquals(0xE220A8397B1DCDAFL, pattern.getLong(0));
        assertEquals(0x6E789E6AA1B965F4L, pattern.getLong(8));
    }

    @Test
    void aMessageDoesNotMatchThatBeforeIt() {
        ByteBuffer pattern = Pattern.of(16);
        ByteBuffer memory = ByteBuffer.allocate(16).put(0, pattern, Pattern.place(7), 16);

        assertTrue(Pattern.matches(pattern, 7, memory, 0, 16));
        assertFalse(Pattern.matches(pattern, 8, memory, 0, 16));
    }

    @Test
    void oneWrongBitIsFound() {
        ByteBuffer pattern = Pattern.of(1000);
        ByteBuffer memory = ByteBuffer.allocate(1000).put(0, pattern, Pattern.place(254), 1000);
        memory.put(999, (byte) (memory.get(999) ^ 0x80));

        assertFalse(Pattern.matches(pattern, 254, memory, 0, 1000));
    }

    @Test
    void percentilesAreThoseOfSortedTimes() {
        long[] times = LongStream.rangeClosed(1, 1000).map(i -> 1001 - i).toArray();

        assertEquals(new RoundTrips(1, 500, 900, 990, 999, 1000), RoundTrips.of(times, 1000));
    }

    @Test
    void aSingleTimeIsEveryPercentile() {
        assertEquals(new RoundTrips(7, 7, 7, 7, 7, 7), RoundTrips.of(new long[] {7, 99}, 1));
    }

    @Test
    void megabytesAreMillions() {
        TestPlan plan = TestPlan.counting(Transfer.SEND, Direction.TO_SERVER, 1_000_000, 11);
        TestResult result = new TestResult(plan, 4096, 11, 0, -1, 10, 0.5, Optional.empty());

        assertEquals(20, result.megabytesPerSecond());
    }
}
