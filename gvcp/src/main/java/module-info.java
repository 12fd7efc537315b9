/** GigE Vision control protocol. */
module io.peregrine.gvcp {
    requires static org.jspecify;

    exports io.peregrine.gvcp;
}
