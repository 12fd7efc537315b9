package io.peregrine.distribution;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times in an archive: nanoseconds since 1970, by the clock of the publisher's host. */
final class ArchiveTime {
    private static final long NANOS = 1_000_000_000L;
    private static final Pattern AGO = Pattern.compile("-(\\d{1,9})(ms|s|m|h|d)");

    private ArchiveTime() {}

    static long now() {
        return nanos(Instant.now());
    }

    private static long nanos(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), NANOS), time.getNano());
    }

    static Instant instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS), Math.floorMod(nanos, NANOS));
    }

    /**
     * Reads a time as users write it: {@code 2026-11-24T10:15:00Z}, {@code -10m} for ten minutes ago, or {@code now}.
     *
     * @throws DistributionException if it is something else
     */
    static long parse(String text, long nowNanos) {
        if (text.equals("now")) {
            return nowNanos;
        }
        Matcher ago = AGO.matcher(text);
        try {
            return ago.matches()
                    ? nowNanos
                            - duration(Long.parseLong(ago.group(1)), ago.group(2))
                                    .toNanos()
                    : nanos(Instant.parse(text));
        } catch (DateTimeException | ArithmeticException e) {
            throw new DistributionException(
                    "'" + text + "' is no time: give one such as 2026-11-24T10:15:00Z, -10m or now", e);
        }
    }

    /** An amount of time in a unit from milliseconds to days. */
    static Duration duration(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
