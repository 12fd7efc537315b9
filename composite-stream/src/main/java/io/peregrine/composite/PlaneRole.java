package io.peregrine.composite;

/** What a plane holds. */
public enum PlaneRole {
    /** Not known. */
    UNDEFINED,
    /** Red. */
    RED,
    /** Green. */
    GREEN,
    /** Blue. */
    BLUE,
    /** First cartesian coordinate. */
    X,
    /** Second cartesian coordinate. */
    Y,
    /** Third cartesian coordinate: depth. */
    Z,
    /** How far the other items can be trusted. */
    CONFIDENCE,
    /** One spectral band. */
    BAND
}
