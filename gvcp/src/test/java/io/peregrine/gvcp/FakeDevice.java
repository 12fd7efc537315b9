package io.peregrine.gvcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * A device with a piece of memory, on a thread of its own, with a wire format of its own (not the codec under test).
 * Tests put a {@link Script} in front to make it misbehave.
 */
final class FakeDevice implements AutoCloseable {
    static final int MEMORY_BYTES = 0x20000;

    /** What comes instead of the well-behaved answers; empty means nothing is sent. */
    interface Script {
        List<byte[]> answer(byte[] request, FakeDevice device);
    }

    private final DatagramSocket socket;
    private final InetSocketAddress address;
    private final Thread thread;
    private final List<byte[]> requests = new ArrayList<>();
    private final ByteBuffer memory = ByteBuffer.allocate(MEMORY_BYTES);
    private volatile Script script = (request, device) -> List.of(device.regularAnswer(request));

    private FakeDevice(DatagramSocket socket) {
        this.socket = socket;
        this.address = (InetSocketAddress) socket.getLocalSocketAddress();
        this.thread = new Thread(this::serve, "fake-device");
        thread.setDaemon(true);
        thread.start();
    }

    static FakeDevice start(String address) throws IOException {
        return new FakeDevice(new DatagramSocket(new InetSocketAddress(InetAddress.getByName(address), 0)));
    }

    InetSocketAddress address() {
        return address;
    }

    FakeDevice script(Script value) {
        script = value;
        return this;
    }

    FakeDevice register(int address, int value) {
        synchronized (memory) {
            memory.putInt(address, value);
        }
        return this;
    }

    int register(int address) {
        synchronized (memory) {
            return memory.getInt(address);
        }
    }

    FakeDevice bytes(int address, byte[] value) {
        synchronized (memory) {
            memory.put(address, value);
        }
        return this;
    }

    byte[] bytes(int address, int length) {
        synchronized (memory) {
            byte[] copy = new byte[length];
            memory.get(address, copy);
            return copy;
        }
    }

    List<byte[]> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    /** Requests with a command code. */
    long count(int command) {
        return requests().stream().filter(r -> command(r) == command).count();
    }

    void send(byte[] datagram, SocketAddress target) {
        try {
            socket.send(new DatagramPacket(datagram, datagram.length, target));
        } catch (IOException e) {
            if (!socket.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static int command(byte[] request) {
        return ByteBuffer.wrap(request).getShort(2) & 0xFFFF;
    }

    static int id(byte[] request) {
        return ByteBuffer.wrap(request).getShort(6) & 0xFFFF;
    }

    static byte[] ack(int status, int code, int id, String payloadHex) {
        byte[] payload = HexFormat.of().parseHex(payloadHex);
        return ByteBuffer.allocate(8 + payload.length)
                .putShort((short) status)
                .putShort((short) code)
                .putShort((short) payload.length)
                .putShort((short) id)
                .put(payload)
                .array();
    }

    static byte[] nack(int status, byte[] request) {
        return ack(status, command(request) + 1, id(request), "");
    }

    byte[] regularAnswer(byte[] request) {
        ByteBuffer in = ByteBuffer.wrap(request).position(8);
        synchronized (memory) {
            switch (command(request)) {
                case 0x80 -> {
                    StringBuilder values = new StringBuilder();
                    while (in.hasRemaining()) {
                        values.append(String.format(Locale.ROOT, "%08x", memory.getInt(in.getInt())));
                    }
                    return ack(0, 0x81, id(request), values.toString());
                }
                case 0x82 -> {
                    int count = 0;
                    while (in.hasRemaining()) {
                        int address = in.getInt();
                        memory.putInt(address, in.getInt());
                        count++;
                    }
                    return ack(0, 0x83, id(request), String.format(Locale.ROOT, "0000%04x", count));
                }
                case 0x84 -> {
                    int address = in.getInt();
                    int count = in.getInt() & 0xFFFF;
                    String data = HexFormat.of().formatHex(bytes(address, count));
                    return ack(0, 0x85, id(request), String.format(Locale.ROOT, "%08x", address) + data);
                }
                case 0x86 -> {
                    int address = in.getInt();
                    byte[] data = Arrays.copyOfRange(request, 12, request.length);
                    memory.put(address, data);
                    return ack(0, 0x87, id(request), String.format(Locale.ROOT, "0000%04x", data.length));
                }
                default -> {
                    return nack(0x8001, request);
                }
            }
        }
    }

    private void serve() {
        byte[] buffer = new byte[2048];
        while (!socket.isClosed()) {
            DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            try {
                socket.receive(packet);
            } catch (IOException e) {
                return;
            }
            byte[] request = Arrays.copyOf(packet.getData(), packet.getLength());
            synchronized (requests) {
                requests.add(request);
            }
            for (byte[] answer : new ArrayList<>(script.answer(request, this))) {
                send(answer, packet.getSocketAddress());
            }
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
