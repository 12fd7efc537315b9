package io.peregrine.distribution;

import io.aeron.exceptions.AeronException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Why Aeron refuses something, in the words of the system: without its classes, stack frames and channels. */
final class AeronReason {
    private static final Pattern REASON = Pattern.compile(
            "(?:.*channel error - |.*Exception ?: )?(?:ERROR - |FATAL - |WARN - )?(.+?)"
                    + "(?: \\(at .*|: aeron:.*|, errorCodeValue=.*)?",
            Pattern.DOTALL);

    private AeronReason() {}

    /** What to throw when announcements cannot be received. */
    static DistributionException ofAnnouncements(AeronException cause) {
        return new DistributionException(
                "Announcements cannot be received: " + of(cause) + ". Check " + DistributionSettings.ROUTES + " and "
                        + DistributionSettings.INTERFACE,
                cause);
    }

    static String of(AeronException cause) {
        String message = String.valueOf(cause.getMessage());
        Matcher matcher = REASON.matcher(message);
        return matcher.matches() ? matcher.group(1) : message;
    }
}
