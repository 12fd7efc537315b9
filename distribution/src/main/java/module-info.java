/** Frames to other programs and hosts, through Aeron. */
module io.peregrine.distribution {
    requires transitive io.peregrine.device;
    requires io.aeron.client;
    requires io.aeron.driver;
    requires org.agrona;
    requires static org.jspecify;

    exports io.peregrine.distribution;

    provides io.peregrine.device.spi.StreamProvider with
            io.peregrine.distribution.AeronStreams;
}
