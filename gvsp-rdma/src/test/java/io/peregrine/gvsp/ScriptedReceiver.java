package io.peregrine.gvsp;

import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Receives the packets that a test gives, without a socket. */
class ScriptedReceiver implements PacketReceiver {
    static final int PORT = 4711;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    final BlockingQueue<ByteBuffer> packets = new LinkedBlockingQueue<>();
    private final int port;

    ScriptedReceiver(int port) {
        this.port = port;
    }

    @Override
    public int receive(PacketSink into, long deadlineNanos) {
        try {
            ByteBuffer packet = packets.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (packet == null || packet.limit() == 0) {
                return 0;
            }
            into.onPacket(packet, 0, packet.limit(), System.nanoTime());
            return 1;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void wakeUp() {
        packets.add(NOTHING);
    }

    @Override
    public int localPort() {
        return port;
    }

    @Override
    public int receiveBufferBytes() {
        return 0;
    }

    @Override
    public void close() {}
}
