/** Composites from filled flow sets. */
@SuppressWarnings("module") // Those that may use it are built after it.
module io.peregrine.composite {
    requires transitive io.peregrine.stream;
    requires transitive io.peregrine.gendc;
    requires transitive java.desktop;
    requires jdk.unsupported;
    requires static org.jspecify;

    exports io.peregrine.composite;
    exports io.peregrine.composite.internal to
            io.peregrine.cli,
            io.peregrine.device;
    exports io.peregrine.export;
    exports io.peregrine.recording;
    exports io.peregrine.recording.internal to
            io.peregrine.device;
}
