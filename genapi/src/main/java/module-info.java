/** GenApi node maps. */
@SuppressWarnings("module") // Those that may use it are built after it.
module io.peregrine.genapi {
    requires static org.jspecify;

    exports io.peregrine.genapi;
    exports io.peregrine.genapi.internal to
            io.peregrine.device;
}
