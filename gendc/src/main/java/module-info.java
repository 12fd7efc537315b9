/** GenDC containers. */
module io.peregrine.gendc {
    requires transitive io.peregrine.pfnc;

    exports io.peregrine.gendc;
}
