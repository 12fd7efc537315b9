package io.peregrine.cli;

import io.peregrine.device.RdmaProviderStatus;
import java.net.Inet4Address;
import java.util.List;

/** Tries the providers of RDMA on an address. */
@FunctionalInterface
interface ProviderProbe {

    /**
     * The state of one provider.
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
        return address -> RdmaProviderStatus.probe(address).stream()
                .map(status ->
                        new Attempt(status.provider(), status.problem(), status.deviceName(), status.activeMtuBytes()))
                .toList();
    }
}
