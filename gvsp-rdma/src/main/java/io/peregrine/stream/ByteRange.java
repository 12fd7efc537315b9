package io.peregrine.stream;

/**
 * Bytes that follow each other.
 *
 * @param offset first byte
 * @param lengthBytes how many, at least 1
 */
public record ByteRange(long offset, long lengthBytes) {
    /** Checks that there are any. */
    public ByteRange {
        if (offset < 0 || lengthBytes < 1) {
            throw new IllegalArgumentException(lengthBytes + " bytes from " + offset + " are no range");
        }
    }

    /** The byte behind the last one. */
    public long end() {
        return offset + lengthBytes;
    }
}
