package io.peregrine.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortTest {
    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Test
    void noPortIsGivenTwice() {
        assertEquals(
                100, IntStream.generate(FreePort::next).limit(100).distinct().count());
    }

    @Test
    void theSystemGivesHigherPortsToSocketsThatAskForAny() throws SocketException {
        try (DatagramSocket any = new DatagramSocket(loopback(0))) {
            assertTrue(FreePort.next() < any.getLocalPort(), () -> "system: " + any.getLocalPort());
        }
    }

    @Test
    void aPortInUseByUdpIsSkipped() throws SocketException {
        int taken = FreePort.next() + 1;
        try (DatagramSocket other = new DatagramSocket(loopback(taken))) {
            assertNotEquals(other.getLocalPort(), FreePort.next());
        }
    }

    @Test
    void aPortInUseByTcpIsSkipped() throws IOException {
        int taken = FreePort.next() + 1;
        try (ServerSocket other = new ServerSocket()) {
            other.bind(loopback(taken));
            assertNotEquals(other.getLocalPort(), FreePort.next());
        }
    }
}
