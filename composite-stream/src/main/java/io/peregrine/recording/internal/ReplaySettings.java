package io.peregrine.recording.internal;

import java.util.Objects;

/**
 * How a recording is replayed.
 *
 * @param rate how fast
 * @param loop whether it begins again at its end; ids of frames are those of the recording each time
 * @param flowSetCount frames that can be received and held at the same time
 * @param memoryLimitBytes most memory that the flow sets may take
 */
public record ReplaySettings(ReplayRate rate, boolean loop, int flowSetCount, long memoryLimitBytes) {
    /** Checks the ranges. */
    public ReplaySettings {
        Objects.requireNonNull(rate, "rate");
        if (flowSetCount < 1) {
            throw new IllegalArgumentException(flowSetCount + " flow sets are not possible");
        }
    }

    /** Original rate, once, 10 flow sets, 2 GiB. */
    public static ReplaySettings defaults() {
        return new ReplaySettings(ReplayRate.ORIGINAL, false, 10, 1L << 31);
    }

    /** With another rate. */
    public ReplaySettings withRate(ReplayRate value) {
        return new ReplaySettings(value, loop, flowSetCount, memoryLimitBytes);
    }

    /** Once, or again and again. */
    public ReplaySettings withLoop(boolean value) {
        return new ReplaySettings(rate, value, flowSetCount, memoryLimitBytes);
    }

    /** With another number of flow sets. */
    public ReplaySettings withFlowSetCount(int value) {
        return new ReplaySettings(rate, loop, value, memoryLimitBytes);
    }

    /** With another limit of memory. */
    public ReplaySettings withMemoryLimitBytes(long value) {
        return new ReplaySettings(rate, loop, flowSetCount, value);
    }
}
