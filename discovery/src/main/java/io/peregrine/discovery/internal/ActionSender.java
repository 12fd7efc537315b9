package io.peregrine.discovery.internal;

import io.peregrine.gvcp.AckHeader;
import io.peregrine.gvcp.ActionCommand;
import io.peregrine.gvcp.Gvcp;
import io.peregrine.gvcp.GvcpStatus;
import io.peregrine.gvcp.MalformedPacketException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Sends action commands and collects their answers. A command is sent once and never repeated: a device that received
 * both would act twice. Broadcasts reach only the subnets of the interfaces that are named.
 */
public final class ActionSender {
    private static final System.Logger LOGGER = System.getLogger(ActionSender.class.getName());
    private static final byte[] LIMITED_BROADCAST = {-1, -1, -1, -1};
    private static final int RECEIVE_BUFFER_BYTES = 2048;
    private static final int MAX_ANSWERS = 4096;

    /**
     * What a device answered.
     *
     * @param device its address and port
     * @param status how it went
     */
    public record Answer(InetSocketAddress device, GvcpStatus status) {}

    private final DiscoverySettings settings;

    private ActionSender(DiscoverySettings settings) {
        this.settings = settings;
    }

    /**
     * Prepares sending.
     *
     * @param settings where to: by broadcast to the interfaces that they name, and to each direct address
     * @return the sender
     */
    public static ActionSender create(DiscoverySettings settings) {
        return new ActionSender(settings);
    }

    /**
     * Sends a command and waits for the answers that it asks for. A device that the command does not address stays
     * silent.
     *
     * @param command what to send
     * @param window how long to wait at most; less if every direct address has answered and nothing was broadcast
     * @param expected number of answers after which to stop waiting; 0 for the whole window
     * @return the first answer of each device, in the order in which they came
     * @throws DiscoveryException if no address is named to send to, an interface does not exist, or no socket can be
     *     had
     */
    public List<Answer> send(ActionCommand command, Duration window, int expected) {
        boolean broadcast = settings.broadcast() && !settings.interfaces().isEmpty();
        if (!broadcast && settings.unicast().isEmpty()) {
            throw new DiscoveryException("an action command needs named devices or interfaces to send to: name some");
        }
        try (Sending sending = new Sending(command, expected)) {
            if (broadcast) {
                for (HostInterface there : HostInterface.select(HostInterface.all(), settings.interfaces())) {
                    sending.addInterface(there);
                }
            }
            for (InetSocketAddress device : settings.unicast()) {
                sending.addDevice(device);
            }
            return sending.run(window);
        } catch (IOException e) {
            throw new DiscoveryException("sending an action command failed: " + e.getMessage(), e);
        }
    }

    /** A socket, and where it sends the command. */
    private record Route(DatagramChannel channel, InetSocketAddress target) {}

    private final class Sending implements AutoCloseable {
        private final ActionCommand command;
        private final int expected;
        private final Selector selector = Selector.open();
        private final List<Route> routes = new ArrayList<>();
        private final Set<Route> open = new HashSet<>();
        private final Map<InetSocketAddress, GvcpStatus> answers = new LinkedHashMap<>();
        private final ByteBuffer received = ByteBuffer.allocate(RECEIVE_BUFFER_BYTES);

        Sending(ActionCommand command, int expected) throws IOException {
            this.command = command;
            this.expected = expected;
        }

        void addInterface(HostInterface there) throws IOException {
            // To one of the two broadcast addresses only: devices receive both.
            Optional<InetAddress> subnet = there.directedBroadcast();
            InetAddress all = subnet.isPresent() ? subnet.get() : InetAddress.getByAddress(LIMITED_BROADCAST);
            DatagramChannel channel = add(new InetSocketAddress(all, settings.port()));
            channel.setOption(StandardSocketOptions.SO_BROADCAST, true);
            channel.bind(new InetSocketAddress(there.address(), 0));
        }

        void addDevice(InetSocketAddress device) throws IOException {
            if (device.isUnresolved()) {
                throw new DiscoveryException("unknown host " + device.getHostString());
            }
            add(device).connect(device);
        }

        private DatagramChannel add(InetSocketAddress target) throws IOException {
            DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
            Route route = new Route(channel, target);
            routes.add(route);
            open.add(route);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, route);
            return channel;
        }

        List<Answer> run(Duration window) throws IOException {
            byte[] packet = command.encode();
            for (Route route : routes) {
                route.channel.send(ByteBuffer.wrap(packet), route.target);
            }
            if (command.acknowledge()) {
                collect(window.toNanos());
            }
            return answers.entrySet().stream()
                    .map(entry -> new Answer(entry.getKey(), entry.getValue()))
                    .toList();
        }

        private void collect(long windowNanos) throws IOException {
            long start = System.nanoTime();
            boolean interrupted = false;
            long left = windowNanos;
            while (left > 0 && !open.isEmpty() && (expected == 0 || answers.size() < expected)) {
                interrupted |= Thread.interrupted();
                selector.select(this::receive, TimeUnit.NANOSECONDS.toMillis(left) + 1);
                left = windowNanos - (System.nanoTime() - start);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private void receive(SelectionKey key) {
            Route route = (Route) key.attachment();
            try {
                received.clear();
                InetSocketAddress source = (InetSocketAddress) route.channel.receive(received);
                if (source == null) {
                    return;
                }
                AckHeader header = AckHeader.decode(received.flip());
                if (header.acknowledge() == Gvcp.ACTION_ACK
                        && header.ackId() == command.requestId()
                        && answers.size() < MAX_ANSWERS) {
                    answers.putIfAbsent(source, header.status());
                    if (route.channel.isConnected()) {
                        open.remove(route);
                    }
                }
            } catch (PortUnreachableException e) {
                open.remove(route);
            } catch (MalformedPacketException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "an answer to an action is malformed: {0}", e.getMessage());
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "receiving answers failed: {0}", e.getMessage());
            }
        }

        @Override
        public void close() throws IOException {
            for (Route route : routes) {
                route.channel.close();
            }
            selector.close();
        }
    }
}
