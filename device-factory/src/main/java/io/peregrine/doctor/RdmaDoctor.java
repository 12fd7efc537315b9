package io.peregrine.doctor;

import java.net.Inet4Address;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Examines what RDMA needs of a host. Changes nothing; what it opens it closes again. */
public final class RdmaDoctor {
    private final HostFiles host;
    private final List<LocalAddress> addresses;
    private final ProviderProbe probe;
    private final ExternalTool tool;

    /** One that examines a host by what is given. */
    public RdmaDoctor(HostFiles host, List<LocalAddress> addresses, ProviderProbe probe, ExternalTool tool) {
        this.host = host;
        this.addresses = List.copyOf(addresses);
        this.probe = probe;
        this.tool = tool;
    }

    /** One that examines this host. */
    public static RdmaDoctor ofSystem() {
        return new RdmaDoctor(
                HostFiles.system(), LocalAddress.all(), ProviderProbe.ofLibrary(), ExternalTool.ofSystem());
    }

    /**
     * Examines the host.
     *
     * @param wanted address of the interface to look at; when empty those that have an RDMA device, or, where there is
     *     none, all but loopback
     */
    public List<Finding> examine(Optional<Inet4Address> wanted) {
        List<RdmaPort> ports = RdmaPort.all(host);
        List<LocalAddress> targets = wanted.map(this::target).orElseGet(() -> targets(ports));
        Map<LocalAddress, List<ProviderProbe.Attempt>> attempts = new LinkedHashMap<>();
        targets.forEach(target -> attempts.put(target, probe.attempts(target.address())));
        List<RdmaPort> looked = wanted.isPresent()
                ? ports.stream().filter(port -> serves(port, targets)).toList()
                : ports;

        List<Finding> findings = new ArrayList<>();
        if (wanted.isPresent() && targets.isEmpty()) {
            findings.add(Finding.fail(
                    "interface",
                    wanted.get().getHostAddress(),
                    "no interface that is up has this address; there is " + addresses,
                    "give one of these addresses, or set it: ip address add "
                            + wanted.get().getHostAddress() + "/24 dev INTERFACE"));
        }
        findings.addAll(new RdmaHostChecks(host, ports, attempts).all());
        findings.addAll(new RdmaPortChecks(host, looked).all());
        for (LocalAddress target : targets) {
            findings.addAll(new RdmaAddressChecks(host, ports, target, attempts.get(target), tool).all());
            findings.addAll(new TrafficClassChecks(host, ports, target, tool).all());
            findings.addAll(new RawPacketChecks(host, ports, target, rawQueue(ports, target)).all());
        }
        return findings;
    }

    /** Only where an adapter could have one, since the others refuse for lack of it. */
    private Optional<ProviderProbe.Attempt> rawQueue(List<RdmaPort> ports, LocalAddress target) {
        boolean adapter = ports.stream().anyMatch(port -> !port.software() && port.serves(target));
        return adapter ? probe.rawPackets(target.address()) : Optional.empty();
    }

    private List<LocalAddress> target(Inet4Address wanted) {
        List<LocalAddress> exact = addresses.stream()
                .filter(candidate -> candidate.address().equals(wanted))
                .toList();
        if (exact.isEmpty() && wanted.isLoopbackAddress()) {
            // Every address of 127.0.0.0/8 is this host's, listed or not.
            return addresses.stream()
                    .filter(candidate -> candidate.address().isLoopbackAddress())
                    .limit(1)
                    .map(loopback -> new LocalAddress(loopback.networkInterface(), wanted))
                    .toList();
        }
        return exact;
    }

    private List<LocalAddress> targets(List<RdmaPort> ports) {
        List<LocalAddress> withDevice = addresses.stream()
                .filter(address -> ports.stream().anyMatch(port -> port.serves(address)))
                .toList();
        if (!withDevice.isEmpty()) {
            return withDevice;
        }
        List<LocalAddress> outside = addresses.stream()
                .filter(address -> !address.address().isLoopbackAddress())
                .toList();
        return outside.isEmpty() ? addresses : outside;
    }

    private static boolean serves(RdmaPort port, List<LocalAddress> targets) {
        return targets.stream().anyMatch(port::serves);
    }
}
