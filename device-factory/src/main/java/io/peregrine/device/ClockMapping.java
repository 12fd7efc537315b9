package io.peregrine.device;

import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Where a camera's clock stands against one of the host, from round trips. Each says that the camera had a time between
 * two of the host, and no more: nothing is assumed about the way to and fro. What all of them say together is the
 * answer, and half of its width is the error. How fast the camera's clock runs follows from round trips far apart;
 * before that, and beyond, it counts as known to {@link #MAX_DRIFT} only, so that the error grows with the distance to
 * the round trips. Not thread-safe; reads no clock itself.
 */
final class ClockMapping {
    /** Two quartz clocks of 100 parts per million each. */
    static final double MAX_DRIFT = 200e-6;
    /** By how much the drift itself changes, by temperature and by a servo that has settled. */
    static final double WANDER = 2e-6;

    static final int MAX_SAMPLES = 64;

    /**
     * A round trip.
     *
     * @param cameraNanos time that the camera told
     * @param sentNanos time of the host before it was asked
     * @param receivedNanos time of the host when it had answered
     */
    record Sample(long cameraNanos, long sentNanos, long receivedNanos) {
        /** Checks the order. */
        Sample {
            if (receivedNanos - sentNanos < 0) {
                throw new IllegalArgumentException("an answer is not received before the question was sent");
            }
        }

        long roundTripNanos() {
            return receivedNanos - sentNanos;
        }
    }

    /**
     * A time of the host.
     *
     * @param nanos the middle of what is possible
     * @param errorNanos how far the truth may be from it
     */
    record Estimate(long nanos, long errorNanos) {}

    private final ArrayDeque<Sample> samples = new ArrayDeque<>();
    private double slowest = -MAX_DRIFT;
    private double fastest = MAX_DRIFT;

    /**
     * Takes a round trip, later than the ones before.
     *
     * @return false if it contradicts them, because the camera's clock was set meanwhile; they are forgotten then
     */
    boolean add(Sample sample) {
        if (samples.size() == MAX_SAMPLES) {
            samples.removeFirst();
        }
        samples.addLast(sample);
        if (learnDrift()) {
            return true;
        }
        samples.clear();
        samples.addLast(sample);
        learnDrift();
        return false;
    }

    /** Forgets everything, as when the camera's clock is set. */
    void clear() {
        samples.clear();
        learnDrift();
    }

    boolean isEmpty() {
        return samples.isEmpty();
    }

    /**
     * What the host's clock gains for each ns of the camera's: lowest and highest; false when there is nothing between.
     */
    private boolean learnDrift() {
        slowest = -MAX_DRIFT;
        fastest = MAX_DRIFT;
        for (Sample early : samples) {
            for (Sample late : samples) {
                long apart = late.cameraNanos - early.cameraNanos;
                if (apart <= 0) {
                    // The camera's clock went back or stood still; so did the host's, or it was set.
                    if (late.sentNanos - early.receivedNanos > 0) {
                        return false;
                    }
                    continue;
                }
                double least = late.sentNanos - early.receivedNanos - apart;
                double most = late.receivedNanos - early.sentNanos - apart;
                slowest = Math.max(slowest, least / apart - WANDER);
                fastest = Math.min(fastest, most / apart + WANDER);
            }
        }
        return slowest <= fastest;
    }

    /** How many parts per million the camera's clock runs slow, in the middle of what is possible. */
    double driftPartsPerMillion() {
        return (slowest + fastest) / 2 * 1e6;
    }

    /** How far the drift may be from what {@link #driftPartsPerMillion} says. */
    double driftErrorPartsPerMillion() {
        return (fastest - slowest) / 2 * 1e6;
    }

    /**
     * The time of the host at a time of the camera; empty before the first round trip.
     *
     * @throws ArithmeticException if it is out of the range of 64 bits
     */
    Optional<Estimate> hostTime(long cameraNanos) {
        if (samples.isEmpty()) {
            return Optional.empty();
        }
        // Against one of the round trips, so that no sum is larger than the times themselves.
        Sample origin = samples.getLast();
        double low = Double.NEGATIVE_INFINITY;
        double high = Double.POSITIVE_INFINITY;
        double narrowLow = low;
        double narrowHigh = high;
        for (Sample sample : samples) {
            double apart = cameraNanos - sample.cameraNanos;
            double shift = sample.sentNanos - origin.sentNanos;
            double least = shift + apart + Math.min(apart * slowest, apart * fastest);
            double most = shift + sample.roundTripNanos() + apart + Math.max(apart * slowest, apart * fastest);
            low = Math.max(low, least);
            high = Math.min(high, most);
            if (most - least < narrowHigh - narrowLow) {
                narrowLow = least;
                narrowHigh = most;
            }
        }
        if (low > high) {
            // The drift changed by more than it should; the best single round trip still stands.
            low = narrowLow;
            high = narrowHigh;
        }
        double middle = (low + high) / 2;
        return Optional.of(new Estimate(
                Math.addExact(origin.sentNanos, Math.round(middle)), (long) Math.ceil((high - low) / 2) + 1));
    }
}
