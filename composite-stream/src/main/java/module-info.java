/** Composites from filled flow sets. */
module io.peregrine.composite {
    requires transitive io.peregrine.stream;
    requires transitive io.peregrine.gendc;
    requires transitive java.desktop;
    requires jdk.unsupported;
    requires static org.jspecify;

    exports io.peregrine.composite;
    exports io.peregrine.export;
    exports io.peregrine.recording;
}
