package io.peregrine.virtualcamera;

/**
 * What makes a block different from the ones before.
 *
 * @param blockId its id
 * @param timestamp its time
 * @param missingLines how many lines it falls short of the full height
 * @param missingComponents how many components, from the last on, it does not have
 * @param image number of the image that it shows: the block id, unless images repeat
 */
record Stamp(long blockId, long timestamp, int missingLines, int missingComponents, long image) {}
