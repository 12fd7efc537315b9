package io.peregrine.pfnc;

/** Where the components of a pixel lie. */
public enum PlaneArrangement {
    /** Beside each other, in one plane. */
    INTERLEAVED,
    /** Each in a separate plane, in the order of the name. */
    PLANAR,
    /** Luma in the first plane, both chroma components beside each other in the second. */
    SEMI_PLANAR
}
