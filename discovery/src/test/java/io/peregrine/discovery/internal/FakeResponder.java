package io.peregrine.discovery.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Something that hears discovery commands, with a wire format of its own; what it answers is up to the test. */
final class FakeResponder implements AutoCloseable {
    private final DatagramSocket socket;
    private final InetSocketAddress address;
    private final Function<byte[], List<byte[]>> script;
    private final List<byte[]> requests = new CopyOnWriteArrayList<>();

    private FakeResponder(DatagramSocket socket, Function<byte[], List<byte[]>> script) {
        this.socket = socket;
        this.address = (InetSocketAddress) socket.getLocalSocketAddress();
        this.script = script;
        Thread thread = new Thread(this::serve, "fake-responder");
        thread.setDaemon(true);
        thread.start();
    }

    static FakeResponder start(String address, int port, Function<byte[], List<byte[]>> script) throws IOException {
        return new FakeResponder(
                new DatagramSocket(new InetSocketAddress(InetAddress.getByName(address), port)), script);
    }

    InetSocketAddress address() {
        return address;
    }

    List<byte[]> requests() {
        return requests;
    }

    static int id(byte[] request) {
        return ByteBuffer.wrap(request).getShort(6) & 0xFFFF;
    }

    /** A DISCOVERY_ACK, field by field at the offsets of the standard. */
    static byte[] answer(int id, long mac, int ip, String serial) {
        ByteBuffer packet = ByteBuffer.allocate(8 + 248);
        packet.putShort((short) 0).putShort((short) 3).putShort((short) 248).putShort((short) id);
        ByteBuffer payload = packet.slice();
        payload.putInt(0, 0x00020002);
        payload.putInt(4, 0x80000001);
        payload.putShort(10, (short) (mac >>> 32));
        payload.putInt(12, (int) mac);
        payload.putInt(36, ip);
        payload.putInt(52, 0xFF000000);
        payload.put(72, "Maker".getBytes(StandardCharsets.US_ASCII));
        payload.put(104, "Model".getBytes(StandardCharsets.US_ASCII));
        payload.put(136, "1.2".getBytes(StandardCharsets.US_ASCII));
        payload.put(168, "info".getBytes(StandardCharsets.US_ASCII));
        payload.put(216, serial.getBytes(StandardCharsets.US_ASCII));
        payload.put(232, "user".getBytes(StandardCharsets.US_ASCII));
        return packet.array();
    }

    private void serve() {
        byte[] buffer = new byte[2048];
        while (true) {
            DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            try {
                socket.receive(packet);
                byte[] request = Arrays.copyOf(packet.getData(), packet.getLength());
                requests.add(request);
                for (byte[] answer : script.apply(request)) {
                    socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException e) {
                if (socket.isClosed()) {
                    return;
                }
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
