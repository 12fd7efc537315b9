package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.ptr.IntByReference;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Sees the Ethernet packets that the loopback interface takes for a UDP port, by a packet socket (packet(7)). */
final class WireTap implements AutoCloseable {
    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final short ETH_P_IP = 0x0800;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int ADDRESS_BYTES = 20;
    private static final int PACKET_TYPE = 10;
    private static final byte PACKET_OUTGOING = 4;
    private static final int LIMIT_SECONDS = 20;
    private static final int DESTINATION_PORT = 36;

    private final NativeLibrary c = NativeLibrary.getInstance("c");
    private final int port;
    private final int fd;

    WireTap(int port) throws IOException {
        this.port = port;
        fd = call("socket", AF_PACKET, SOCK_RAW_CLOEXEC, 0);
        assertTrue(fd >= 0, "no packet socket");
        try (Memory value = new Memory(ADDRESS_BYTES)) {
            value.setInt(0, 64 << 20);
            call("setsockopt", fd, SOL_SOCKET, SO_RCVBUFFORCE, value, 4);
            value.setLong(0, LIMIT_SECONDS);
            value.setLong(8, 0);
            call("setsockopt", fd, SOL_SOCKET, SO_RCVTIMEO, value, 16);
            value.clear();
            value.setShort(0, (short) AF_PACKET);
            value.setShort(2, Short.reverseBytes(ETH_P_IP));
            value.setInt(
                    4,
                    NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress())
                            .getIndex());
            assertTrue(call("bind", fd, value, ADDRESS_BYTES) == 0, "the packet socket has no interface");
        }
    }

    private int call(String function, Object... arguments) {
        return c.getFunction(function).invokeInt(arguments);
    }

    /** Waits for packets; they come as they are on the wire. */
    List<byte[]> take(int count) {
        List<byte[]> taken = new ArrayList<>();
        byte[] packet = new byte[1 << 16];
        try (Memory from = new Memory(ADDRESS_BYTES)) {
            while (taken.size() < count) {
                int bytes = call("recvfrom", fd, packet, packet.length, 0, from, new IntByReference(ADDRESS_BYTES));
                assertTrue(bytes > 0, taken.size() + " packets of " + count);
                if (bytes > DESTINATION_PORT + 2
                        && from.getByte(PACKET_TYPE) != PACKET_OUTGOING
                        && Short.toUnsignedInt(ByteBuffer.wrap(packet).getShort(DESTINATION_PORT)) == port) {
                    taken.add(Arrays.copyOf(packet, bytes));
                }
            }
        }
        return taken;
    }

    @Override
    public void close() {
        call("close", fd);
    }
}
