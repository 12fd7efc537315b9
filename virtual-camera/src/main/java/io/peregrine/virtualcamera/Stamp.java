package io.peregrine.virtualcamera;

/** What makes a block different from the ones before: id, time, and how many lines it falls short of the full height. */
record Stamp(long blockId, long timestamp, int missingLines) {}
