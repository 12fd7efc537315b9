package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.DatagramSocket;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

class SocketBuffersTest {
    private static final int WANTED = 192 << 10;

    @Test
    void receiveBufferIsWhatTheSystemGrants() throws SocketException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setReceiveBufferSize(WANTED);

            assertEquals(
                    Math.min(WANTED, socket.getReceiveBufferSize()),
                    SocketBuffers.granted(WANTED).receiveBytes());
        }
    }

    @Test
    void sendBufferIsWhatTheSystemGrants() throws SocketException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSendBufferSize(WANTED);

            assertEquals(
                    Math.min(WANTED, socket.getSendBufferSize()),
                    SocketBuffers.granted(WANTED).sendBytes());
        }
    }
}
