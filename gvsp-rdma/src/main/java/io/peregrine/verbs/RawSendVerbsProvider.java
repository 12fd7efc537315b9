package io.peregrine.verbs;

import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.rdma.RawSendProvider;
import io.peregrine.rdma.RawSendQueue;
import io.peregrine.rdma.RdmaUnavailableException;

/** Sends raw packets by the verbs of an adapter. */
public final class RawSendVerbsProvider implements RawSendProvider {
    /** For the service loader. */
    public RawSendVerbsProvider() {
        // Nothing is opened before it is needed.
    }

    @Override
    public RawSendQueue open(Request request) {
        try {
            RawVerbsProvider.check();
            return RawSendVerbs.open(request, new RdmaDevices());
        } catch (NativeUnavailableException e) {
            throw new RdmaUnavailableException(e.getMessage(), e);
        } catch (LinkageError e) {
            throw new RdmaUnavailableException("a native library cannot be called: " + e.getMessage(), e);
        }
    }
}
