package io.peregrine.rocev2;

import io.peregrine.nativeio.MmsgSocket;
import java.nio.ByteBuffer;

/** The edge on Linux: batches, and runs of packets that the kernel cuts. */
final class MmsgPacketSocket implements PacketSocket, PacketOutput {
    /** What is sent at a time: more keeps the peer waiting, less wakes it more often. */
    private static final int BATCH_BYTES = 1 << 19;

    private final int localAddress;
    private final MmsgSocket socket;
    private final Icrc icrc = new Icrc();
    private int destination;
    private int length;
    private int at;
    private int identification;
    private int batchBytes;
    private long damaged;
    private long sent;

    MmsgPacketSocket(int localAddress, int bufferBytes) {
        this.localAddress = localAddress;
        socket = MmsgSocket.open(localAddress, Headers.UDP_PORT, bufferBytes);
    }

    @Override
    public boolean receive(Receiver receiver) {
        int slots = socket.receive();
        ByteBuffer buffer = socket.received();
        for (int slot = 0; slot < slots; slot++) {
            int source = socket.sourceAddress(slot);
            int port = socket.sourcePort(slot);
            int from = socket.offset(slot);
            int left = socket.lengthBytes(slot);
            int segment = socket.segmentBytes(slot);
            while (left > 0) {
                int part = Math.min(segment, left);
                if (part >= Headers.BTH_BYTES + Headers.ICRC_BYTES
                        && (part & 3) == 0
                        && icrc.check(source, port, localAddress, Headers.UDP_PORT, buffer, from, part) >= 0) {
                    receiver.onPacket(source, buffer, from, part);
                } else {
                    damaged++;
                }
                from += part;
                left -= part;
            }
        }
        return slots == MmsgSocket.RECEIVE_SLOTS;
    }

    @Override
    public PacketOutput output() {
        return this;
    }

    @Override
    public boolean begin(int to, int lengthBytes) {
        if (batchBytes >= BATCH_BYTES) {
            return false;
        }
        at = socket.begin(to, Headers.UDP_PORT, lengthBytes);
        if (at < 0) {
            return false;
        }
        destination = to;
        length = lengthBytes;
        identification = socket.identification();
        return true;
    }

    @Override
    public ByteBuffer buffer() {
        return socket.sending();
    }

    @Override
    public int at() {
        return at;
    }

    @Override
    public void commit() {
        ByteBuffer buffer = socket.sending();
        int checksum = icrc.compute(
                localAddress, Headers.UDP_PORT, destination, Headers.UDP_PORT, identification, buffer, at, length);
        Icrc.put(buffer, at, length, checksum);
        socket.commit();
        batchBytes += length;
        sent++;
    }

    @Override
    public void flush() {
        socket.flush();
        batchBytes = 0;
    }

    @Override
    public void sendOneByOne() {
        socket.sendOneByOne();
    }

    @Override
    public void typeOfService(int value) {
        socket.typeOfService(value);
    }

    @Override
    public void await(long timeoutNanos) {
        socket.await(timeoutNanos);
    }

    @Override
    public void wakeUp() {
        socket.wakeUp();
    }

    @Override
    public long damagedPackets() {
        return damaged;
    }

    @Override
    public long sendFailures() {
        return socket.sendFailures();
    }

    @Override
    public long sentPackets() {
        return sent;
    }

    @Override
    public void close() {
        socket.close();
    }
}
