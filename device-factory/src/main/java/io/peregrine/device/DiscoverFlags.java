package io.peregrine.device;

/**
 * What a search for devices includes.
 *
 * @param bits one bit for each flag
 */
public record DiscoverFlags(int bits) {
    /** Every device that answers and can be reached. */
    public static final DiscoverFlags FIND_ALL = new DiscoverFlags(0);
    /** Also devices whose address lies in a foreign subnet, so that they cannot be opened before that is changed. */
    public static final DiscoverFlags INCLUDE_INACCESSIBLE = new DiscoverFlags(0x1000);
    /** Only the addresses of the settings are asked; nothing is broadcast. */
    public static final DiscoverFlags UNICAST_ONLY = new DiscoverFlags(0x10000);

    /** Also recordings in the files and directories of the settings. */
    public static final DiscoverFlags INCLUDE_FILES = new DiscoverFlags(0x20000);

    /** Both sets of flags together. */
    public DiscoverFlags or(DiscoverFlags other) {
        return new DiscoverFlags(bits | other.bits);
    }

    /** Whether every flag of the other set is in this one. */
    public boolean contains(DiscoverFlags other) {
        return (bits & other.bits) == other.bits;
    }
}
