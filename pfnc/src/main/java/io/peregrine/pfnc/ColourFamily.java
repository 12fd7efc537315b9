package io.peregrine.pfnc;

/** What the components of a format mean (PFNC 2.4, chapter 3.2). */
public enum ColourFamily {
    /** Brightness alone. */
    MONO,
    /** One value a pixel, behind the filters of a Bayer mosaic. */
    BAYER,
    /** One value a pixel, behind a mosaic of colours and white. */
    SPARSE_COLOUR_FILTER,
    /** Two values a pixel: green, and red or blue in turn. */
    BICOLOUR,
    /** Red, green, blue, or one of them. */
    RGB,
    /** Luma and chroma. */
    YCBCR,
    /** Coordinates of points. */
    COORDINATES,
    /** How far a measurement can be trusted. */
    CONFIDENCE,
    /** Numbers that are no pixels. */
    DATA,
    /** Not in the list. */
    UNKNOWN
}
