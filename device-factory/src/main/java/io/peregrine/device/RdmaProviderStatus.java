package io.peregrine.device;

import io.peregrine.gvsp.RawPacketProvider;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaProvider;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import java.net.Inet4Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Whether an RDMA provider works on a local interface.
 *
 * @param provider name of the provider, as the parameter {@code RdmaProvider} takes it
 * @param problem why it does not work; empty when it does
 * @param deviceName name of its RDMA device; empty when it does not work
 * @param activeMtuBytes largest path MTU in bytes; 0 when it does not work
 */
public record RdmaProviderStatus(String provider, String problem, String deviceName, int activeMtuBytes) {

    /** Checks that no part is null. */
    public RdmaProviderStatus {
        Objects.requireNonNull(provider, "provider");
        Objects.requireNonNull(problem, "problem");
        Objects.requireNonNull(deviceName, "deviceName");
    }

    /** Whether the provider works. */
    public boolean works() {
        return problem.isEmpty();
    }

    /**
     * Opens every provider on an interface and closes it again.
     *
     * @param localAddress address of the interface
     * @return one status for each provider, the preferred provider first
     */
    public static List<RdmaProviderStatus> probe(Inet4Address localAddress) {
        List<RdmaProviderStatus> found = new ArrayList<>();
        for (RdmaProvider provider : RdmaProviders.all()) {
            found.add(probe(provider, localAddress));
        }
        return List.copyOf(found);
    }

    /**
     * Opens a queue for raw packets on an interface, as {@code PacketReceiver=verbs} does, and closes it again.
     *
     * @param localAddress address of the interface
     * @return a status with the provider {@code verbs}, without device and MTU
     */
    public static RdmaProviderStatus probeRawPackets(Inet4Address localAddress) {
        return new RdmaProviderStatus("verbs", RawPacketProvider.problem(localAddress), "", 0);
    }

    private static RdmaProviderStatus probe(RdmaProvider provider, Inet4Address localAddress) {
        try (RdmaTransport transport = provider.open(localAddress)) {
            return new RdmaProviderStatus(provider.name(), "", transport.deviceName(), transport.activeMtuBytes());
        } catch (RdmaException e) {
            return new RdmaProviderStatus(provider.name(), String.valueOf(e.getMessage()), "", 0);
        }
    }
}
