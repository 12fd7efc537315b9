package io.peregrine.conformance.genapi;

/** A property of a node that both implementations give, and not the same; empty text for what has no content. */
record Difference(String property, String file, String content, String node, String ours, String theirs) {
    /** Cells separated by tabs, as the list of permitted differences has them. */
    @Override
    public String toString() {
        return String.join("\t", property, file, content, node, ours, theirs);
    }
}
