package io.peregrine.stream;

/**
 * What one flow of a flow set needs of memory.
 *
 * @param sizeBytes bytes that the device may send into it for one frame
 * @param alignmentBytes power of two that the address of its first byte must be a multiple of
 */
public record FlowInfo(long sizeBytes, int alignmentBytes) {}
