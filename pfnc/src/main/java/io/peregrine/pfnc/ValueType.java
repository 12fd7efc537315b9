package io.peregrine.pfnc;

/** What the bits of a component are (PFNC 2.4, chapter 5). */
public enum ValueType {
    /** Unsigned integer. */
    UNSIGNED,
    /** Integer in two's complement. */
    SIGNED,
    /** IEEE 754 number of 32 or 64 bits. */
    FLOAT
}
