package io.peregrine.genapi;

/** Limits among whole numbers, both taken. */
record WholeRange(long low, long high) {
    static final WholeRange ALL = new WholeRange(Long.MIN_VALUE, Long.MAX_VALUE);

    WholeRange and(WholeRange other) {
        return new WholeRange(Math.max(low, other.low), Math.min(high, other.high));
    }
}
