/** GenApi node maps. */
module io.peregrine.genapi {
    // Only tests use it: they compare what is read with the parser of the JDK.
    requires static java.xml;
    requires static org.jspecify;

    exports io.peregrine.genapi;
}
