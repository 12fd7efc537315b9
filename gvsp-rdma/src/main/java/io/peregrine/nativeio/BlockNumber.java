package io.peregrine.nativeio;

/**
 * Where a datagram has the number of the block of data that it belongs to. Offsets count from the begin of its data.
 *
 * @param flagOffset offset of the byte that says which of two layouts the datagram has
 * @param flagBit the bit of that byte
 * @param lastByteOffset offset of the lowest eight bits of the number where the bit is clear
 * @param flaggedLastByteOffset the same where the bit is set
 */
public record BlockNumber(int flagOffset, int flagBit, int lastByteOffset, int flaggedLastByteOffset) {
    /** Shares are counted in parts of this: {@value}. */
    public static final int ALL = 256;

    /**
     * Whether a block belongs to a share of all blocks. The blocks of a share are spread evenly.
     *
     * @param number number of the block
     * @param share from 1 to {@link #ALL}
     */
    public static boolean isIn(long number, int share) {
        return (number * share & (ALL - 1)) < share;
    }
}
