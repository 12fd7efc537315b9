package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Sends each packet by a separate call. */
final class NioPacketOutput implements PacketOutput {
    private final DatagramChannel channel;
    private final int port;
    private final Counters counters;
    private final ByteBuffer packet = ByteBuffer.allocateDirect(65536);
    private InetSocketAddress destination = new InetSocketAddress(0);
    private ByteBuffer memory = packet;

    private NioPacketOutput(DatagramChannel channel, int port, Counters counters) {
        this.channel = channel;
        this.port = port;
        this.counters = counters;
    }

    static NioPacketOutput open(InetAddress address, int multicastTtl, Counters counters) throws IOException {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        try {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, multicastTtl);
            NetworkInterface at = NetworkInterface.getByInetAddress(address);
            if (at != null) {
                channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, at);
            }
            channel.bind(new InetSocketAddress(address, 0));
            return new NioPacketOutput(channel, ((InetSocketAddress) channel.getLocalAddress()).getPort(), counters);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void send(ByteBuffer data, InetSocketAddress destination) {
        int bytes = data.remaining();
        try {
            if (channel.send(data, destination) == bytes) {
                counters.packetsSent.increment();
                counters.bytesSent.add(bytes);
                return;
            }
        } catch (IOException e) {
            // A receiver that went away (connection refused), a full queue, or the end of this camera.
        }
        counters.sendFailures.increment();
    }

    @Override
    public void begin(InetSocketAddress to, ByteBuffer data) {
        destination = to;
        memory = data;
    }

    @Override
    public void add(ByteBuffer head, int offset, int lengthBytes) {
        packet.clear().put(head);
        packet.put(packet.position(), memory, offset, lengthBytes);
        send(packet.position(packet.position() + lengthBytes).flip(), destination);
    }

    @Override
    public void flush() {
        // Nothing waits.
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            System.getLogger(NioPacketOutput.class.getName())
                    .log(System.Logger.Level.DEBUG, "Closing the stream socket failed", e);
        }
    }
}
