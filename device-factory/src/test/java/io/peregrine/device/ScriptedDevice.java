package io.peregrine.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Registers behind GVCP, written by hand after GigE Vision 2.2, which remember what was written to them. */
final class ScriptedDevice implements AutoCloseable {
    private static final int XML_ADDRESS = 0x8000;
    private static final int STREAM_PORT = 0x0D00;
    private static final int PACKET_SIZE = 0x0D04;
    private static final int STREAM_ADDRESS = 0x0D18;
    private static final String XML = """
            <RegisterDescription ModelName="Other" VendorName="Somebody" SchemaMajorVersion="1" SchemaMinorVersion="1"
             SchemaSubMinorVersion="0" xmlns="http://www.genicam.org/GenApi/Version_1_1">
            <Category Name="Root"><pFeature>Gain</pFeature></Category>
            <IntReg Name="Gain"><Address>0xA000</Address><Length>4</Length><AccessMode>RW</AccessMode>
            <pPort>Device</pPort>
            <Sign>Unsigned</Sign><Endianess>BigEndian</Endianess></IntReg>
            <Port Name="Device"/></RegisterDescription>
            """;

    private final byte[] memory = new byte[0x10000];
    private final ByteBuffer registers = ByteBuffer.wrap(memory);
    private final DatagramSocket socket;
    private final Thread thread;
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private final Set<Integer> refused = ConcurrentHashMap.newKeySet();
    private final Set<String> refusedWrites = ConcurrentHashMap.newKeySet();
    private volatile int pathMtuBytes;
    private volatile int largestPacketBytes = 0xFFFF;

    ScriptedDevice(String address, int version) {
        this(address, version, XML);
    }

    ScriptedDevice(String address, int version, String description) {
        byte[] xml = description.getBytes(StandardCharsets.US_ASCII);
        registers.putInt(0x0000, version).putInt(0x0004, 0x80000001);
        text(0x0048, "Somebody");
        text(0x0068, "Other");
        text(0x00D8, "3");
        text(0x0200, String.format(Locale.ROOT, "Local:other.xml;%X;%X", XML_ADDRESS, xml.length));
        registers.putInt(0x0600, 1).putInt(0x0904, 1).putInt(0x0934, 0x40000000).putInt(0x0938, 3000);
        System.arraycopy(xml, 0, memory, XML_ADDRESS, xml.length);
        try {
            InetAddress local = InetAddress.getByName(address);
            System.arraycopy(local.getAddress(), 0, memory, 0x0024, 4);
            socket = new DatagramSocket(new InetSocketAddress(local, 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread = new Thread(this::serve, "scripted device");
        thread.setDaemon(true);
        thread.start();
    }

    private void text(int address, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, memory, address, bytes.length);
    }

    String name() {
        return socket.getLocalAddress().getHostAddress() + ":" + socket.getLocalPort();
    }

    /** Gives a register its value. Only before the device is used. */
    ScriptedDevice with(int address, int value) {
        registers.putInt(address, value);
        return this;
    }

    /** Lets the device refuse to have a register written (ACCESS_DENIED). Only before the device is used. */
    ScriptedDevice refusing(int address) {
        refused.add(address);
        return this;
    }

    /** The same for one value, as {@link #writes()} has it. */
    ScriptedDevice refusing(String write) {
        refusedWrites.add(write);
        return this;
    }

    /** Lets the device send test packets, of which those that are not larger than this arrive. */
    ScriptedDevice sendingTestPackets(int pathMtuBytes) {
        this.pathMtuBytes = pathMtuBytes;
        return this;
    }

    /** Lets the device take a larger packet size for this one. */
    ScriptedDevice makingPacketsUpTo(int bytes) {
        largestPacketBytes = bytes;
        return this;
    }

    /** What is in a register now. */
    int register(int address) {
        synchronized (registers) {
            return registers.getInt(address);
        }
    }

    /** Address and value of every write, in order. */
    List<String> writes() {
        return List.copyOf(writes);
    }

    private void serve() {
        byte[] buffer = new byte[2048];
        while (!socket.isClosed()) {
            DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            try {
                socket.receive(packet);
                ByteBuffer answer = answer(ByteBuffer.wrap(buffer, 0, packet.getLength()));
                socket.send(new DatagramPacket(answer.array(), answer.position(), packet.getSocketAddress()));
            } catch (IOException e) {
                return;
            }
        }
    }

    private ByteBuffer answer(ByteBuffer command) {
        int code = command.getShort(2);
        int id = command.getShort(6);
        ByteBuffer answer = ByteBuffer.allocate(1024).position(8);
        switch (code) {
            case 0x02 -> answer.put(memory, 0, 248);
            case 0x80 -> {
                for (int at = 8; at < command.limit(); at += 4) {
                    answer.putInt(registers.getInt(command.getInt(at)));
                }
            }
            case 0x82 -> {
                for (int at = 8; at < command.limit(); at += 8) {
                    if (refused.contains(command.getInt(at))
                            || refusedWrites.contains(text(command.getInt(at), command.getInt(at + 4)))) {
                        answer.putShort(0, (short) 0x8006);
                    } else {
                        write(command.getInt(at), command.getInt(at + 4));
                    }
                }
                answer.putInt(1);
            }
            case 0x84 -> answer.putInt(command.getInt(8)).put(memory, command.getInt(8), command.getShort(14));
            case 0x86 -> {
                for (int at = 12; at < command.limit(); at += 4) {
                    write(command.getInt(8) + at - 12, command.getInt(at));
                }
                answer.putInt(1);
            }
            default -> answer.putShort(0, (short) 0x8001);
        }
        answer.putShort(2, (short) (code + 1))
                .putShort(4, (short) (answer.position() - 8))
                .putShort(6, (short) id);
        return answer;
    }

    private static String text(int address, int value) {
        return String.format(Locale.ROOT, "%04X=%X", address, value);
    }

    private void write(int address, int value) {
        writes.add(text(address, value));
        synchronized (registers) {
            registers.putInt(address, address == PACKET_SIZE ? packetSize(value) : value);
        }
    }

    /** Sends a test packet if it is asked for. */
    private int packetSize(int value) {
        int size = Math.min(value & 0xFFFF, largestPacketBytes);
        if (value < 0 && size <= pathMtuBytes) {
            byte[] address = new byte[4];
            registers.get(STREAM_ADDRESS, address);
            byte[] test = new byte[size - 28];
            try {
                InetAddress to = InetAddress.getByAddress(address);
                socket.send(new DatagramPacket(test, test.length, to, registers.getInt(STREAM_PORT) & 0xFFFF));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return (value & 0x7FFF0000) | size;
    }

    @Override
    public void close() {
        socket.close();
        try {
            thread.join(2000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
