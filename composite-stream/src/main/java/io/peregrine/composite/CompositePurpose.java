package io.peregrine.composite;

/** What the items of a composite are to each other. {@link CompositeMapper} has the rule. */
public enum CompositePurpose {
    /** Nothing that the other values describe: look at the items. */
    CUSTOM,
    /** One image, perhaps with confidence or metadata. */
    IMAGE,
    /** Several images of the same kind. */
    IMAGE_LIST,
    /** Several regions of one frame. */
    MULTI_AOI,
    /** A depth map, perhaps with confidence. */
    RANGE_MAP,
    /** Points in space, perhaps with confidence. */
    POINT_CLOUD,
    /** One image per spectral band. */
    IMAGE_CUBE
}
