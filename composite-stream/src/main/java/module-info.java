/** Composites from filled flow sets. */
module io.peregrine.composite {
    requires transitive io.peregrine.stream;
    requires transitive io.peregrine.gendc;

    exports io.peregrine.composite;
}
