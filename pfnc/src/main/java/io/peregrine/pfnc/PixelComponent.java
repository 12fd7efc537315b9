package io.peregrine.pfnc;

/** One of the values that make up a pixel (PFNC 2.4, table 3-1). */
public enum PixelComponent {
    /** Brightness of a format without colour. */
    MONO,
    /** The value behind the pixel's colour filter; {@link ColourFilter} says which colour. */
    MOSAIC,
    /** Red. */
    RED,
    /** Green. */
    GREEN,
    /** Blue. */
    BLUE,
    /** The fourth component of RGBa; what it means is the maker's choice. */
    ALPHA,
    /** Y, luma. */
    LUMA,
    /** Cb or U, blue difference. */
    CB,
    /** Cr or V, red difference. */
    CR,
    /** First coordinate, X of Cartesian ones. */
    COORDINATE_A,
    /** Second coordinate, Y of Cartesian ones. */
    COORDINATE_B,
    /** Third coordinate, always the depth. */
    COORDINATE_C,
    /** Confidence. */
    CONFIDENCE,
    /** A number of a Data format. */
    DATA
}
