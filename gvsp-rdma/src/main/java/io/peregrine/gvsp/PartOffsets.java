package io.peregrine.gvsp;

/**
 * What the offset in a multi-part packet counts from: the start of its part, or the start of the block. Both kinds of
 * devices exist and nothing on the wire says which one a device is, so that its packets tell: most fit only one of the
 * two, and what one packet told holds for the stream until another packet contradicts it. The first packet of a part
 * that fits both is taken by its offset: it is 0, or the bytes of the parts before.
 */
final class PartOffsets {
    private boolean inBlock;
    private boolean known;

    /** Value of {@link #inPart} for a packet that does not lie within its part either way. */
    static final long OUTSIDE = -1;

    /**
     * Where a packet's data belongs within its part.
     *
     * @param part as the packet has it
     * @param offset as the packet has it, 0 to 2^48 - 1
     * @param size bytes of data
     * @return offset in bytes from the start of the part, or {@link #OUTSIDE}
     */
    long inPart(PartTable parts, int part, long offset, int size) {
        if (part >= parts.count()) {
            return OUTSIDE;
        }
        long start = parts.startBytes(part);
        boolean fitsPart = parts.holds(part, offset, size);
        boolean fitsBlock = offset >= start && parts.holds(part, offset - start, size);
        if (start > 0 && fitsPart != fitsBlock) {
            inBlock = fitsBlock;
            known = true;
        } else if (!known && start > 0 && fitsPart && parts.empty(part)) {
            inBlock = offset == start;
            known = true;
        }
        if (!fitsPart && !fitsBlock) {
            return OUTSIDE;
        }
        return inBlock && fitsBlock ? offset - start : offset;
    }
}
