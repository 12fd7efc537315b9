/** Frames to EPICS clients, through pvAccess. */
@SuppressWarnings("module") // Those that may use it are built after it.
module io.peregrine.pvaccess {
    requires transitive io.peregrine.composite;
    requires core.pva;
    requires java.logging;
    requires static org.jspecify;

    exports io.peregrine.pvaccess;
}
