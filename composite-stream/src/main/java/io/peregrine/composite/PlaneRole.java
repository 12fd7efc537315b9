package io.peregrine.composite;

/**
 * What a plane holds. Coordinates are named as cartesian ones when they come as A, B and C of a pixel format: whether
 * they are, only the feature Scan3dCoordinateSystem of the device says.
 */
public enum PlaneRole {
    /** Not known. */
    UNDEFINED,
    /** Brightness alone. */
    MONO,
    /** Red. */
    RED,
    /** Green. */
    GREEN,
    /** Blue. */
    BLUE,
    /** Red, green and blue of a pixel together. */
    RGB,
    /** Luma: Y of YUV and YCbCr. */
    LUMA,
    /** Blue difference: U or Cb. */
    CHROMA_BLUE,
    /** Red difference: V or Cr. */
    CHROMA_RED,
    /** Both differences in turn, in the order that the format's name gives. */
    CHROMA,
    /** Hue of HSV. */
    HUE,
    /** Saturation of HSV. */
    SATURATION,
    /** Value of HSV. */
    VALUE,
    /** L* of CIE LAB. */
    LAB_L,
    /** a* of CIE LAB. */
    LAB_A,
    /** b* of CIE LAB. */
    LAB_B,
    /** How far the other items can be trusted. */
    CONFIDENCE,
    /** First cartesian coordinate. */
    X,
    /** Second cartesian coordinate. */
    Y,
    /** Third cartesian coordinate: depth. */
    Z,
    /** Fourth, homogeneous coordinate. */
    W,
    /** Angle of polar, cylindrical or spherical coordinates. */
    PHI,
    /** Distance of polar, cylindrical or spherical coordinates. */
    RHO,
    /** Second angle of spherical coordinates. */
    THETA,
    /** X of a surface normal. */
    NORMAL_X,
    /** Y of a surface normal. */
    NORMAL_Y,
    /** Z of a surface normal. */
    NORMAL_Z,
    /** One spectral band. */
    BAND,
    /** A vendor's own. */
    CUSTOM
}
