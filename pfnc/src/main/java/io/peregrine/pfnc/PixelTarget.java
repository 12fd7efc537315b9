package io.peregrine.pfnc;

/** Plain forms that {@link PixelConverter} makes. */
public enum PixelTarget {
    /** Brightness, one byte a pixel, scaled to 0 to 255. */
    MONO8,
    /** Brightness, one unsigned short a pixel, scaled to 0 to 65535. */
    MONO16,
    /** Red, green, blue, a byte each, scaled to 0 to 255. */
    RGB8,
    /** Red, green, blue, an unsigned short each, scaled to 0 to 65535. */
    RGB16,
    /** One component as it is, one short a pixel. */
    RAW16,
    /** Components as numbers, not scaled, as float. */
    FLOAT,
    /** Components as numbers, not scaled, as double. */
    DOUBLE
}
