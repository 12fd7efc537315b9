package io.peregrine.verbs;

import io.peregrine.gvsp.RawPacketProvider;
import io.peregrine.gvsp.RawPacketQueue;
import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.LibRdmaCm;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeUnavailableException;
import java.nio.file.Path;
import java.util.List;

/** Raw packets by the verbs of an adapter. */
public final class RawVerbsProvider implements RawPacketProvider {
    private final RdmaDevices devices;

    /** For the service loader. */
    public RawVerbsProvider() {
        this(new RdmaDevices());
    }

    private RawVerbsProvider(RdmaDevices devices) {
        this.devices = devices;
    }

    /**
     * Reads the counters of adapters elsewhere than in {@code /sys/class/infiniband}.
     *
     * @param counters folder laid out like that one
     */
    public RawVerbsProvider(Path counters) {
        this(new RdmaDevices(counters));
    }

    @Override
    public RawPacketQueue open(Request request) {
        try {
            check();
            return RawVerbs.open(request, devices);
        } catch (LinkageError e) {
            throw new NativeUnavailableException("a native library cannot be called: " + e.getMessage(), e);
        }
    }

    /**
     * Checks that the libraries are there.
     *
     * @throws NativeUnavailableException if one is not, with its name
     */
    static void check() {
        for (String problem : List.of(Libc.problem(), LibIbverbs.problem(), LibRdmaCm.problem())) {
            if (!problem.isEmpty()) {
                throw new NativeUnavailableException(problem, null);
            }
        }
    }
}
