package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RemoteAccess;
import io.peregrine.stream.FlowMemory;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Memory that the device may read and write. */
final class VerbsMemoryRegion implements MemoryRegion {
    private final VerbsTransport transport;
    private final RdmaMemory memory;
    private final long region;
    private final long address;
    private final int localKey;
    private final int remoteKey;
    private volatile boolean closed;

    private VerbsMemoryRegion(VerbsTransport transport, RdmaMemory memory, long address, long region) {
        this.transport = transport;
        this.memory = memory;
        this.address = address;
        this.region = region;
        ByteBuffer fields = NativeMemory.buffer(region, VerbsLayout.MR_BYTES);
        this.localKey = fields.getInt(VerbsLayout.MR_LKEY);
        this.remoteKey = fields.getInt(VerbsLayout.MR_RKEY);
    }

    static VerbsMemoryRegion open(VerbsTransport transport, RdmaMemory memory, RemoteAccess access) {
        if (memory.lengthBytes() == 0) {
            throw new RdmaException("Memory of 0 bytes cannot be registered");
        }
        int rights = VerbsLayout.ACCESS_LOCAL_WRITE
                | (access.writes() ? VerbsLayout.ACCESS_REMOTE_WRITE : 0)
                | (access.reads() ? VerbsLayout.ACCESS_REMOTE_READ : 0);
        long region = register(transport.domain(), transport.deviceName(), memory, rights);
        return new VerbsMemoryRegion(transport, memory, addressOf(memory), region);
    }

    /** What work requests and peers give as address of the first byte: within a dmabuf its offset. */
    private static long addressOf(RdmaMemory memory) {
        return memory.dmaBuf().map(FlowMemory::dmaBufOffset).orElseGet(memory::nativeAddress);
    }

    /**
     * Registers memory.
     *
     * @param domain protection domain
     * @param device name of the device, for messages
     * @return address of the registration
     */
    static long register(long domain, String device, RdmaMemory memory, int rights) {
        Optional<FlowMemory> dmaBuf = memory.dmaBuf();
        long address = addressOf(memory);
        long region = dmaBuf.isPresent()
                ? DeviceMemory.register(domain, dmaBuf.get(), memory.lengthBytes(), rights)
                : LibIbverbs.ibv_reg_mr(domain, address, memory.lengthBytes(), rights);
        if (region == 0) {
            int error = Libc.errno();
            throw memory.hostAccess()
                    ? refused(memory.lengthBytes(), error)
                    : DeviceMemory.refused(device, dmaBuf.isPresent(), memory.lengthBytes(), error);
        }
        ByteBuffer fields = NativeMemory.buffer(region, VerbsLayout.MR_BYTES);
        if (fields.getLong(VerbsLayout.MR_PD) != domain
                || fields.getLong(VerbsLayout.MR_ADDR) != address
                || fields.getLong(VerbsLayout.MR_LENGTH) != memory.lengthBytes()) {
            LibIbverbs.ibv_dereg_mr(region);
            throw VerbsTransport.unknownLayout("ibv_mr");
        }
        return region;
    }

    private static RdmaException refused(long neededBytes, int error) {
        if (error == Libc.ENOMEM) {
            return new RdmaException(cannotLock(neededBytes));
        }
        return Errors.failed("Registering " + neededBytes + " bytes of memory", error);
    }

    /** What to say when memory cannot be locked for an adapter. */
    static String cannotLock(long neededBytes) {
        long allowed = Libc.lockableBytes();
        return "Memory of " + neededBytes + " bytes cannot be locked for RDMA: this process may lock "
                + (allowed == Long.MAX_VALUE ? "any amount, so the system is short of memory" : allowed + " bytes")
                + ". Raise the limit with 'ulimit -l' or memlock in /etc/security/limits.conf";
    }

    /** The region if it is of this transport and open, and the range lies inside. */
    static VerbsMemoryRegion of(MemoryRegion region, VerbsTransport transport, long offsetBytes, int lengthBytes) {
        if (!(region instanceof VerbsMemoryRegion own) || own.transport != transport) {
            throw new RdmaException("The memory region is of another transport: register the memory with this one");
        }
        if (own.closed) {
            throw new RdmaException("The memory region is closed");
        }
        if (lengthBytes < 0 || !own.memory.contains(offsetBytes, lengthBytes)) {
            throw new RdmaException(lengthBytes + " bytes at " + offsetBytes + " are not inside a region of "
                    + own.memory.lengthBytes() + " bytes");
        }
        return own;
    }

    long address() {
        return address;
    }

    int localKey() {
        return localKey;
    }

    @Override
    public RdmaMemory memory() {
        return memory;
    }

    @Override
    public long remoteAddress() {
        return address;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public void close() {
        closed = true;
        if (transport.forget(this)) {
            Errors.checkNumber(LibIbverbs.ibv_dereg_mr(region), "Ending the registration of memory");
        }
    }
}
