package io.peregrine.device;

import java.util.Locale;
import java.util.Optional;

/**
 * Which packets a user wants.
 *
 * @param way how their size is found
 * @param bytes the size with the headers of IP, UDP and GVSP where it is given, else 0
 */
record PacketSizeChoice(Way way, int bytes) {
    static final int MIN_BYTES = 576;
    static final int MAX_BYTES = 16260;
    /** What users may write. */
    static final String EXPECTED = "negotiate, keep, or " + MIN_BYTES + " to " + MAX_BYTES + " in steps of 4";

    static final PacketSizeChoice NEGOTIATE = new PacketSizeChoice(Way.NEGOTIATE, 0);
    static final PacketSizeChoice KEEP = new PacketSizeChoice(Way.KEEP, 0);

    enum Way {
        /** The largest that arrives. */
        NEGOTIATE,
        /** As the device was set. */
        KEEP,
        /** As the user says. */
        GIVEN
    }

    static PacketSizeChoice of(int bytes) {
        return new PacketSizeChoice(Way.GIVEN, bytes);
    }

    /** Reads what a user wrote; empty if it is none of {@link #EXPECTED}. */
    static Optional<PacketSizeChoice> parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "negotiate", "0" -> Optional.of(NEGOTIATE);
            case "keep" -> Optional.of(KEEP);
            default -> number(text).map(PacketSizeChoice::of);
        };
    }

    private static Optional<Integer> number(String text) {
        try {
            int bytes = Integer.parseInt(text);
            return bytes >= MIN_BYTES && bytes <= MAX_BYTES && bytes % 4 == 0 ? Optional.of(bytes) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
