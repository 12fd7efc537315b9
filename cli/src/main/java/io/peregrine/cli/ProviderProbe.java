package io.peregrine.cli;

import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaProvider;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import java.net.Inet4Address;
import java.util.ArrayList;
import java.util.List;

/** Tries the providers of RDMA on an address. */
@FunctionalInterface
interface ProviderProbe {

    /**
     * What became of one provider.
     *
     * @param provider its name
     * @param refusal why it does not work; empty when it does
     * @param device name of its device; empty when it does not work
     * @param activeMtuBytes largest path MTU; 0 when it does not work
     */
    record Attempt(String provider, String refusal, String device, int activeMtuBytes) {
        boolean works() {
            return refusal.isEmpty();
        }
    }

    /** Opens each provider and closes it again; the preferred one first. */
    List<Attempt> attempts(Inet4Address address);

    /** The library's providers. */
    static ProviderProbe ofLibrary() {
        return address -> {
            List<Attempt> attempts = new ArrayList<>();
            for (RdmaProvider provider : RdmaProviders.all()) {
                try (RdmaTransport transport = provider.open(address)) {
                    attempts.add(new Attempt(provider.name(), "", transport.deviceName(), transport.activeMtuBytes()));
                } catch (RdmaException e) {
                    attempts.add(new Attempt(provider.name(), String.valueOf(e.getMessage()), "", 0));
                }
            }
            return attempts;
        };
    }
}
