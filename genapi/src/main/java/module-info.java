/** GenApi node maps. */
module io.peregrine.genapi {
    requires java.xml;

    exports io.peregrine.genapi;
}
