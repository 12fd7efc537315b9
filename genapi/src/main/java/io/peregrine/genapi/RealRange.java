package io.peregrine.genapi;

/** Limits among real numbers, both taken. */
record RealRange(double low, double high) {
    static final RealRange ALL = new RealRange(-Double.MAX_VALUE, Double.MAX_VALUE);

    RealRange and(RealRange other) {
        return new RealRange(Math.max(low, other.low), Math.min(high, other.high));
    }

    /** The whole numbers inside, as far as 64 bits go. */
    WholeRange inside() {
        return new WholeRange((long) Math.ceil(low), (long) Math.floor(high));
    }
}
