package io.peregrine.discovery.internal;

import io.peregrine.gvcp.AckHeader;
import io.peregrine.gvcp.DiscoveryAck;
import io.peregrine.gvcp.Gvcp;
import io.peregrine.gvcp.GvcpCommand;
import io.peregrine.gvcp.GvcpStatus;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.ToLongFunction;

/**
 * One search: its sockets, the addresses they ask, and the answers. All datagrams are taken off the sockets before any
 * is decoded, since a thousand devices answer within milliseconds. Used by one thread.
 */
final class Search implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Search.class.getName());
    private static final byte[] LIMITED_BROADCAST = {-1, -1, -1, -1};
    private static final int MAX_ANSWER_BYTES = 2048;
    /** Room for thousands of answers; the system may grant less. */
    private static final int SOCKET_BUFFER_BYTES = 8 << 20;
    /** Datagrams taken at once, so that a flood cannot stall the search. */
    private static final int MAX_WAITING = 4096;
    /** Parts of the window; each may begin with the question. */
    private static final int ROUNDS = 4;

    /** What is asked. */
    interface Question {
        GvcpCommand command(int requestId, boolean broadcast);
    }

    /** A socket and the addresses it asks. */
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

    /** A datagram that arrived. */
    private record Heard(Asker asker, InetSocketAddress source, ByteBuffer datagram) {}

    private final int devicePort;
    private final Question question;
    private final IntSupplier requestIds;
    private final AnswerCounters counters;
    private final ToLongFunction<Set<Integer>> drops;
    private final Answers answers;
    private final Selector selector;
    private final List<Asker> askers = new ArrayList<>();
    private final List<DatagramChannel> channels = new ArrayList<>();
    private final Set<Integer> ports = new HashSet<>();
    private final List<Integer> asked = new ArrayList<>();
    private final ByteBuffer received = ByteBuffer.allocateDirect(MAX_ANSWER_BYTES);
    private final Queue<Heard> waiting = new ArrayDeque<>();

    private Optional<GvcpStatus> refusal = Optional.empty();
    private boolean done;

    /**
     * Prepares a search.
     *
     * @param present interfaces of this host
     * @param devicePort where devices listen
     * @param question what is asked
     * @param requestIds gives each question its id
     * @param counters counts dropped answers
     * @param drops counts what the system dropped so far at sockets of some ports
     */
    Search(
            List<HostInterface> present,
            int devicePort,
            Question question,
            IntSupplier requestIds,
            AnswerCounters counters,
            ToLongFunction<Set<Integer>> drops)
            throws IOException {
        this.devicePort = devicePort;
        this.question = question;
        this.requestIds = requestIds;
        this.counters = counters;
        this.drops = drops;
        answers = new Answers(present, devicePort);
        selector = Selector.open();
    }

    void addInterface(HostInterface searched) {
        try {
            List<InetSocketAddress> targets = new ArrayList<>();
            searched.directedBroadcast().ifPresent(a -> targets.add(new InetSocketAddress(a, devicePort)));
            InetAddress limited = InetAddress.getByAddress(LIMITED_BROADCAST);
            targets.add(new InetSocketAddress(limited, devicePort));

            DatagramChannel channel = newChannel();
            channel.setOption(StandardSocketOptions.SO_BROADCAST, true);
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(new InetSocketAddress(searched.address(), 0));
            ports.add(((InetSocketAddress) channel.getLocalAddress()).getPort());
            Asker asker = new Asker(channel, Optional.of(searched), targets);
            askers.add(asker);
            channel.register(selector, SelectionKey.OP_READ, asker);
            listenToBroadcast(asker);
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "{0} cannot be searched: {1}", searched.name(), e.getMessage());
        }
    }

    /**
     * A device on a foreign subnet answers by broadcast, which a socket bound to one address does not receive. So
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
            LOGGER.log(System.Logger.Level.DEBUG, "answers by broadcast cannot be received: {0}", e.getMessage());
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
        channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
        return channel;
    }

    /**
     * Asks at the beginning and in the middle of the window, in case a datagram was lost, and in between whenever
     * answers were lost.
     */
    void run(Duration window) throws IOException {
        long start = System.nanoTime();
        long lostBefore = drops.applyAsLong(ports);
        long lostRecently = 0;
        int knownBefore = 0;
        for (int round = 0; round < ROUNDS && !over(); round++) {
            if (round % 2 == 0 || lostRecently > 0) {
                ask();
                lostRecently = 0;
                knownBefore = answers.size();
            }
            collect(start, window.toNanos() / ROUNDS * (round + 1));
            long lost = drops.applyAsLong(ports);
            lostRecently += Math.max(lost - lostBefore, 0);
            counters.lost.add(Math.max(lost - lostBefore, 0));
            lostBefore = lost;
        }
        // When what got through were only devices that are known, most likely all are.
        if (lostRecently > 0 && answers.size() > knownBefore) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "{0} answers were lost because too many devices answered at once: some devices may be missing."
                            + " Search for longer, or raise net.core.rmem_max",
                    Long.toString(lostRecently));
        }
    }

    private boolean over() {
        return done || askers.stream().allMatch(a -> a.settled);
    }

    private void ask() {
        int id = requestIds.getAsInt();
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
        while (left > 0 && !over()) {
            interrupted |= Thread.interrupted();
            selector.select(this::take, TimeUnit.NANOSECONDS.toMillis(left) + 1);
            int more = waiting.size();
            while (more > 0 && waiting.size() < MAX_WAITING) {
                more = selector.selectNow(this::take);
            }
            for (Heard heard = waiting.poll(); heard != null; heard = waiting.poll()) {
                examine(heard.asker, heard.source, heard.datagram);
            }
            left = untilNanos - (System.nanoTime() - start);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(SelectionKey key) {
        Asker asker = (Asker) key.attachment();
        try {
            while (waiting.size() < MAX_WAITING) {
                received.clear();
                SocketAddress source = ((DatagramChannel) key.channel()).receive(received);
                if (source == null) {
                    return;
                }
                byte[] datagram = new byte[received.flip().remaining()];
                received.get(datagram);
                waiting.add(new Heard(asker, (InetSocketAddress) source, ByteBuffer.wrap(datagram)));
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
                if (!answers.add(asker.searched, source, DiscoveryAck.decode(datagram))) {
                    counters.lost.increment();
                }
                asker.settled = asker.direct();
            } else if (wanted && header.acknowledge() == Gvcp.FORCE_IP_ACK) {
                done = true;
                refusal = header.status().success() ? Optional.empty() : Optional.of(header.status());
            } else {
                counters.stale.increment();
            }
        } catch (MalformedPacketException e) {
            counters.malformed.increment();
        }
    }

    /** The devices that answered, each once. */
    List<DiscoveredDevice> devices() {
        return answers.devices();
    }

    /** Whether a device acknowledged or refused. */
    boolean done() {
        return done;
    }

    /** Why it refused, if it did. */
    Optional<GvcpStatus> refusal() {
        return refusal;
    }

    @Override
    public void close() throws IOException {
        for (DatagramChannel channel : channels) {
            channel.close();
        }
        selector.close();
    }
}
