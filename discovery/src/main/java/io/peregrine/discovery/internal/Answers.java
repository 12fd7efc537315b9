package io.peregrine.discovery.internal;

import io.peregrine.gvcp.DiscoveryAck;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What devices answered in a search. Which interface leads to a device is determined once, after the last answer. */
final class Answers {
    /** Most devices of one search, so that forged answers cannot exhaust the memory. */
    private static final int MAX_DEVICES = 16_384;

    /** What makes a device the same device. */
    private record Identity(long mac, InetAddress address, int port) {}

    /** An answer, and the interface that was asked, or none if the device was asked directly. */
    private record Answer(DiscoveryAck ack, Optional<HostInterface> searched) {}

    private final List<HostInterface> present;
    private final int devicePort;
    private final Map<Identity, List<Answer>> received = new LinkedHashMap<>();

    Answers(List<HostInterface> present, int devicePort) {
        this.present = present;
        this.devicePort = devicePort;
    }

    /**
     * Takes an answer.
     *
     * @return false if there is no room for one more device
     */
    boolean add(Optional<HostInterface> searched, InetSocketAddress source, DiscoveryAck ack) {
        boolean direct = searched.isEmpty();
        boolean useSource = direct || ack.address().isAnyLocalAddress();
        Identity identity = new Identity(
                ack.mac().value(),
                useSource ? source.getAddress() : ack.address(),
                direct ? source.getPort() : devicePort);
        List<Answer> known = received.get(identity);
        if (known == null) {
            if (received.size() >= MAX_DEVICES) {
                return false;
            }
            known = new ArrayList<>(1);
            received.put(identity, known);
        }
        // Later ones of the same kind repeat the first.
        if (known.stream().noneMatch(each -> each.searched.isEmpty() == direct)) {
            known.add(new Answer(ack, searched));
        }
        return true;
    }

    /** Number of devices so far. */
    int size() {
        return received.size();
    }

    /** Every device once, in the order of their first answers. */
    List<DiscoveredDevice> devices() {
        List<DiscoveredDevice> devices = new ArrayList<>(received.size());
        received.forEach((identity, answers) -> device(identity, answers).ifPresent(devices::add));
        return devices;
    }

    private Optional<DiscoveredDevice> device(Identity identity, List<Answer> answers) {
        Optional<HostInterface> routed = HostInterface.routeTo(new InetSocketAddress(identity.address, identity.port))
                .flatMap(local -> interfaceOf(local, identity.address));
        // A device is not always where its answer came in: one on this host answers on every interface. The route
        // knows better, if it is a direct one.
        boolean byRoute = routed.isPresent() && routed.get().contains(identity.address);
        for (Answer answer : answers) {
            Optional<HostInterface> noted = byRoute || answer.searched.isEmpty() ? routed : answer.searched;
            if (noted.isPresent()) {
                return Optional.of(device(identity, answer.ack, noted.get()));
            }
        }
        return Optional.empty();
    }

    private static DiscoveredDevice device(Identity identity, DiscoveryAck ack, HostInterface noted) {
        return new DiscoveredDevice(
                identity.address,
                identity.port,
                ack.mac(),
                ack.subnetMask(),
                ack.gateway(),
                ack.manufacturer(),
                ack.model(),
                ack.deviceVersion(),
                ack.manufacturerInfo(),
                ack.serialNumber(),
                ack.userName(),
                ack.specVersionMajor(),
                ack.specVersionMinor(),
                noted.name(),
                noted.address(),
                !noted.contains(identity.address));
    }

    /** The interface of a local address. On loopback, any address of the subnet is a local one. */
    private Optional<HostInterface> interfaceOf(InetAddress local, InetAddress device) {
        Optional<HostInterface> exact =
                present.stream().filter(i -> i.address().equals(local)).findFirst();
        return exact.isPresent()
                ? exact
                : present.stream()
                        .filter(i -> i.loopback() && i.contains(device))
                        .findFirst();
    }
}
