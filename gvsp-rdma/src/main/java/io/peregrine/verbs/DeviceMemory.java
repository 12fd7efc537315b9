package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbsDmaBuf;
import io.peregrine.nativeio.Libc;
import io.peregrine.rdma.RdmaException;
import io.peregrine.stream.FlowMemory;

/** Registering memory of a device, such as a GPU, which an adapter writes past the processor. */
final class DeviceMemory {
    private DeviceMemory() {}

    /**
     * Registers memory in a dmabuf. Its first byte has the address that it has as offset there.
     *
     * @param lengthBytes bytes of it
     * @param rights what adapters and peers may do
     * @return address of the registration; 0 if it failed, with the reason in errno
     * @throws RdmaException if the library cannot
     */
    static long register(long domain, FlowMemory memory, long lengthBytes, int rights) {
        if (!LibIbverbsDmaBuf.problem().isEmpty()) {
            throw new RdmaException("Memory in a dmabuf cannot be registered: " + LibIbverbsDmaBuf.problem());
        }
        return LibIbverbsDmaBuf.ibv_reg_dmabuf_mr(
                domain,
                memory.dmaBufOffset(),
                lengthBytes,
                memory.dmaBufOffset(),
                memory.dmaBufDescriptor().orElseThrow(),
                rights);
    }

    /** What to say when that failed. */
    static RdmaException refused(String device, boolean dmaBuf, long lengthBytes, int error) {
        String needs = dmaBuf
                ? "it takes an adapter whose driver imports dmabufs (mlx5, with Linux 5.12 or later), an open"
                        + " descriptor of a dmabuf, and an exporter whose memory the adapter reaches"
                : "it takes the kernel module of the other device's driver for peer memory, such as nvidia-peermem";
        return new RdmaException(device + " does not register " + lengthBytes + " bytes of "
                + (dmaBuf ? "a dmabuf" : "memory of another device") + ": " + Libc.text(error) + "; " + needs);
    }
}
