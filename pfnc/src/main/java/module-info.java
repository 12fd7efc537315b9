/** PFNC pixel formats. */
module io.peregrine.pfnc {
    requires static org.jspecify;

    exports io.peregrine.pfnc;
}
