/** Discover, open and stream devices. */
@SuppressWarnings("module") // Those that may use it are built after it.
module io.peregrine.device {
    requires transitive io.peregrine.discovery;
    requires transitive io.peregrine.genapi;
    requires transitive io.peregrine.composite;
    requires com.fasterxml.jackson.databind;
    requires java.management;
    requires org.apache.commons.configuration2;
    requires static org.jspecify;

    exports io.peregrine.device;
    exports io.peregrine.device.configured to
            io.peregrine.browser;
    exports io.peregrine.device.spi to
            io.peregrine.distribution;
    exports io.peregrine.doctor to
            io.peregrine.browser,
            io.peregrine.cli,
            io.peregrine.distribution;
    exports io.peregrine.traffic to
            io.peregrine.cli;

    uses io.peregrine.device.spi.StreamProvider;
    uses io.peregrine.doctor.HostChecks;
}
