package io.peregrine.gendc;

/** How strictly a descriptor is checked against the standard. */
public enum CheckMode {
    /** What can be lived with is noted; only what makes the container unusable throws. For what comes from devices. */
    TOLERANT,
    /**
     * Every warning and every part that would be rejected throws. Types that are not known do not: the standard wants
     * them to be skipped. For tests of devices and of what writes containers.
     */
    STRICT
}
