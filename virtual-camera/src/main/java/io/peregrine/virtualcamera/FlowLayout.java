package io.peregrine.virtualcamera;

/** How the components of a GenDC container are spread over flows. */
public enum FlowLayout {
    /** Everything in flow 0. */
    SINGLE,
    /** One flow for each component; the descriptor is in the first. */
    PER_COMPONENT
}
