package io.peregrine.distribution.driver;

import io.peregrine.nativeio.DatagramRuns;
import io.peregrine.nativeio.NativeUnavailableException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import org.agrona.UnsafeApi;

/**
 * What Java cannot set at the socket of a channel: that the kernel cuts and joins runs of datagrams. Java does not give
 * the number of the socket; it is read from the channel, and believed if it has the channel's port.
 */
final class ChannelSocket {
    /** Cuts and joins nothing. */
    static final ChannelSocket NONE = new ChannelSocket(-1);

    private static final System.Logger LOGGER = System.getLogger(ChannelSocket.class.getName());
    private static final String NUMBER = "fdVal";

    private final int number;

    private ChannelSocket(int number) {
        this.number = number;
    }

    /** The socket of a channel that is bound; {@link #NONE} where the system or Java does not give it. */
    static ChannelSocket of(DatagramChannel channel) {
        try {
            int number = UnsafeApi.getInt(channel, UnsafeApi.objectFieldOffset(channel.getClass(), NUMBER));
            if (channel.getLocalAddress() instanceof InetSocketAddress local
                    && DatagramRuns.localPort(number) == local.getPort()) {
                return new ChannelSocket(number);
            }
        } catch (NativeUnavailableException | IOException | InternalError e) {
            LOGGER.log(System.Logger.Level.DEBUG, "Datagrams go one by one", e);
        }
        return NONE;
    }

    /**
     * Cuts what is sent from now on, after a number of bytes or, with 0, not at all; returns whether that is possible.
     */
    boolean cut(int bytes) {
        return number >= 0 && DatagramRuns.cut(number, bytes);
    }

    /** Joins what arrives; returns whether that is possible. */
    boolean join() {
        return number >= 0 && DatagramRuns.join(number, true);
    }
}
