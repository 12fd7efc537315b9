/**
 * Stream reception over GVSP and RDMA. {@link io.peregrine.stream} is what users meet; the other packages are for the
 * modules that build on them.
 */
@SuppressWarnings("module") // They are built after this one.
module io.peregrine.stream {
    requires com.sun.jna;
    requires jdk.jfr;
    requires static org.jspecify;

    exports io.peregrine.stream;
    exports io.peregrine.stream.engine to
            io.peregrine.composite,
            io.peregrine.device,
            io.peregrine.distribution;
    exports io.peregrine.gvsp to
            io.peregrine.device;
    exports io.peregrine.nativeio to
            io.peregrine.device,
            io.peregrine.distribution;
    exports io.peregrine.rdma to
            io.peregrine.device,
            io.peregrine.virtualcamera;
    exports io.peregrine.rdmatest to
            io.peregrine.cli;
    exports io.peregrine.rocev2 to
            io.peregrine.device;

    uses io.peregrine.gvsp.RawPacketProvider;
    uses io.peregrine.rdma.RawSendProvider;
    uses io.peregrine.rdma.RdmaProvider;

    provides io.peregrine.gvsp.RawPacketProvider with
            io.peregrine.verbs.RawVerbsProvider;
    provides io.peregrine.rdma.RawSendProvider with
            io.peregrine.verbs.RawSendVerbsProvider;
    provides io.peregrine.rdma.RdmaProvider with
            io.peregrine.rocev2.SoftwareRoceProvider,
            io.peregrine.verbs.VerbsProvider;
}
