package io.peregrine.rocev2;

import java.util.Locale;

/**
 * A global identifier of a port, which over IPv4 is {@code ::ffff:} and the address.
 *
 * @param high first eight bytes
 * @param low last eight bytes
 */
record CmGid(long high, long low) {
    private static final long IPV4_PREFIX = 0x0000_FFFF_0000_0000L;

    /** Identifier of an IPv4 address. */
    static CmGid ofIpv4(int address) {
        return new CmGid(0, IPV4_PREFIX | Integer.toUnsignedLong(address));
    }

    /** Whether it stands for this IPv4 address. */
    boolean isIpv4(int address) {
        return equals(ofIpv4(address));
    }

    /** An IPv4 address, for people to read. */
    static String text(int address) {
        return (address >>> 24) + "." + (address >> 16 & 0xFF) + "." + (address >> 8 & 0xFF) + "." + (address & 0xFF);
    }

    @Override
    public String toString() {
        return isIpv4((int) low) ? "::ffff:" + text((int) low) : String.format(Locale.ROOT, "%016x%016x", high, low);
    }
}
