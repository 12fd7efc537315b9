/** Finding GigE Vision devices. */
module io.peregrine.discovery {
    requires transitive io.peregrine.gvcp;

    exports io.peregrine.discovery;
}
