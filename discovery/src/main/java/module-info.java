/** Finding GigE Vision devices. */
module io.peregrine.discovery {
    requires transitive io.peregrine.gvcp;
    requires static org.jspecify;

    exports io.peregrine.discovery;
}
