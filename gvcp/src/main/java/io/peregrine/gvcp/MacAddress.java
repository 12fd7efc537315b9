package io.peregrine.gvcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An Ethernet MAC address.
 *
 * @param value the 48 bits, the first octet in bits 47..40
 */
public record MacAddress(long value) {
    private static final int OCTETS = 6;

    /** Checks the range. */
    public MacAddress {
        if (value < 0 || value > 0xFFFF_FFFF_FFFFL) {
            throw new IllegalArgumentException("a MAC address has 48 bits, not 0x" + Long.toHexString(value));
        }
    }

    /**
     * Reads the usual notation, six octets in hex separated by colons or dashes.
     *
     * @param text for example {@code 00:11:22:aa:bb:cc}
     * @return the address
     */
    public static MacAddress parse(String text) {
        List<String> octets = new ArrayList<>(List.of(text.strip().split("[:-]", -1)));
        long value = 0;
        if (octets.size() != OCTETS) {
            throw new IllegalArgumentException("not a MAC address: " + text);
        }
        for (String octet : octets) {
            if (!octet.matches("[0-9a-fA-F]{2}")) {
                throw new IllegalArgumentException("not a MAC address: " + text);
            }
            value = value << 8 | Integer.parseInt(octet, 16);
        }
        return new MacAddress(value);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int shift = 40; shift >= 0; shift -= 8) {
            text.append(String.format(Locale.ROOT, shift == 0 ? "%02x" : "%02x:", value >>> shift & 0xFF));
        }
        return text.toString();
    }
}
