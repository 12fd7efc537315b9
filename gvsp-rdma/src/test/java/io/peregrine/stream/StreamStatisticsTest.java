package io.peregrine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StreamStatisticsTest {
    private final StreamCounters counters = new StreamCounters();

    @Test
    void staysAsItWasTaken() {
        counters.increment(Counter.FRAMES_COMPLETE);
        StreamStatistics taken = counters.snapshot();

        counters.add(Counter.FRAMES_COMPLETE, 5);

        assertEquals(1, taken.get(Counter.FRAMES_COMPLETE));
        assertEquals(6, counters.snapshot().get(Counter.FRAMES_COMPLETE));
    }

    @Test
    void saysWhatWasCountedSinceAnotherWasTaken() {
        counters.add(Counter.PACKETS_RECEIVED, 100);
        StreamStatistics before = counters.snapshot();
        counters.add(Counter.PACKETS_RECEIVED, 11);
        counters.set(Counter.KERNEL_DROPS, 3);

        StreamStatistics since = counters.snapshot().minus(before);

        assertEquals(11, since.get(Counter.PACKETS_RECEIVED));
        assertEquals(3, since.get(Counter.KERNEL_DROPS));
        assertEquals(0, since.get(Counter.FRAMES_COMPLETE));
    }

    @Test
    void addsUpWithOthers() {
        counters.add(Counter.BYTES_RECEIVED, 4);
        StreamStatistics one = counters.snapshot();

        StreamStatistics sum = one.plus(one).plus(Counter.RECONNECTS, 1);

        assertEquals(8, sum.get(Counter.BYTES_RECEIVED));
        assertEquals(1, sum.get(Counter.RECONNECTS));
        assertEquals(4, one.get(Counter.BYTES_RECEIVED));
    }

    @Test
    void saysHowManyFramesAreIncompleteForEachCause() {
        counters.incomplete(IncompleteCause.DEVICE_ERROR);
        counters.incomplete(IncompleteCause.DEVICE_ERROR);
        counters.incomplete(IncompleteCause.STREAM_ENDED);

        StreamStatistics taken = counters.snapshot();

        assertEquals(3, taken.get(Counter.FRAMES_INCOMPLETE));
        assertEquals(2, taken.get(IncompleteCause.DEVICE_ERROR));
        assertEquals(1, taken.get(IncompleteCause.STREAM_ENDED));
        assertEquals(0, taken.get(IncompleteCause.CONTRADICTION));
    }

    @Test
    void countsAFrameOnceThatTheDeviceDroppedAndItsIdTellsOf() {
        counters.add(Counter.FRAMES_DROPPED_UNUSABLE, 1);
        counters.add(Counter.BLOCK_ID_GAPS, 90);
        counters.raise(Counter.FRAMES_DROPPED_BY_DEVICE, 96);

        assertEquals(97, counters.snapshot().framesLost());
    }

    @Test
    void olderNewsOfACounterThatOnlyGrowsChangesNothing() {
        counters.raise(Counter.FRAMES_DROPPED_BY_DEVICE, 5);
        counters.raise(Counter.FRAMES_DROPPED_BY_DEVICE, 4);

        assertEquals(5, counters.get(Counter.FRAMES_DROPPED_BY_DEVICE));
    }

    @Test
    void hasItsValuesInTheOrderOfTheCountersAndLetsNobodyChangeThem() {
        Map<Counter, Long> values = StreamStatistics.zero().asMap();

        assertEquals(List.of(Counter.values()), List.copyOf(values.keySet()));
        assertThrows(UnsupportedOperationException.class, () -> values.put(Counter.FRAMES_COMPLETE, 7L));
    }

    @Test
    void isEqualWhereAllCountersAre() {
        StreamStatistics before = counters.snapshot();
        assertEquals(StreamStatistics.zero(), before);
        assertEquals(StreamStatistics.zero().hashCode(), before.hashCode());

        counters.increment(Counter.TEST_PACKETS);

        assertNotEquals(before, counters.snapshot());
    }
}
