package io.peregrine.gvsp;

import io.peregrine.nativeio.NumberField;

/** Shares of all blocks, chosen by the number of a block. */
final class BlockNumber {
    /** Shares are counted in parts of this: {@value}. */
    static final int ALL = NumberField.PARTS;

    private BlockNumber() {}

    /**
     * Whether a block belongs to a share of all blocks. The blocks of a share are spread evenly.
     *
     * @param number number of the block
     * @param share from 1 to {@link #ALL}
     */
    static boolean isIn(long number, int share) {
        return (number * share & (ALL - 1)) < share;
    }
}
