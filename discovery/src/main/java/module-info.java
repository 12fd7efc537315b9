/** Finding GigE Vision devices. */
@SuppressWarnings("module") // Those that may use it are built after it.
module io.peregrine.discovery {
    requires transitive io.peregrine.gvcp;
    requires static org.jspecify;

    exports io.peregrine.discovery;
    exports io.peregrine.discovery.internal to
            io.peregrine.device;
}
