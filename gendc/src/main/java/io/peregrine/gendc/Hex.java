package io.peregrine.gendc;

import java.util.Locale;

/** How 16-bit fields are written in messages. */
final class Hex {
    private Hex() {}

    /** Four digits after 0x. */
    static String of16(int value) {
        return String.format(Locale.ROOT, "0x%04X", value);
    }
}
