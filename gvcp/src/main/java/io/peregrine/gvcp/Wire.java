package io.peregrine.gvcp;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Reading and writing the fields that control packets are made of; everything is big-endian. */
final class Wire {
    private static final int DUMPED_BYTES = 32;

    private Wire() {}

    /** A buffer for a command with its header filled in and its position at the payload. */
    static ByteBuffer command(int flags, int code, int lengthBytes, int requestId) {
        return new CommandHeader(flags, code, lengthBytes, requestId)
                .encodeInto(ByteBuffer.allocate(Gvcp.HEADER_SIZE_BYTES + lengthBytes));
    }

    /** A buffer for an acknowledge with its header filled in and its position at the payload. */
    static ByteBuffer acknowledge(GvcpStatus status, int code, int lengthBytes, int ackId) {
        return new AckHeader(status.code(), code, lengthBytes, ackId)
                .encodeInto(ByteBuffer.allocate(Gvcp.HEADER_SIZE_BYTES + lengthBytes));
    }

    /** The payload that a header announces; bytes after it are dropped. */
    static ByteBuffer payload(ByteBuffer datagram, int lengthBytes, int code) {
        int available = datagram.remaining() - Gvcp.HEADER_SIZE_BYTES;
        if (lengthBytes > available) {
            throw new MalformedPacketException(
                    Gvcp.name(code) + " announces " + lengthBytes + " payload bytes, but " + available + " arrived");
        }
        return datagram.slice(datagram.position() + Gvcp.HEADER_SIZE_BYTES, lengthBytes)
                .order(ByteOrder.BIG_ENDIAN);
    }

    static void requireLength(int code, ByteBuffer payload, int lengthBytes) {
        if (payload.remaining() < lengthBytes) {
            throw new MalformedPacketException(
                    Gvcp.name(code) + " needs " + lengthBytes + " payload bytes, but has " + payload.remaining());
        }
    }

    static void requireMultiple(int code, ByteBuffer payload, int unitBytes) {
        if (payload.remaining() == 0 || payload.remaining() % unitBytes != 0) {
            throw new MalformedPacketException(Gvcp.name(code) + " needs a multiple of " + unitBytes
                    + " payload bytes, but has " + payload.remaining());
        }
    }

    /** All bytes of a buffer, whatever its position. */
    static byte[] bytes(ByteBuffer packet) {
        byte[] bytes = new byte[packet.capacity()];
        packet.get(0, bytes);
        return bytes;
    }

    static int u16(ByteBuffer buffer, int offset) {
        return buffer.getShort(offset) & 0xFFFF;
    }

    static int u24(ByteBuffer buffer, int offset) {
        return (buffer.get(offset) & 0xFF) << 16 | u16(buffer, offset + 1);
    }

    static long u32(ByteBuffer buffer, int offset) {
        return buffer.getInt(offset) & 0xFFFF_FFFFL;
    }

    static void putU24(ByteBuffer buffer, int offset, int value) {
        buffer.put(offset, (byte) (value >>> 16));
        buffer.putShort(offset + 1, (short) value);
    }

    static void putMac(ByteBuffer buffer, int offset, MacAddress mac) {
        buffer.putShort(offset, (short) (mac.value() >>> 32));
        buffer.putInt(offset + 2, (int) mac.value());
    }

    static MacAddress mac(ByteBuffer buffer, int offset) {
        return new MacAddress((long) u16(buffer, offset) << 32 | u32(buffer, offset + 2));
    }

    static void putAddress(ByteBuffer buffer, int offset, InetAddress address) {
        buffer.put(offset, requireIpv4(address).getAddress());
    }

    static InetAddress address(ByteBuffer buffer, int offset) {
        byte[] bytes = new byte[4];
        buffer.get(offset, bytes);
        return address(bytes);
    }

    static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an IPv4 address has 4 bytes, not " + bytes.length, e);
        }
    }

    static InetAddress requireIpv4(InetAddress address) {
        if (address.getAddress().length != 4) {
            throw new IllegalArgumentException(
                    "GigE Vision control works over IPv4 only, not " + address.getHostAddress());
        }
        return address;
    }

    /** The text of a fixed field up to its first NUL; control characters, which could confuse a terminal, replaced. */
    static String text(ByteBuffer buffer, int offset, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        buffer.get(offset, bytes);
        return text(bytes);
    }

    static String text(byte[] bytes) {
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        String raw = new String(bytes, 0, length, StandardCharsets.UTF_8);
        StringBuilder clean = new StringBuilder(raw.length());
        raw.codePoints().map(c -> Character.isISOControl(c) ? 0xFFFD : c).forEach(clean::appendCodePoint);
        return clean.toString().strip();
    }

    static void putText(ByteBuffer buffer, int offset, int lengthBytes, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > lengthBytes) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" takes " + bytes.length + " bytes, the field has " + lengthBytes);
        }
        buffer.put(offset, bytes);
    }

    static int requireU16(String name, int value) {
        if (value < 0 || value > 0xFFFF) {
            throw new IllegalArgumentException(name + " must be in 0..65535, not " + value);
        }
        return value;
    }

    static long requireU32(String name, long value) {
        if (value < 0 || value > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException(name + " must be in 0..4294967295, not " + value);
        }
        return value;
    }

    static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(bytes.length, DUMPED_BYTES); i++) {
            text.append(String.format(Locale.ROOT, "%02x", bytes[i]));
        }
        return bytes.length > DUMPED_BYTES ? text + "... (" + bytes.length + " bytes)" : text.toString();
    }
}
