package io.peregrine.nativeio;

/**
 * Where a datagram has a number, by whose lowest eight bits a filter gives a share of all datagrams: number {@code n}
 * is in share {@code s} if {@code n * s mod PARTS < s}. Offsets count from the begin of its data.
 *
 * @param flagOffset offset of the byte that says which of two layouts the datagram has
 * @param flagBit the bit of that byte
 * @param lastByteOffset offset of the lowest eight bits of the number where the bit is clear
 * @param flaggedLastByteOffset the same where the bit is set
 */
public record NumberField(int flagOffset, int flagBit, int lastByteOffset, int flaggedLastByteOffset) {
    /** Shares are counted in parts of this: {@value}. */
    public static final int PARTS = 256;
}
