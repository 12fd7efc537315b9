package io.peregrine.discovery.internal;

import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.gvcp.DiscoveryCommand;
import io.peregrine.gvcp.ForceIpCommand;
import io.peregrine.gvcp.MacAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Finds GigE Vision devices: asks on every interface by broadcast, to its subnet and to 255.255.255.255, and asks given
 * addresses directly. Each search has separate sockets, so that no answer to an earlier one reaches it. The question is
 * repeated in the middle of the window, in case a datagram was lost, and more often while answers are lost because too
 * many come at once. Any thread may call any method.
 */
public final class Discovery {
    /** A window in which devices on a local network answer. */
    public static final Duration DEFAULT_WINDOW = Duration.ofMillis(300);

    private static final int MAX_REQUEST_ID = 0xFFFF;

    private final DiscoverySettings settings;
    private final AtomicInteger requestIds = new AtomicInteger();
    private final AnswerCounters counters = new AnswerCounters();
    private final ToLongFunction<Set<Integer>> drops;

    /**
     * For searches whose losses come from elsewhere.
     *
     * @param drops counts what was dropped so far at sockets of some ports
     */
    Discovery(DiscoverySettings settings, ToLongFunction<Set<Integer>> drops) {
        this.settings = settings;
        this.drops = drops;
    }

    /**
     * Prepares searches.
     *
     * @param settings where to look
     * @return what searches
     */
    public static Discovery create(DiscoverySettings settings) {
        return new Discovery(settings, KernelDrops::at);
    }

    /**
     * Searches in the default window.
     *
     * @return the devices that answered
     */
    public List<DiscoveredDevice> discover() {
        return discover(DEFAULT_WINDOW);
    }

    /**
     * Searches. Takes the whole window, except if only given addresses are asked and all of them have answered.
     *
     * @param window how long to wait for answers
     * @return the devices that answered, each once
     * @throws DiscoveryException if an interface that was asked for does not exist, or no socket is available
     */
    public List<DiscoveredDevice> discover(Duration window) {
        try (Search search = prepare((id, broadcast) -> new DiscoveryCommand(id, broadcast))) {
            search.run(window);
            return search.devices();
        } catch (IOException e) {
            throw new DiscoveryException("searching for devices failed: " + e.getMessage(), e);
        }
    }

    /**
     * Where a search asks, as text: the interfaces, and the addresses that are asked directly.
     *
     * @return a phrase such as "by broadcast to port 3956 on eth0 (10.0.0.2) and directly at 10.1.0.9:3956"
     * @throws DiscoveryException if an interface that was asked for does not exist
     */
    public String scope() {
        String direct = settings.unicast().stream()
                .map(device -> device.getHostString() + ":" + device.getPort())
                .collect(Collectors.joining(", "));
        if (!settings.broadcast()) {
            return direct.isEmpty()
                    ? "nowhere, since broadcast is off"
                    : "directly at " + direct + " (broadcast is off)";
        }
        String interfaces = HostInterface.select(HostInterface.all(), settings.interfaces()).stream()
                .map(each -> each.name() + " (" + each.address().getHostAddress() + ")")
                .collect(Collectors.joining(", "));
        return "by broadcast to port " + settings.port() + " on "
                + (interfaces.isEmpty()
                        ? "no interface, since none but loopback is up with an IPv4 address"
                        : interfaces)
                + (direct.isEmpty() ? "" : " and directly at " + direct);
    }

    /**
     * Gives a device another IP address until it restarts, also on a foreign subnet. The command is sent where a search
     * would go.
     *
     * @param mac which device
     * @param address its new IPv4 address; 0.0.0.0 lets it configure its address again
     * @param subnetMask its new subnet mask
     * @param gateway its new default gateway, 0.0.0.0 for none
     * @param window how long to wait for its answer; a device may take seconds
     * @return true if it answered; one that changes its address at once may not
     * @throws DiscoveryException if the device refuses, an interface that was asked for does not exist, or no socket is
     *     available
     */
    public boolean forceIp(
            MacAddress mac, InetAddress address, InetAddress subnetMask, InetAddress gateway, Duration window) {
        try (Search search = prepare(
                (id, broadcast) -> new ForceIpCommand(id, true, broadcast, mac, address, subnetMask, gateway))) {
            search.run(window);
            search.refusal().ifPresent(status -> {
                throw new DiscoveryException(mac + " refused the address " + address.getHostAddress() + ": "
                        + status.name() + ", " + status.description());
            });
            return search.done();
        } catch (IOException e) {
            throw new DiscoveryException("giving " + mac + " another address failed: " + e.getMessage(), e);
        }
    }

    /**
     * Finds a free address for a device in the subnet of the interface that it was found on. Asks the network whether
     * an address is in use, which takes some 150 ms for each that is not.
     *
     * @param device a device that was found, for example one on a foreign subnet
     * @param others other devices that were found; their addresses are not free, even if they cannot be reached
     * @return an address, the same place in the subnet as the device has now if that is free; empty if the interface is
     *     gone, its subnet has no room, or no free one was found among 64
     */
    public Optional<AddressConfiguration> suggestAddress(DiscoveredDevice device, Collection<DiscoveredDevice> others) {
        Set<InetAddress> taken = new HashSet<>();
        others.forEach(other -> taken.add(other.address()));
        List<HostInterface> present = HostInterface.all();
        present.forEach(host -> taken.add(host.address()));
        return present.stream()
                .filter(host -> host.name().equals(device.interfaceName())
                        && host.address().equals(device.interfaceAddress()))
                .findFirst()
                .flatMap(there -> AddressSuggestion.find(
                        there, device.address(), a -> taken.contains(a) || Neighbours.present(there, a)));
    }

    private Search prepare(Search.Question question) throws IOException {
        List<HostInterface> present = HostInterface.all();
        List<HostInterface> searched =
                settings.broadcast() ? HostInterface.select(present, settings.interfaces()) : List.of();
        Search search = new Search(present, settings.port(), question, this::nextRequestId, counters, drops);
        searched.forEach(search::addInterface);
        settings.unicast().forEach(search::addDevice);
        return search;
    }

    /**
     * Datagrams that were no well-formed answer and were dropped.
     *
     * @return their number since this object was made
     */
    public long malformedAnswers() {
        return counters.malformed.sum();
    }

    /**
     * Answers to something that the search had not asked, which were dropped.
     *
     * @return their number since this object was made
     */
    public long staleAnswers() {
        return counters.stale.sum();
    }

    /**
     * Answers that found no room because too many came at once, as far as the system counts them (Linux). A search asks
     * again then; one that still lost some at its end logs a warning.
     *
     * @return their number since this object was made
     */
    public long lostAnswers() {
        return counters.lost.sum();
    }

    private int nextRequestId() {
        return requestIds.updateAndGet(id -> id >= MAX_REQUEST_ID ? 1 : id + 1);
    }
}
