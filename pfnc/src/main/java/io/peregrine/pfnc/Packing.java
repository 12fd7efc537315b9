package io.peregrine.pfnc;

/** How the components of neighbouring pixels share bytes (PFNC 2.4, chapter 4). */
public enum Packing {
    /** Each component in the low bits of one or more whole little-endian bytes. */
    UNPACKED,
    /** A bit stream without gaps, least significant bit first (the {@code p} formats). */
    LSB_PACKED,
    /** The {@code Packed} formats of GigE Vision 1.x: two pixels in three bytes, the middle byte shared. */
    GIGE_VISION_PACKED,
    /** Not known to this library; only the bits per pixel of the code can be relied on. */
    OTHER
}
