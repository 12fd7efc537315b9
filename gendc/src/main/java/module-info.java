/** GenDC containers. */
module io.peregrine.gendc {
    requires transitive io.peregrine.pfnc;
    requires static org.jspecify;

    exports io.peregrine.gendc;
}
