package io.peregrine.conformance;

import io.peregrine.gvsp.PacketReceiver;
import io.peregrine.gvsp.PacketRingReceiver;
import io.peregrine.nativeio.MmsgSocket;
import io.peregrine.stream.engine.StreamCounters;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Sends numbered datagrams, many by one call, or receives them by a packet ring and tells how many came, how many in
 * their order, and whether the kernel joined any.
 */
final class RingOfRunsMain {
    private static final int DATAGRAMS = 400;
    private static final int BYTES = 1000;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);

    private int count;
    private int inOrder;

    private RingOfRunsMain() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "send" -> send(arguments[1], arguments[2], Integer.parseInt(arguments[3]));
            case "receive" -> new RingOfRunsMain().receive(arguments[1], arguments[2], Integer.parseInt(arguments[3]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static int number(String address) throws Exception {
        return ByteBuffer.wrap(InetAddress.getByName(address).getAddress()).getInt();
    }

    private static void send(String from, String to, int port) throws Exception {
        try (MmsgSocket socket = MmsgSocket.open(number(from), 0, 1 << 20)) {
            for (int i = 0; i < DATAGRAMS; i++) {
                int at = socket.begin(number(to), port, BYTES);
                if (at < 0) {
                    socket.flush();
                    at = socket.begin(number(to), port, BYTES);
                }
                socket.sending().putInt(at, i);
                socket.commit();
            }
            socket.flush();
        }
    }

    private void receive(String local, String device, int ringBytes) throws Exception {
        StreamCounters counters = new StreamCounters();
        try (PacketReceiver receiver = PacketRingReceiver.open(
                InetAddress.getByName(local), InetAddress.getByName(device), ringBytes, 1500, counters)) {
            System.out.println("port " + receiver.localPort());
            long deadline = System.nanoTime() + LIMIT_NANOS;
            while (count < DATAGRAMS && System.nanoTime() < deadline) {
                receiver.receive(this::take, deadline);
            }
            System.out.println(count + " came, " + inOrder + " in order, "
                    + (receiver.longestRunPackets() > 1 ? "joined" : "one by one"));
        }
    }

    private void take(ByteBuffer packet, int offset, int lengthBytes, long nowNanos) {
        if (lengthBytes == BYTES && packet.getInt(offset) == count) {
            inOrder++;
        }
        count++;
    }
}
