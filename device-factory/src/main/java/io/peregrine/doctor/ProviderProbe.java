package io.peregrine.doctor;

import io.peregrine.device.RdmaProviderStatus;
import java.net.Inet4Address;
import java.util.List;
import java.util.Optional;

/** Tries the providers of RDMA, and queues for raw packets, on an address. */
public interface ProviderProbe {

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

    /** Opens a queue for raw packets, with a flow rule, and closes it again; empty when it was not tried. */
    Optional<Attempt> rawPackets(Inet4Address address);

    /** The library's providers. */
    static ProviderProbe ofLibrary() {
        return new ProviderProbe() {
            @Override
            public List<Attempt> attempts(Inet4Address address) {
                return RdmaProviderStatus.probe(address).stream()
                        .map(ProviderProbe::attempt)
                        .toList();
            }

            @Override
            public Optional<Attempt> rawPackets(Inet4Address address) {
                return Optional.of(attempt(RdmaProviderStatus.probeRawPackets(address)));
            }
        };
    }

    private static Attempt attempt(RdmaProviderStatus status) {
        return new Attempt(status.provider(), status.problem(), status.deviceName(), status.activeMtuBytes());
    }
}
