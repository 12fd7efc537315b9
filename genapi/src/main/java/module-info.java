/** GenApi node maps. */
module io.peregrine.genapi {
    requires static org.jspecify;

    exports io.peregrine.genapi;
}
