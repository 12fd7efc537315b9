package io.peregrine.gvcp;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * The message channel of a device: receives its events (EVENT and EVENTDATA, standard and extended), acknowledges them,
 * and passes each to a listener once and in order. A device repeats a command until it is acknowledged; a repetition is
 * acknowledged again, but not passed on again.
 *
 * <p>Events come from one port of the device: the one that it reports (register MCSP), or else that of the first event.
 * Datagrams from another port or another address are counted and not acknowledged.
 *
 * <p>Two threads: one acknowledges, so that the device is never kept waiting; the other calls the listener. Events for
 * which a slow listener has no room are dropped and counted.
 */
public final class MessageChannel implements AutoCloseable {
    /** Events that wait for the listener at most. */
    static final int MAX_WAITING = 1024;

    private static final System.Logger LOGGER = System.getLogger(MessageChannel.class.getName());
    private static final int MAX_DATAGRAM_BYTES = 65536;
    /** Commands that are remembered; a device repeats the last one, and ids come again only after 65535 others. */
    private static final int REMEMBERED = 64;

    private static final long TURN_MILLIS = 200;
    /** How long closing waits for a listener to return. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int UNKNOWN_PORT = -1;

    private final InetAddress device;
    private final DatagramChannel channel;
    private final Consumer<GvcpEvent> listener;
    private final Runnable closeDevice;
    private final Duration patience;
    private final BlockingQueue<GvcpEvent> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Thread receiver;
    private final Thread caller;

    private final byte[][] remembered = new byte[REMEMBERED][];
    private int nextRemembered;

    private final LongAdder events = new LongAdder();
    private final LongAdder repetitions = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder malformed = new LongAdder();
    private final LongAdder foreign = new LongAdder();
    private final LongAdder foreignPort = new LongAdder();
    /** Where events come from. */
    private final AtomicInteger port = new AtomicInteger(UNKNOWN_PORT);

    private MessageChannel(
            InetAddress device,
            DatagramChannel channel,
            Consumer<GvcpEvent> listener,
            Runnable closeDevice,
            Duration patience) {
        this.device = device;
        this.channel = channel;
        this.listener = listener;
        this.closeDevice = closeDevice;
        this.patience = patience;
        receiver = new Thread(this::receive, "gvcp-messages-" + device.getHostAddress());
        caller = new Thread(this::call, "gvcp-events-" + device.getHostAddress());
        receiver.setDaemon(true);
        caller.setDaemon(true);
    }

    /**
     * Opens a socket for events and makes it the device's destination (registers MCDA and MCP). Which events it sends
     * is the device's own feature EventNotification.
     *
     * @param control an open control channel with the right to write
     * @param listener takes each event; called on a thread of the channel
     * @return the channel; to be closed before the control channel
     * @throws GvcpException if the device has no message channel, refuses, or the socket cannot be opened
     */
    public static MessageChannel open(GvcpChannel control, Consumer<GvcpEvent> listener) {
        return open(control, listener, 0, Optional.empty());
    }

    /**
     * The same at a given port, for hosts behind address translation.
     *
     * @param control an open control channel with the right to write
     * @param listener takes each event; called on a thread of the channel
     * @param hostPort UDP port to listen at, and which is written to the device; 0 for a free one
     * @param announced host address that is written to the device; empty for that of the control channel
     * @return the channel; to be closed before the control channel
     * @throws GvcpException if the device has no message channel, refuses, or the socket cannot be opened
     */
    public static MessageChannel open(
            GvcpChannel control, Consumer<GvcpEvent> listener, int hostPort, Optional<Inet4Address> announced) {
        Objects.requireNonNull(listener, "listener");
        if (control.readRegister(BootstrapRegister.MESSAGE_CHANNEL_COUNT) == 0) {
            throw new GvcpException("The device has no message channel: it cannot send events");
        }
        MessageChannel messages = open(
                new InetSocketAddress(control.localAddress(), hostPort),
                control.deviceAddress().getAddress(),
                listener,
                () -> {
                    if (control.alive()) {
                        control.writeRegister(BootstrapRegister.MESSAGE_CHANNEL_PORT, 0);
                    }
                },
                PATIENCE);
        try {
            InetAddress host = announced.isPresent() ? announced.get() : control.localAddress();
            int destination = ByteBuffer.wrap(host.getAddress()).getInt();
            control.writeRegister(BootstrapRegister.MESSAGE_CHANNEL_DESTINATION, destination);
            control.writeRegister(
                    BootstrapRegister.MESSAGE_CHANNEL_PORT,
                    messages.localAddress().getPort());
            // A translation of addresses may change the port, too.
            if (announced.isEmpty()) {
                messages.expectFrom(sourcePort(control));
            }
            return messages;
        } catch (RuntimeException e) {
            messages.close();
            throw e;
        }
    }

    /** Port that the device says its events come from; 0 if it does not say. */
    private static int sourcePort(GvcpChannel control) {
        try {
            return (control.readRegister(BootstrapRegister.MESSAGE_CHANNEL_CAPABILITY)
                                    & BootstrapRegister.MESSAGE_CAPABILITY_SOURCE_PORT)
                            == 0
                    ? 0
                    : control.readRegister(BootstrapRegister.MESSAGE_CHANNEL_SOURCE_PORT)
                            & BootstrapRegister.MESSAGE_CHANNEL_SOURCE_PORT_MASK;
        } catch (GvcpStatusException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "No register with the port of events", e);
            return 0;
        }
    }

    /** Takes events of one port of the device only; 0 leaves that to the first event. */
    void expectFrom(int sourcePort) {
        if (sourcePort != 0) {
            port.set(sourcePort);
        }
    }

    /**
     * Opens a socket and starts to listen; writing it to the device is left to the caller.
     *
     * @param patience how long closing waits for a listener to return
     */
    static MessageChannel open(
            InetSocketAddress local,
            InetAddress device,
            Consumer<GvcpEvent> listener,
            Runnable closeDevice,
            Duration patience) {
        DatagramChannel channel = null;
        try {
            channel = DatagramChannel.open(StandardProtocolFamily.INET);
            channel.bind(local);
            MessageChannel messages = new MessageChannel(device, channel, listener, closeDevice, patience);
            messages.receiver.start();
            messages.caller.start();
            return messages;
        } catch (IOException e) {
            if (channel != null) {
                closeSocket(channel);
            }
            throw new GvcpException(
                    "Cannot listen for events at " + local.getAddress().getHostAddress()
                            + (local.getPort() == 0 ? "" : ", port " + local.getPort()) + ": " + e.getMessage(),
                    e);
        }
    }

    /** Where the device sends its events. */
    public InetSocketAddress localAddress() {
        try {
            return (InetSocketAddress) channel.getLocalAddress();
        } catch (IOException e) {
            throw new GvcpException("The message channel is closed", e);
        }
    }

    /** What happened so far. */
    public MessageStatistics statistics() {
        return new MessageStatistics(
                events.sum(), repetitions.sum(), dropped.sum(), malformed.sum(), foreign.sum(), foreignPort.sum());
    }

    // ---- the thread that answers

    private void receive() {
        ByteBuffer datagram = ByteBuffer.allocate(MAX_DATAGRAM_BYTES);
        while (!closing.get()) {
            try {
                datagram.clear();
                InetSocketAddress from = (InetSocketAddress) channel.receive(datagram);
                if (!from.getAddress().equals(device)) {
                    foreign.increment();
                } else if (port.get() != UNKNOWN_PORT && port.get() != from.getPort()) {
                    foreignPort.increment();
                } else {
                    understand(datagram.flip(), from);
                }
            } catch (AsynchronousCloseException e) {
                return;
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                // Errors that earlier answers caused; the next datagram is not concerned.
                LOGGER.log(System.Logger.Level.DEBUG, "receiving an event failed", e);
            } catch (RuntimeException | Error e) {
                // Memory is full, for example; the device repeats what is not answered.
                LOGGER.log(System.Logger.Level.WARNING, "An event could not be taken", e);
            }
        }
    }

    private void understand(ByteBuffer datagram, InetSocketAddress from) throws IOException {
        byte[] bytes = new byte[datagram.remaining()];
        datagram.get(0, bytes);
        CommandHeader header;
        List<GvcpEvent> list;
        try {
            header = CommandHeader.decode(datagram);
            list = header.command() == Gvcp.EVENT_DATA
                    ? EventDataCommand.decode(datagram).events()
                    : EventCommand.decode(datagram).events();
        } catch (MalformedPacketException e) {
            malformed.increment();
            return;
        }
        port.compareAndSet(UNKNOWN_PORT, from.getPort());
        if (known(bytes)) {
            repetitions.increment();
        } else {
            remembered[nextRemembered] = bytes;
            nextRemembered = (nextRemembered + 1) % REMEMBERED;
            for (GvcpEvent event : list) {
                if (!waiting.offer(event)) {
                    dropped.increment();
                }
            }
        }
        if (header.has(Gvcp.FLAG_ACKNOWLEDGE)) {
            EmptyAck answer = new EmptyAck(header.requestId(), header.command() + 1, GvcpStatus.SUCCESS);
            channel.send(ByteBuffer.wrap(answer.encode()), from);
        }
    }

    /** The same command again; a new one differs in its id at least. */
    private boolean known(byte[] command) {
        for (byte[] earlier : remembered) {
            if (earlier != null && Arrays.equals(earlier, command)) {
                return true;
            }
        }
        return false;
    }

    // ---- the thread that calls

    private void call() {
        while (!closing.get()) {
            try {
                GvcpEvent event = waiting.poll(TURN_MILLIS, TimeUnit.MILLISECONDS);
                if (event != null && !closing.get()) {
                    events.increment();
                    listener.accept(event);
                }
            } catch (InterruptedException e) {
                // Only closing ends this thread.
            } catch (RuntimeException | Error e) {
                LOGGER.log(System.Logger.Level.WARNING, "A listener for events failed", e);
            }
        }
    }

    /**
     * Whether a thread is the one that calls the listener.
     *
     * @param thread any thread
     * @return true if {@link #close} on another thread would wait for it
     */
    public boolean listenersRunOn(Thread thread) {
        return thread == caller;
    }

    // ---- end

    /**
     * Asks the device to send no more, and ends both threads. A listener that does not return, though it is
     * interrupted, is not waited for longer than a few seconds. Idempotent. May be called by the listener.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        try {
            closeDevice.run();
        } catch (GvcpException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the device could not be asked to send no more events", e);
        } finally {
            closeSocket(channel);
            caller.interrupt();
            Threads.join(receiver);
            if (!Threads.join(caller, patience.toNanos())) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "{0}: a listener does not return, its thread stays",
                        caller.getName());
            }
        }
    }

    private static void closeSocket(DatagramChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "closing a socket failed", e);
        }
    }

    @Override
    public String toString() {
        return "message channel of " + device.getHostAddress() + ", " + statistics();
    }
}
