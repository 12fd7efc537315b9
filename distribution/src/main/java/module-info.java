/** Frames to other programs and hosts, through Aeron. */
@SuppressWarnings("module") // Those that may use it are built after it.
module io.peregrine.distribution {
    requires transitive io.peregrine.device;
    requires io.aeron.archive;
    requires io.aeron.client;
    requires io.aeron.driver;
    requires org.agrona;
    requires static org.jspecify;

    exports io.peregrine.distribution;
    exports io.peregrine.distribution.archive to
            io.peregrine.cli;

    provides io.peregrine.device.spi.StreamProvider with
            io.peregrine.distribution.AeronStreams;
    provides io.peregrine.doctor.HostChecks with
            io.peregrine.distribution.doctor.DistributionChecks;
}
