package io.peregrine.genapi;

/** How a node can hang together with others. */
public enum Linkage {
    /** Nodes that a write to this one writes directly. */
    WRITTEN,
    /** Nodes that this one reads directly: for its value, its range, its address, its conditions. */
    READ,
    /** Nodes that a write to this one ends at: registers and own values. */
    TERMINAL,
    /** Nodes that read this one directly. */
    PARENTS,
    /** Nodes that forget what they know when this one changes, directly or through others. */
    DEPENDING,
    /** Nodes whose change makes this one forget what it knows, directly. */
    INVALIDATING
}
