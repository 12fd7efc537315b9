/** Discover, open and stream devices. */
module io.peregrine.device {
    requires transitive io.peregrine.discovery;
    requires transitive io.peregrine.genapi;
    requires transitive io.peregrine.composite;

    exports io.peregrine.device;
}
