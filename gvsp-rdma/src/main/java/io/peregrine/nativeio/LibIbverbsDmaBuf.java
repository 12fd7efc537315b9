package io.peregrine.nativeio;

/** The function of {@code libibverbs.so.1} for dmabufs, which versions before rdma-core 34 do not have. */
public final class LibIbverbsDmaBuf {
    private static final String PROBLEM = SharedLibrary.bind(
            LibIbverbsDmaBuf.class,
            LibIbverbs.FILE_NAME,
            "libibverbs1 (Debian, Ubuntu) or libibverbs (Fedora, RHEL), from version 34 on");

    private LibIbverbsDmaBuf() {}

    /** Why the call of this class is not possible; empty when it is. */
    public static String problem() {
        return PROBLEM;
    }

    /** {@code struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *, uint64_t, size_t, uint64_t, int, int)}. */
    public static native long ibv_reg_dmabuf_mr(
            long domain, long offset, long length, long address, int descriptor, int access);
}
