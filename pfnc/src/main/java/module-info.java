/** PFNC pixel formats. */
module io.peregrine.pfnc {
    exports io.peregrine.pfnc;
}
