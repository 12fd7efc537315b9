package io.peregrine.recording;

/**
 * A piece of a recorded container and where it lay in the frame's memory, so that replay can put it there again.
 *
 * @param containerOffset first byte in the linear container
 * @param flowOffset first byte in flow 0
 * @param lengthBytes number of bytes
 * @param received whether all of it had arrived
 */
record Segment(long containerOffset, long flowOffset, long lengthBytes, boolean received) {}
