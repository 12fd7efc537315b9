package io.peregrine.cli;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time in seconds, for example {@code 0.5}: not negative, and no longer than 30 years. */
final class Seconds implements ITypeConverter<Duration> {
    private static final double MOST = 1e9;

    @Override
    public Duration convert(String text) {
        try {
            double seconds = Double.parseDouble(text);
            if (seconds >= 0 && seconds <= MOST) {
                return Duration.ofNanos(Math.round(seconds * 1e9));
            }
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is no number of seconds");
        }
        throw new TypeConversionException("'" + text + "' is no time: give seconds, 0 or more");
    }

    /** A time as people write it, for example {@code 0.5 s}. */
    static String text(Duration time) {
        double seconds = time.toMillis() / 1000.0;
        return (seconds == Math.rint(seconds) ? Long.toString((long) seconds) : Double.toString(seconds)) + " s";
    }
}
