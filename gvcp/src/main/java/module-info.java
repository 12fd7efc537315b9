/** GigE Vision control protocol. */
module io.peregrine.gvcp {
    exports io.peregrine.gvcp;
}
