/** Stream reception over GVSP and RDMA. */
module io.peregrine.stream {
    exports io.peregrine.stream;
    exports io.peregrine.gvsp;
}
