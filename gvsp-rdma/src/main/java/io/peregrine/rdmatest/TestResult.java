package io.peregrine.rdmatest;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a test measured. Immutable.
 *
 * @param plan the test
 * @param pathMtuBytes payload bytes of a packet, as agreed when connecting
 * @param messages messages that arrived, round trips of a ping
 * @param wrongMessages how many of them had other bytes than were sent
 * @param firstWrong number of the first wrong one, from 0; -1 if there is none
 * @param measuredMessages messages of the measured time
 * @param measuredSeconds the measured time, at the receiving side; 0 when there were too few messages to measure
 * @param roundTrips times of round trips, of a ping
 */
public record TestResult(
        TestPlan plan,
        int pathMtuBytes,
        long messages,
        long wrongMessages,
        long firstWrong,
        long measuredMessages,
        double measuredSeconds,
        Optional<RoundTrips> roundTrips) {

    /**
     * How long round trips took, in nanoseconds: half of them at most {@code median}, 90 % at most {@code p90}.
     *
     * @param min the shortest
     * @param median the 50th percentile
     * @param p90 the 90th percentile
     * @param p99 the 99th percentile
     * @param p999 the 99.9th percentile
     * @param max the longest
     */
    public record RoundTrips(long min, long median, long p90, long p99, long p999, long max) {
        /** Of the first times, at least one. */
        static RoundTrips of(long[] nanos, int count) {
            long[] sorted = Arrays.copyOf(nanos, count);
            Arrays.sort(sorted);
            return new RoundTrips(
                    sorted[0],
                    rank(sorted, 500),
                    rank(sorted, 900),
                    rank(sorted, 990),
                    rank(sorted, 999),
                    sorted[count - 1]);
        }

        /** The smallest value that a share of all does not exceed. */
        private static long rank(long[] sorted, int perMille) {
            long rank = (sorted.length * (long) perMille + 999) / 1000;
            return sorted[(int) Math.max(rank, 1) - 1];
        }
    }

    /** Megabytes (10^6) of payload a second in one direction; 0 when that was not measured. */
    public double megabytesPerSecond() {
        return measuredSeconds > 0 ? (double) measuredMessages * plan.messageBytes() / 1e6 / measuredSeconds : 0;
    }
}
