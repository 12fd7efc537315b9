package io.peregrine.conformance;

import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

/**
 * Wants to connect to a camera without knowing the nonce of its session. Arguments: provider, own address, address and
 * RDMA port of the camera.
 */
final class RdmaIntruderMain {
    private RdmaIntruderMain() {}

    public static void main(String[] arguments) throws Exception {
        ByteBuffer greeting = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        greeting.put(new byte[] {'G', 'V', 'R', '0'});
        greeting.putShort(6, (short) 0).putShort(8, (short) 1).putShort(10, (short) 3);
        greeting.putInt(12, 4).putLong(16, 0x1234_5678_9ABC_DEF0L);
        Inet4Address own = (Inet4Address) InetAddress.getByName(arguments[1]);
        try (RdmaTransport transport = RdmaProviders.open(arguments[0], own).transport();
                CompletionQueue queue = transport.completionQueue(CompletionQueueSettings.of(16))) {
            RdmaConnection connection = transport.prepare(
                    new InetSocketAddress(InetAddress.getByName(arguments[2]), Integer.parseInt(arguments[3])),
                    ConnectionSettings.of(queue, 4, 4));
            try {
                connection.connect(greeting.array(), Duration.ofSeconds(20));
                System.out.println("connected");
            } catch (ConnectionRejectedException e) {
                int status = ByteBuffer.wrap(e.privateData())
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getShort(4)
                        & 0xFFFF;
                System.out.println("refused=" + Integer.toHexString(status));
            }
            connection.close();
        }
    }
}
