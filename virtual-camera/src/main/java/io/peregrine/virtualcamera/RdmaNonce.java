package io.peregrine.virtualcamera;

/** The secret of an RDMA session: good for one connection, then the host has to write another one. */
final class RdmaNonce {
    private int high;
    private int low;
    private boolean good;

    void writeHigh(int value) {
        high = value;
        good = true;
    }

    void writeLow(int value) {
        low = value;
        good = true;
    }

    boolean is(long value) {
        return good && value == ((long) high << 32 | Integer.toUnsignedLong(low));
    }

    void use() {
        good = false;
    }
}
