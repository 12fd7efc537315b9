package io.peregrine.gendc;

/** Where a descriptor comes from (GenDC 1.1, chapter 3). Its own bytes only distinguish a final one from the others. */
public enum DescriptorKind {
    /** Read from the device before streaming: everything that can come, at its largest. */
    PREFETCH,
    /** Sent ahead of the data: offsets hold, sizes are the most there can be. */
    PRELIMINARY,
    /** Holds: nothing varies any more. */
    FINAL
}
