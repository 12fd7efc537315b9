/** GenApi node maps. */
module io.peregrine.genapi {
    requires java.xml;
    requires static org.jspecify;

    exports io.peregrine.genapi;
}
