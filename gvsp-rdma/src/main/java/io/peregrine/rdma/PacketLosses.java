package io.peregrine.rdma;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a transport has counted of packets that were lost or held up since a stream was opened. */
final class PacketLosses {
    private final RdmaTransport transport;
    private final Map<String, Long> before;

    PacketLosses(RdmaTransport transport) {
        this.transport = transport;
        before = transport.packetLosses();
    }

    /** A sentence with the name and the increase of each counter that has grown; empty when none has. */
    Optional<String> sentence() {
        List<String> grown = new ArrayList<>();
        transport.packetLosses().forEach((name, count) -> {
            long increase = count - before.getOrDefault(name, 0L);
            if (increase > 0) {
                grown.add(name + " " + increase);
            }
        });
        return grown.isEmpty()
                ? Optional.empty()
                : Optional.of("Packets of RDMA at " + transport.localAddress().getHostAddress()
                        + " were lost or held up (" + String.join(", ", grown)
                        + "): each costs throughput, though frames arrive whole; check the cable, the switch, flow"
                        + " control and net.core.rmem_max (docs/rdma.md)");
    }
}
