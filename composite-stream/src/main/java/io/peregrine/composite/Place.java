package io.peregrine.composite;

/** Where the bytes of an item lie: checked against the size of the flow before it is made. */
record Place(int flow, long offset, int lengthBytes) {
    /** No bytes at all. */
    static final Place NONE = new Place(0, 0, 0);

    boolean none() {
        return lengthBytes == 0;
    }

    /** A range within this one. */
    Place within(long from, long length) {
        if (from < 0 || length < 0 || length > lengthBytes - from) {
            throw new IndexOutOfBoundsException(
                    length + " bytes at " + from + " of a place of " + lengthBytes + " bytes");
        }
        return new Place(flow, offset + from, (int) length);
    }
}
