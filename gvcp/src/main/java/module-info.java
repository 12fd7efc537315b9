/** GigE Vision control protocol. */
@SuppressWarnings("module") // Those that may use it are built after it.
module io.peregrine.gvcp {
    requires static org.jspecify;

    exports io.peregrine.gvcp to
            io.peregrine.device,
            io.peregrine.discovery;
}
