package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RemoteAccess;
import java.nio.ByteBuffer;

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
        long address = memory.nativeAddress();
        int rights = VerbsLayout.ACCESS_LOCAL_WRITE
                | (access.writes() ? VerbsLayout.ACCESS_REMOTE_WRITE : 0)
                | (access.reads() ? VerbsLayout.ACCESS_REMOTE_READ : 0);
        long region = LibIbverbs.ibv_reg_mr(transport.domain(), address, memory.lengthBytes(), rights);
        if (region == 0) {
            throw refused(memory.lengthBytes(), Libc.errno());
        }
        ByteBuffer fields = NativeMemory.buffer(region, VerbsLayout.MR_BYTES);
        if (fields.getLong(VerbsLayout.MR_PD) != transport.domain()
                || fields.getLong(VerbsLayout.MR_ADDR) != address
                || fields.getLong(VerbsLayout.MR_LENGTH) != memory.lengthBytes()) {
            LibIbverbs.ibv_dereg_mr(region);
            throw VerbsTransport.unknownLayout("ibv_mr");
        }
        return new VerbsMemoryRegion(transport, memory, address, region);
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
