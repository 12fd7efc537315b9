package io.peregrine.distribution;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;

/**
 * What the system grants to the sockets of a media driver: a limit of the host ({@code net.core.rmem_max} and
 * {@code net.core.wmem_max} on Linux) may be below what is asked for.
 *
 * @param receiveBytes receive buffer
 * @param sendBytes send buffer
 */
record SocketBuffers(int receiveBytes, int sendBytes) {
    /** The driver refuses less. */
    private static final int MIN_BYTES = 128 << 10;

    /** Asks a socket. */
    static SocketBuffers granted(int wantedBytes) {
        try (DatagramChannel socket = DatagramChannel.open()) {
            return new SocketBuffers(
                    granted(socket, StandardSocketOptions.SO_RCVBUF, wantedBytes),
                    granted(socket, StandardSocketOptions.SO_SNDBUF, wantedBytes));
        } catch (IOException e) {
            throw new DistributionException("No UDP socket can be opened: " + e.getMessage(), e);
        }
    }

    private static int granted(DatagramChannel socket, SocketOption<Integer> buffer, int wantedBytes)
            throws IOException {
        socket.setOption(buffer, wantedBytes);
        return Math.max(MIN_BYTES, Math.min(wantedBytes, socket.getOption(buffer)));
    }
}
