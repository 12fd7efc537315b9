package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.LibRdmaCm;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.rdma.RdmaProvider;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdma.RdmaUnavailableException;
import java.net.Inet4Address;
import java.util.List;

/** RDMA by the verbs of an adapter or of the kernel's Soft-RoCE. */
public final class VerbsProvider implements RdmaProvider {
    private static final int PREFERENCE = 10;

    private final RdmaDevices devices;

    /** For the service loader. */
    public VerbsProvider() {
        this(new RdmaDevices());
    }

    VerbsProvider(RdmaDevices devices) {
        this.devices = devices;
    }

    @Override
    public String name() {
        return VerbsTransport.PROVIDER;
    }

    @Override
    public int preference() {
        return PREFERENCE;
    }

    @Override
    public RdmaTransport open(Inet4Address localAddress) {
        try {
            for (String problem : List.of(Libc.problem(), LibIbverbs.problem(), LibRdmaCm.problem())) {
                if (!problem.isEmpty()) {
                    throw new RdmaUnavailableException(problem);
                }
            }
            return VerbsTransport.open(localAddress, devices);
        } catch (NativeUnavailableException e) {
            throw new RdmaUnavailableException(e.getMessage(), e);
        } catch (LinkageError e) {
            throw new RdmaUnavailableException("a native library cannot be called: " + e.getMessage(), e);
        }
    }
}
