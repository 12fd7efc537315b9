package io.peregrine.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A device that answers who asks for it, and nothing else. */
final class DeafDevice implements AutoCloseable {
    private static final int DISCOVERY_COMMAND = 2;

    private final DatagramSocket socket;
    private final Thread thread = new Thread(this::serve, "deaf-device");

    private DeafDevice(DatagramSocket socket) {
        this.socket = socket;
    }

    static DeafDevice at(String address) throws IOException {
        DeafDevice device =
                new DeafDevice(new DatagramSocket(new InetSocketAddress(InetAddress.getByName(address), 0)));
        device.thread.start();
        return device;
    }

    int port() {
        return socket.getLocalPort();
    }

    /** A DISCOVERY_ACK, field by field at the offsets of GigE Vision 2.2. */
    private static byte[] answer(int id, byte[] address) {
        ByteBuffer packet = ByteBuffer.allocate(8 + 248);
        packet.putShort((short) 0).putShort((short) 3).putShort((short) 248).putShort((short) id);
        ByteBuffer payload = packet.slice();
        payload.putInt(0, 0x00020002);
        payload.putInt(4, 0x80000001);
        payload.putInt(12, 0x0A0B0C0D);
        payload.put(36, address);
        payload.putInt(52, 0xFF000000);
        payload.put(72, "Nobody".getBytes(StandardCharsets.US_ASCII));
        payload.put(104, "DEAF".getBytes(StandardCharsets.US_ASCII));
        payload.put(216, "DEAF-1".getBytes(StandardCharsets.US_ASCII));
        return packet.array();
    }

    private void serve() {
        DatagramPacket request = new DatagramPacket(new byte[2048], 2048);
        while (!socket.isClosed()) {
            try {
                socket.receive(request);
                ByteBuffer header = ByteBuffer.wrap(request.getData(), 0, request.getLength());
                if (request.getLength() >= 8 && header.getShort(2) == DISCOVERY_COMMAND) {
                    byte[] answer =
                            answer(header.getShort(6), socket.getLocalAddress().getAddress());
                    socket.send(new DatagramPacket(answer, answer.length, request.getSocketAddress()));
                }
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
