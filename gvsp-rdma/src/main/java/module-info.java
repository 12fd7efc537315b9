/** Stream reception over GVSP and RDMA. */
module io.peregrine.stream {
    requires com.sun.jna;
    requires jdk.jfr;
    requires static org.jspecify;

    exports io.peregrine.stream;
    exports io.peregrine.gvsp;
    exports io.peregrine.rdma;

    uses io.peregrine.rdma.RdmaProvider;

    provides io.peregrine.rdma.RdmaProvider with
            io.peregrine.rocev2.SoftwareRoceProvider,
            io.peregrine.verbs.VerbsProvider;
}
