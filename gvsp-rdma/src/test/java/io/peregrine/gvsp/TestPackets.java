package io.peregrine.gvsp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Builds stream packets from the layouts of the standard, byte by byte and without the code under test. */
final class TestPackets {
    static final int MONO8 = 0x01080001;

    final boolean extended;
    final int payloadBytesPerPacket;

    TestPackets(boolean extended, int payloadBytesPerPacket) {
        this.extended = extended;
        this.payloadBytesPerPacket = payloadBytesPerPacket;
    }

    static TestPackets standard(int payloadBytesPerPacket) {
        return new TestPackets(false, payloadBytesPerPacket);
    }

    static TestPackets extended(int payloadBytesPerPacket) {
        return new TestPackets(true, payloadBytesPerPacket);
    }

    /** A packet as it is written down, spaces left out. */
    static ByteBuffer hex(String... text) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(String.join("", text).replace(" ", "")));
    }

    ByteBuffer packet(int status, int flags, int format, long blockId, long packetId, byte[] body) {
        ByteBuffer packet = ByteBuffer.allocate((extended ? 20 : 8) + body.length);
        packet.putShort((short) status);
        if (extended) {
            packet.putShort((short) flags);
            packet.put((byte) (0x80 | format));
            packet.put(new byte[3]);
            packet.putLong(blockId);
            packet.putInt((int) packetId);
        } else {
            packet.putShort((short) blockId);
            packet.putInt((int) (((long) format << 24) | packetId));
        }
        packet.put(body);
        return packet.flip();
    }

    ByteBuffer error(int status, long blockId, long packetId) {
        return packet(status, 0, 3, blockId, packetId, new byte[0]);
    }

    ByteBuffer imageLeader(long blockId, long timestamp, int pixelFormat, int width, int height) {
        ByteBuffer body = ByteBuffer.allocate(36);
        body.putShort(2, (short) 1);
        body.putLong(4, timestamp);
        body.putInt(12, pixelFormat);
        body.putInt(16, width);
        body.putInt(20, height);
        return packet(0, 0, 1, blockId, 0, body.array());
    }

    ByteBuffer rawLeader(long blockId, long timestamp, long sizeBytes) {
        ByteBuffer body = ByteBuffer.allocate(20);
        body.putShort(2, (short) 2);
        body.putLong(4, timestamp);
        body.putLong(12, sizeBytes);
        return packet(0, 0, 1, blockId, 0, body.array());
    }

    ByteBuffer genDcLeader(long blockId, long timestamp, long sizeBytes, boolean preliminary, int descriptorBytes) {
        ByteBuffer body = ByteBuffer.allocate(28);
        body.putShort(2, (short) 0x000B);
        body.putLong(4, timestamp);
        body.putLong(12, sizeBytes);
        body.put(20, (byte) (preliminary ? 0x80 : 0));
        body.putInt(24, descriptorBytes);
        return packet(0, 0, 1, blockId, 0, body.array());
    }

    ByteBuffer imageTrailer(long blockId, long packetId, int sizeY) {
        ByteBuffer body = ByteBuffer.allocate(8);
        body.putShort(2, (short) 1);
        body.putInt(4, sizeY);
        return packet(0, 0, 2, blockId, packetId, body.array());
    }

    ByteBuffer trailer(int payloadType, long blockId, long packetId) {
        ByteBuffer body = ByteBuffer.allocate(4);
        body.putShort(2, (short) payloadType);
        return packet(0, 0, 2, blockId, packetId, body.array());
    }

    ByteBuffer payload(long blockId, long packetId, byte[] data) {
        return packet(0, 0, 3, blockId, packetId, data);
    }

    /** Data flags: descriptor kind in 0xC0, start 0x20, end 0x10. */
    ByteBuffer genDcPayload(long blockId, long packetId, int flow, long destination, int dataFlags, byte[] data) {
        ByteBuffer body = ByteBuffer.allocate(16 + data.length);
        body.putInt(data.length);
        body.putLong(destination);
        body.put((byte) dataFlags);
        body.put((byte) 0);
        body.putShort((short) flow);
        body.put(data);
        return packet(0, 0, 8, blockId, packetId, body.array());
    }

    /** All packets of a Mono8 image whose pixels are {@link #pixel}. */
    List<ByteBuffer> image(long blockId, int width, int height) {
        List<ByteBuffer> packets = new ArrayList<>();
        packets.add(imageLeader(blockId, 1000 + blockId, MONO8, width, height));
        byte[] pixels = pixels(blockId, width * height);
        int packetId = 1;
        for (int at = 0; at < pixels.length; at += payloadBytesPerPacket) {
            int end = Math.min(pixels.length, at + payloadBytesPerPacket);
            packets.add(payload(blockId, packetId++, java.util.Arrays.copyOfRange(pixels, at, end)));
        }
        packets.add(imageTrailer(blockId, packetId, height));
        return packets;
    }

    static byte[] pixels(long blockId, int count) {
        byte[] pixels = new byte[count];
        for (int i = 0; i < count; i++) {
            pixels[i] = pixel(blockId, i);
        }
        return pixels;
    }

    /** Different for neighbouring positions, packets and blocks. */
    static byte pixel(long blockId, int position) {
        return (byte) (position * 31 + (position >>> 8) * 7 + blockId * 13);
    }

    /** The same packet, marked as sent again. */
    ByteBuffer resent(ByteBuffer original) {
        ByteBuffer copy = ByteBuffer.allocate(original.remaining()).put(original.duplicate());
        if (extended) {
            copy.putShort(2, (short) 0x0001);
        } else {
            copy.putShort(0, (short) 0x0100);
        }
        return copy.flip();
    }
}
