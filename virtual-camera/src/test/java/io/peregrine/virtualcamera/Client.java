package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** An application that speaks GVCP and receives GVSP byte by byte, without help from the code under test. */
final class Client implements AutoCloseable {
    private final DatagramSocket control;
    private final DatagramSocket stream;
    private final InetSocketAddress camera;
    private int requestId = 0x1000;

    Client(VirtualCamera camera) throws IOException {
        this(camera.address());
    }

    Client(InetSocketAddress device) throws IOException {
        camera = device;
        InetAddress local = device.getAddress();
        control = new DatagramSocket(new InetSocketAddress(local, 0));
        control.setSoTimeout(5000);
        stream = new DatagramSocket(new InetSocketAddress(local, 0));
        stream.setReceiveBufferSize(4 << 20);
        stream.setSoTimeout(5000);
    }

    InetAddress cameraAddress() {
        return camera.getAddress();
    }

    int controlPort() {
        return control.getLocalPort();
    }

    int streamPort() {
        return stream.getLocalPort();
    }

    void send(byte[] packet) throws IOException {
        control.send(new DatagramPacket(packet, packet.length, camera));
    }

    void send(String hex) throws IOException {
        send(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    byte[] receive() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
        control.receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    byte[] exchange(String hex) throws IOException {
        send(hex);
        return receive();
    }

    String exchangeHex(String hex) throws IOException {
        return HexFormat.of().formatHex(exchange(hex));
    }

    /** Sends a command with a fresh request id; gives the answer. */
    ByteBuffer command(int code, byte[] payload) throws IOException {
        int id = requestId++;
        send(ByteBuffer.allocate(8 + payload.length)
                .put((byte) 0x42)
                .put((byte) 0x01)
                .putShort((short) code)
                .putShort((short) payload.length)
                .putShort((short) id)
                .put(payload)
                .array());
        ByteBuffer answer = ByteBuffer.wrap(receive());
        assertEquals(id, answer.getShort(6) & 0xFFFF, "request id");
        return answer;
    }

    int writeStatus(int address, int value) throws IOException {
        return command(
                                0x0082,
                                ByteBuffer.allocate(8)
                                        .putInt(address)
                                        .putInt(value)
                                        .array())
                        .getShort(0)
                & 0xFFFF;
    }

    void write(int address, int value) throws IOException {
        assertEquals(0, writeStatus(address, value), "status of a write to 0x" + Integer.toHexString(address));
    }

    int writeDouble(int address, double value) throws IOException {
        return command(
                                0x0086,
                                ByteBuffer.allocate(12)
                                        .putInt(address)
                                        .putDouble(value)
                                        .array())
                        .getShort(0)
                & 0xFFFF;
    }

    int read(int address) throws IOException {
        ByteBuffer answer =
                command(0x0080, ByteBuffer.allocate(4).putInt(address).array());
        assertEquals(0, answer.getShort(0), "status of a read of 0x" + Integer.toHexString(address));
        return answer.getInt(8);
    }

    int readStatus(int address) throws IOException {
        return command(0x0080, ByteBuffer.allocate(4).putInt(address).array()).getShort(0) & 0xFFFF;
    }

    byte[] readMemory(int address, int count) throws IOException {
        ByteBuffer out = ByteBuffer.allocate((count + 3) & ~3);
        while (out.hasRemaining()) {
            int chunk = Math.min(512, out.remaining());
            ByteBuffer answer = command(
                    0x0084,
                    ByteBuffer.allocate(8)
                            .putInt(address + out.position())
                            .putInt(chunk)
                            .array());
            assertEquals(0, answer.getShort(0), "status of READMEM");
            out.put(answer.array(), 12, chunk);
        }
        return Arrays.copyOf(out.array(), count);
    }

    /** Takes control and points the stream channel here. */
    void openStream(int packetSize) throws IOException {
        write(0x0A00, 2);
        write(0x0D04, packetSize);
        write(0x0D18, ByteBuffer.wrap(camera.getAddress().getAddress()).getInt());
        write(0x0D00, streamPort());
    }

    void start() throws IOException {
        write(0xA084, 1);
    }

    void stop() throws IOException {
        write(0xA088, 1);
    }

    ByteBuffer packet() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65536], 65536);
        stream.receive(packet);
        return ByteBuffer.wrap(Arrays.copyOf(packet.getData(), packet.getLength()));
    }

    @Override
    public void close() {
        control.close();
        stream.close();
    }
}
