package io.peregrine.gvcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The UDP socket of a control channel. It is connected, so that datagrams from any other address never arrive. Any
 * thread may send; one at a time may receive and wait.
 */
final class ControlSocket implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ControlSocket.class.getName());

    private final InetSocketAddress device;
    private final InetSocketAddress local;
    private final DatagramChannel channel;
    private final Selector selector;

    private ControlSocket(InetSocketAddress device, DatagramChannel channel, Selector selector) throws IOException {
        this.device = device;
        this.channel = channel;
        this.selector = selector;
        this.local = (InetSocketAddress) channel.getLocalAddress();
    }

    /**
     * Opens a socket; nothing is sent.
     *
     * @param device address and port of the device
     * @param local address and port of the host; empty lets the route to the device decide
     * @param typeOfService of what is sent; 0 leaves it to the system
     * @throws GvcpException if there is no route to the device, or the host's address is taken
     */
    @SuppressWarnings("resource") // channel and selector belong to what is returned
    static ControlSocket open(InetSocketAddress device, Optional<InetSocketAddress> local, int typeOfService) {
        if (device.isUnresolved()) {
            throw new GvcpException("unknown host " + device.getHostString());
        }
        Wire.requireIpv4(device.getAddress());
        DatagramChannel channel = null;
        Selector selector = null;
        try {
            channel = DatagramChannel.open(StandardProtocolFamily.INET);
            if (typeOfService != 0) {
                channel.setOption(StandardSocketOptions.IP_TOS, typeOfService);
            }
            if (local.isPresent()) {
                channel.bind(local.get());
            }
            channel.connect(device);
            channel.configureBlocking(false);
            selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new ControlSocket(device, channel, selector);
        } catch (IOException e) {
            closeQuietly(selector, e);
            closeQuietly(channel, e);
            throw new GvcpException("no route to " + name(device) + ": " + e.getMessage(), e);
        }
    }

    InetSocketAddress device() {
        return device;
    }

    InetSocketAddress local() {
        return local;
    }

    /** The device's address and port, for messages. */
    String deviceName() {
        return name(device);
    }

    static String name(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Sends a datagram without waiting; false if the network does not take it. */
    boolean send(ByteBuffer datagram) throws IOException {
        return channel.write(datagram) > 0;
    }

    /** Receives a datagram if one is there: the buffer holds it from position to limit then. */
    boolean receive(ByteBuffer datagram) throws IOException {
        datagram.clear();
        boolean received = channel.read(datagram) > 0;
        datagram.flip();
        return received;
    }

    /** Waits until a datagram arrives, {@link #wake} is called, or the time is over. */
    void await(long nanos) throws IOException {
        selector.select(key -> {}, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }

    /** Ends {@link #await}. */
    void wake() {
        selector.wakeup();
    }

    @Override
    public void close() {
        closeQuietly(selector, null);
        closeQuietly(channel, null);
    }

    private static void closeQuietly(@Nullable AutoCloseable resource, @Nullable Exception cause) {
        if (resource == null) {
            return;
        }
        try {
            resource.close();
        } catch (Exception e) {
            if (cause != null) {
                cause.addSuppressed(e);
            } else {
                LOGGER.log(System.Logger.Level.DEBUG, "closing a socket failed", e);
            }
        }
    }
}
