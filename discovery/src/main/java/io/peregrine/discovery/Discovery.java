package io.peregrine.discovery;

import io.peregrine.gvcp.AckHeader;
import io.peregrine.gvcp.DiscoveryAck;
import io.peregrine.gvcp.DiscoveryCommand;
import io.peregrine.gvcp.ForceIpCommand;
import io.peregrine.gvcp.Gvcp;
import io.peregrine.gvcp.GvcpCommand;
import io.peregrine.gvcp.GvcpStatus;
import io.peregrine.gvcp.MacAddress;
import io.peregrine.gvcp.MalformedPacketException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Finds GigE Vision devices: asks on every interface by broadcast, to its subnet and to everybody, and asks given addresses
 * directly. Each search has sockets of its own, so that nothing of an earlier one gets in; what was asked is asked once
 * more in the middle of the window, since nobody repeats a lost datagram.
 */
public final class Discovery {
    /** A window that devices on a local network keep. */
    public static final Duration DEFAULT_WINDOW = Duration.ofMillis(300);

    private static final System.Logger LOGGER = System.getLogger(Discovery.class.getName());

    private static final byte[] EVERYBODY = {-1, -1, -1, -1};
    private static final int RECEIVE_BUFFER_BYTES = 2048;
    private static final int MAX_REQUEST_ID = 0xFFFF;

    private final DiscoverySettings settings;
    private final AtomicInteger requestIds = new AtomicInteger();
    private final LongAdder malformedAnswers = new LongAdder();
    private final LongAdder staleAnswers = new LongAdder();

    private Discovery(DiscoverySettings settings) {
        this.settings = settings;
    }

    /**
     * Prepares searches.
     *
     * @param settings where to look
     * @return what searches
     */
    public static Discovery create(DiscoverySettings settings) {
        return new Discovery(settings);
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
     * @throws DiscoveryException if an interface that was asked for does not exist, or no socket can be had
     */
    public List<DiscoveredDevice> discover(Duration window) {
        try (Search search = prepare((id, broadcast) -> new DiscoveryCommand(id, broadcast))) {
            search.run(window);
            return search.found.values().stream().map(Candidate::device).toList();
        } catch (IOException e) {
            throw new DiscoveryException("searching for devices failed: " + e.getMessage(), e);
        }
    }

    /**
     * Where a search asks, in words: the interfaces, and the addresses that are asked directly.
     *
     * @return half a sentence, such as "by broadcast to port 3956 on eth0 (10.0.0.2) and directly at 10.1.0.9:3956"
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
     * Gives a device another IP address until it restarts; the way to a device on a foreign subnet. The command goes where
     * a search would go.
     *
     * @param mac which device
     * @param address its new IPv4 address; 0.0.0.0 lets it start its own configuration again
     * @param subnetMask its new subnet mask
     * @param gateway its new default gateway, 0.0.0.0 for none
     * @param window how long to wait for its answer; a device may take seconds
     * @return true if it answered; one that changes its address at once may not
     * @throws DiscoveryException if the device refuses, an interface that was asked for does not exist, or no socket can be
     *     had
     */
    public boolean forceIp(
            MacAddress mac, InetAddress address, InetAddress subnetMask, InetAddress gateway, Duration window) {
        try (Search search = prepare(
                (id, broadcast) -> new ForceIpCommand(id, true, broadcast, mac, address, subnetMask, gateway))) {
            search.run(window);
            search.refusal.ifPresent(status -> {
                throw new DiscoveryException(mac + " refused the address " + address.getHostAddress() + ": "
                        + status.name() + ", " + status.description());
            });
            return search.done;
        } catch (IOException e) {
            throw new DiscoveryException("giving " + mac + " another address failed: " + e.getMessage(), e);
        }
    }

    /**
     * Finds a free address for a device in the subnet of the interface that it was found on. Asks the network whether an
     * address is somebody's, which takes some 150 ms for each that is not.
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
        present.forEach(own -> taken.add(own.address()));
        return present.stream()
                .filter(own -> own.name().equals(device.interfaceName())
                        && own.address().equals(device.interfaceAddress()))
                .findFirst()
                .flatMap(there -> AddressSuggestion.find(
                        there, device.address(), a -> taken.contains(a) || Neighbours.present(there, a)));
    }

    private Search prepare(Question question) throws IOException {
        List<HostInterface> present = HostInterface.all();
        List<HostInterface> searched =
                settings.broadcast() ? HostInterface.select(present, settings.interfaces()) : List.of();
        Search search = new Search(present, question);
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
        return malformedAnswers.sum();
    }

    /**
     * Answers to something that the search had not asked, which were dropped.
     *
     * @return their number since this object was made
     */
    public long staleAnswers() {
        return staleAnswers.sum();
    }

    private int nextRequestId() {
        return requestIds.updateAndGet(id -> id >= MAX_REQUEST_ID ? 1 : id + 1);
    }

    /** What is asked. */
    private interface Question {
        GvcpCommand command(int requestId, boolean broadcast);
    }

    /** A socket, whom it asks, and what it has heard. */
    private static final class Asker {
        private final DatagramChannel channel;
        private final Optional<HostInterface> searched;
        private final List<InetSocketAddress> targets;
        private boolean settled;

        Asker(DatagramChannel channel, Optional<HostInterface> searched, List<InetSocketAddress> targets) {
            this.channel = channel;
            this.searched = searched;
            this.targets = targets;
        }

        boolean direct() {
            return searched.isEmpty();
        }
    }

    /** What makes a device the same device. */
    private record Identity(long mac, InetAddress address, int port) {}

    /** A device and how well the interface noted for it is known. */
    private record Candidate(DiscoveredDevice device, boolean byRoute) {}

    private final class Search implements AutoCloseable {
        private final List<HostInterface> present;
        private final Question question;
        private final Selector selector;
        private final List<Asker> askers = new ArrayList<>();
        private final List<DatagramChannel> channels = new ArrayList<>();
        private final List<Integer> asked = new ArrayList<>();
        private final Map<Identity, Candidate> found = new LinkedHashMap<>();
        private final ByteBuffer received = ByteBuffer.allocate(RECEIVE_BUFFER_BYTES);

        private Optional<GvcpStatus> refusal = Optional.empty();
        private boolean done;

        Search(List<HostInterface> present, Question question) throws IOException {
            this.present = present;
            this.question = question;
            this.selector = Selector.open();
        }

        void addInterface(HostInterface searched) {
            try {
                List<InetSocketAddress> targets = new ArrayList<>();
                searched.directedBroadcast().ifPresent(a -> targets.add(new InetSocketAddress(a, settings.port())));
                InetAddress everybody = InetAddress.getByAddress(EVERYBODY);
                targets.add(new InetSocketAddress(everybody, settings.port()));

                DatagramChannel channel = newChannel();
                channel.setOption(StandardSocketOptions.SO_BROADCAST, true);
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                channel.bind(new InetSocketAddress(searched.address(), 0));
                Asker asker = new Asker(channel, Optional.of(searched), targets);
                askers.add(asker);
                channel.register(selector, SelectionKey.OP_READ, asker);
                listenToBroadcast(asker);
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.WARNING, "{0} cannot be searched: {1}", searched.name(), e.getMessage());
            }
        }

        /**
         * A device on a foreign subnet answers to everybody, which a socket bound to one address does not hear. So
         * another one, bound to none, shares its port; what is sent to the address still goes to the first.
         */
        private void listenToBroadcast(Asker asker) {
            try {
                int port = ((InetSocketAddress) asker.channel.getLocalAddress()).getPort();
                DatagramChannel channel = newChannel();
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                channel.bind(new InetSocketAddress(port));
                channel.register(selector, SelectionKey.OP_READ, asker);
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "answers by broadcast cannot be heard: {0}", e.getMessage());
            }
        }

        void addDevice(InetSocketAddress device) {
            try {
                if (device.isUnresolved()) {
                    throw new UnknownHostException(device.getHostString());
                }
                DatagramChannel channel = newChannel();
                channel.connect(device);
                Asker asker = new Asker(channel, Optional.empty(), List.of(device));
                askers.add(asker);
                channel.register(selector, SelectionKey.OP_READ, asker);
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "{0} cannot be asked: {1}", device, e.getMessage());
            }
        }

        private DatagramChannel newChannel() throws IOException {
            DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
            channels.add(channel);
            channel.configureBlocking(false);
            return channel;
        }

        void run(Duration window) throws IOException {
            long start = System.nanoTime();
            long windowNanos = window.toNanos();
            ask();
            collect(start, windowNanos / 2);
            ask();
            collect(start, windowNanos);
        }

        private void ask() {
            if (done) {
                return;
            }
            int id = nextRequestId();
            asked.add(id);
            byte[] direct = question.command(id, false).encode();
            byte[] broadcast = question.command(id, true).encode();
            for (Asker asker : askers) {
                if (asker.settled) {
                    continue;
                }
                for (InetSocketAddress target : asker.targets) {
                    try {
                        asker.channel.send(ByteBuffer.wrap(asker.direct() ? direct : broadcast), target);
                    } catch (IOException e) {
                        LOGGER.log(System.Logger.Level.DEBUG, "{0} cannot be asked: {1}", target, e.getMessage());
                    }
                }
            }
        }

        private void collect(long start, long untilNanos) throws IOException {
            boolean interrupted = false;
            long left = untilNanos - (System.nanoTime() - start);
            while (left > 0 && !done && !askers.stream().allMatch(a -> a.settled)) {
                interrupted |= Thread.interrupted();
                selector.select(this::receive, TimeUnit.NANOSECONDS.toMillis(left) + 1);
                left = untilNanos - (System.nanoTime() - start);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Takes one datagram; what else there is comes with the next round, so that a flood cannot hold the search. */
        private void receive(SelectionKey key) {
            Asker asker = (Asker) key.attachment();
            try {
                received.clear();
                SocketAddress source = ((DatagramChannel) key.channel()).receive(received);
                if (source != null) {
                    examine(asker, (InetSocketAddress) source, received.flip());
                }
            } catch (PortUnreachableException e) {
                asker.settled = asker.direct();
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "receiving answers failed: {0}", e.getMessage());
            }
        }

        private void examine(Asker asker, InetSocketAddress source, ByteBuffer datagram) {
            try {
                AckHeader header = AckHeader.decode(datagram);
                boolean wanted = asked.contains(header.ackId());
                if (wanted && header.acknowledge() == Gvcp.DISCOVERY_ACK) {
                    add(asker, source, DiscoveryAck.decode(datagram));
                    asker.settled = asker.direct();
                } else if (wanted && header.acknowledge() == Gvcp.FORCE_IP_ACK) {
                    done = true;
                    refusal = header.status().success() ? Optional.empty() : Optional.of(header.status());
                } else {
                    staleAnswers.increment();
                }
            } catch (MalformedPacketException e) {
                malformedAnswers.increment();
            }
        }

        private void add(Asker asker, InetSocketAddress source, DiscoveryAck ack) {
            boolean useSource = asker.direct() || ack.address().isAnyLocalAddress();
            InetAddress address = useSource ? source.getAddress() : ack.address();
            int port = asker.direct() ? source.getPort() : settings.port();
            Optional<HostInterface> routed = HostInterface.routeTo(new InetSocketAddress(address, port))
                    .flatMap(local -> interfaceOf(local, address));
            // A device is not always where its answer came in: one on this very host answers on every interface. The
            // route knows better, if it is a direct one.
            boolean byRoute = routed.isPresent() && routed.get().contains(address);
            Optional<HostInterface> noted = byRoute || asker.direct() ? routed : asker.searched;
            if (noted.isEmpty()) {
                return;
            }
            DiscoveredDevice device = new DiscoveredDevice(
                    address,
                    port,
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
                    noted.get().name(),
                    noted.get().address(),
                    !noted.get().contains(address));
            Identity identity = new Identity(ack.mac().value(), address, port);
            Candidate known = found.get(identity);
            if (known == null || (byRoute && !known.byRoute)) {
                found.put(identity, new Candidate(device, byRoute));
            }
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

        @Override
        public void close() throws IOException {
            for (DatagramChannel channel : channels) {
                channel.close();
            }
            selector.close();
        }
    }
}
