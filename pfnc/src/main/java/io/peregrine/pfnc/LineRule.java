package io.peregrine.pfnc;

/**
 * Where lines begin when pixels do not fill whole bytes. The naming convention leaves it open, and so do GenDC and
 * GVSP; the number of bytes that arrived decides.
 */
public enum LineRule {
    /** Each line begins on a byte ("line padding"); also every format whose pixels are whole bytes. */
    WHOLE_BYTES,
    /** Each line of a {@code Packed} format of GigE Vision 1.x begins with a pair of pixels; matters for odd widths. */
    WHOLE_PAIRS,
    /** Lines run on without a gap, as one long line ("image padding"). */
    CONTIGUOUS
}
