package io.peregrine.recording.internal;

import java.util.Locale;

/**
 * How fast a recording is replayed.
 *
 * @param kind by what time passes between frames
 * @param framesPerSecond frames a second of a given rate; 0 for the other kinds
 */
public record ReplayRate(Kind kind, double framesPerSecond) {
    /** As it was recorded. */
    public static final ReplayRate ORIGINAL = new ReplayRate(Kind.ORIGINAL, 0);
    /** As fast as frames are taken and closed. */
    public static final ReplayRate AS_CONSUMED = new ReplayRate(Kind.AS_CONSUMED, 0);

    private static final double NANOS = 1e9;

    /** By what time passes between frames. */
    public enum Kind {
        /** The times at which the recorder got the frames. */
        ORIGINAL,
        /** A number of frames a second. */
        GIVEN,
        /** No time passes. */
        AS_CONSUMED
    }

    /** Checks the number. */
    public ReplayRate {
        if (kind == Kind.GIVEN && !(framesPerSecond >= 1e-6 && framesPerSecond <= 1e9)) {
            throw new IllegalArgumentException(
                    framesPerSecond + " frames a second are not possible: give 0.000001 to 1000000000");
        }
    }

    /** That many frames a second. */
    public static ReplayRate of(double framesPerSecond) {
        return new ReplayRate(Kind.GIVEN, framesPerSecond);
    }

    /**
     * Reads {@link #toString()}.
     *
     * @param text {@code original}, {@code max}, or a number of frames a second
     * @throws IllegalArgumentException if it is something else
     */
    public static ReplayRate parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "original" -> ORIGINAL;
            case "max" -> AS_CONSUMED;
            default -> of(number(text));
        };
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no rate: give original, max, or frames a second", e);
        }
    }

    /** Nanoseconds from the first frame of a given rate to a later one. */
    public long nanosUntil(long frame) {
        return (long) (frame * (NANOS / framesPerSecond));
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return switch (kind) {
            case ORIGINAL -> "original";
            case GIVEN -> Double.toString(framesPerSecond);
            case AS_CONSUMED -> "max";
        };
    }
}
