package io.peregrine.pfnc;

/** How the number of bytes that came compares to the size of the image. */
public enum DataFit {
    /** As many as the image has. */
    EXACT,
    /** More; what follows the image is not known. Worth a warning. */
    LARGER,
    /** Fewer; the last lines are missing. */
    SHORT
}
