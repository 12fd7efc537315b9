package io.peregrine.traffic;

import io.peregrine.device.DeviceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Packets in a file of tcpdump or Wireshark: pcap (draft-ietf-opsawg-pcap) and pcapng (draft-ietf-opsawg-pcapng), of
 * either byte order. A file that ends in the middle of a packet, as one does whose program was killed, is read up to
 * there.
 */
final class CaptureFile {
    private static final int PCAP_MICROS = 0xA1B2C3D4;
    private static final int PCAP_NANOS = 0xA1B23C4D;
    private static final int PCAP_REST_OF_HEADER_BYTES = 20;
    private static final int PCAP_RECORD_BYTES = 16;
    private static final int LINK_TYPE_MASK = 0x0FFFFFFF;

    private static final int SECTION = 0x0A0D0D0A;
    private static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
    private static final int INTERFACE = 1;
    private static final int OLD_PACKET = 2;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;
    private static final int OPTION_TIME_RESOLUTION = 9;
    private static final int BLOCK_FRAME_BYTES = 12;

    /** Larger than any packet that a program captures. */
    private static final int MAX_PACKET_BYTES = 1 << 20;

    private static final int MAX_BLOCK_BYTES = 16 << 20;
    private static final int MAX_INTERFACES = 1 << 12;
    private static final long NANOS = 1_000_000_000L;
    private static final int MICROS_EXPONENT = 6;

    /**
     * A packet.
     *
     * @param nanos when it was captured, since 1970
     * @param linkType what it begins with, a number of the list of link types
     * @param data what was captured of it, from index 0 to the limit; big-endian
     */
    record Packet(long nanos, int linkType, ByteBuffer data) {}

    private record Link(int type, boolean binary, int exponent) {
        /** Nanoseconds of a time in the unit of the interface. */
        long nanos(long time) {
            if (binary) {
                long units = 1L << exponent;
                return time / units * NANOS + (long) ((double) (time % units) / units * NANOS);
            }
            long nanos = time;
            for (int i = exponent; i < 9; i++) {
                nanos *= 10;
            }
            for (int i = 9; i < exponent; i++) {
                nanos /= 10;
            }
            return nanos;
        }
    }

    private final InputStream in;
    private final Consumer<Packet> to;
    private final List<Link> links = new ArrayList<>();
    private ByteOrder order = ByteOrder.BIG_ENDIAN;
    private boolean torn;

    private CaptureFile(InputStream in, Consumer<Packet> to) {
        this.in = in;
        this.to = to;
    }

    /**
     * Reads all packets.
     *
     * @return whether the file ends where a packet does
     * @throws DeviceException if it is no such file, or damaged
     */
    static boolean read(InputStream in, Consumer<Packet> to) throws IOException {
        CaptureFile file = new CaptureFile(in, to);
        byte[] magic = in.readNBytes(4);
        int first = magic.length < 4 ? 0 : ByteBuffer.wrap(magic).getInt(0);
        if (first == SECTION) {
            file.pcapng();
        } else if (first == PCAP_MICROS || first == PCAP_NANOS) {
            file.pcap(first == PCAP_NANOS);
        } else if (Integer.reverseBytes(first) == PCAP_MICROS || Integer.reverseBytes(first) == PCAP_NANOS) {
            file.order = ByteOrder.LITTLE_ENDIAN;
            file.pcap(Integer.reverseBytes(first) == PCAP_NANOS);
        } else {
            throw new DeviceException(
                    "this is no capture: give a file of tcpdump or Wireshark, pcap or pcapng," + " uncompressed");
        }
        return !file.torn;
    }

    private static DeviceException damaged(String what) {
        return new DeviceException("the capture is damaged: " + what);
    }

    /** The next bytes, in the order of the file; short where the file ends. */
    private ByteBuffer next(int bytes) throws IOException {
        ByteBuffer read = ByteBuffer.wrap(in.readNBytes(bytes)).order(order);
        torn |= read.limit() < bytes && read.limit() > 0;
        return read;
    }

    private void give(long nanos, int linkType, ByteBuffer from, int offset, int bytes) {
        to.accept(new Packet(nanos, linkType, from.slice(offset, bytes).order(ByteOrder.BIG_ENDIAN)));
    }

    // ---- pcap

    private void pcap(boolean nanos) throws IOException {
        ByteBuffer header = next(PCAP_REST_OF_HEADER_BYTES);
        if (header.limit() < PCAP_REST_OF_HEADER_BYTES) {
            throw damaged("it ends in its header");
        }
        int linkType = header.getInt(16) & LINK_TYPE_MASK;
        ByteBuffer record = next(PCAP_RECORD_BYTES);
        while (record.limit() == PCAP_RECORD_BYTES) {
            int captured = record.getInt(8);
            if (captured < 0 || captured > MAX_PACKET_BYTES) {
                throw damaged("a packet of " + Integer.toUnsignedString(captured) + " bytes");
            }
            ByteBuffer data = next(captured);
            if (data.limit() < captured) {
                torn = true;
                return;
            }
            long seconds = Integer.toUnsignedLong(record.getInt(0));
            long fraction = Integer.toUnsignedLong(record.getInt(4));
            give(seconds * NANOS + (nanos ? fraction : fraction * 1000), linkType, data, 0, captured);
            record = next(PCAP_RECORD_BYTES);
        }
    }

    // ---- pcapng

    private void pcapng() throws IOException {
        // The type of the first block is read.
        int type = SECTION;
        while (true) {
            ByteBuffer length = next(4);
            if (length.limit() < 4) {
                torn = true;
                return;
            }
            int before = 0;
            if (type == SECTION) {
                ByteBuffer magic = next(4);
                if (magic.limit() < 4) {
                    torn = true;
                    return;
                }
                section(magic);
                length.order(order);
                before = 4;
            }
            int total = length.getInt(0);
            if (total < BLOCK_FRAME_BYTES + before || total > MAX_BLOCK_BYTES || total % 4 != 0) {
                throw damaged("a block of " + Integer.toUnsignedString(total) + " bytes");
            }
            int body = total - BLOCK_FRAME_BYTES - before;
            ByteBuffer rest = next(body + 4);
            if (rest.limit() < body + 4) {
                torn = true;
                return;
            }
            block(type, rest.slice(0, body).order(order));
            ByteBuffer nextType = next(4);
            if (nextType.limit() < 4) {
                return;
            }
            type = nextType.getInt(0);
        }
    }

    /** Byte order and interfaces begin again with each section. */
    private void section(ByteBuffer magic) {
        int value = magic.order(ByteOrder.BIG_ENDIAN).getInt(0);
        if (value == BYTE_ORDER_MAGIC) {
            order = ByteOrder.BIG_ENDIAN;
        } else if (Integer.reverseBytes(value) == BYTE_ORDER_MAGIC) {
            order = ByteOrder.LITTLE_ENDIAN;
        } else {
            throw damaged("a section without byte order");
        }
        links.clear();
    }

    private void block(int type, ByteBuffer body) {
        switch (type) {
            case INTERFACE -> link(body);
            case ENHANCED_PACKET -> packet(body, body.limit() < 20 ? 0 : body.getInt(0));
            case OLD_PACKET -> packet(body, body.limit() < 20 ? 0 : Short.toUnsignedInt(body.getShort(0)));
            case SIMPLE_PACKET -> simplePacket(body);
            default -> {
                // Names of hosts, comments, statistics.
            }
        }
    }

    private void link(ByteBuffer body) {
        if (body.limit() < 8 || links.size() >= MAX_INTERFACES) {
            throw damaged("interface " + links.size());
        }
        boolean binary = false;
        int exponent = MICROS_EXPONENT;
        int at = 8;
        while (at + 4 <= body.limit()) {
            int length = Short.toUnsignedInt(body.getShort(at + 2));
            if (body.getShort(at) == OPTION_TIME_RESOLUTION && length == 1 && at + 5 <= body.limit()) {
                int resolution = body.get(at + 4);
                binary = resolution < 0;
                exponent = resolution & 0x7F;
            }
            at += 4 + (length + 3 & -4);
        }
        if (exponent > (binary ? 62 : 18)) {
            throw damaged("a clock of an interface");
        }
        links.add(new Link(Short.toUnsignedInt(body.getShort(0)), binary, exponent));
    }

    private void packet(ByteBuffer body, int link) {
        if (body.limit() < 20 || link < 0 || link >= links.size()) {
            throw damaged("a packet of no interface");
        }
        int captured = body.getInt(12);
        if (captured < 0 || captured > MAX_PACKET_BYTES || captured > body.limit() - 20) {
            throw damaged("a packet of " + Integer.toUnsignedString(captured) + " bytes");
        }
        long time = (long) body.getInt(4) << 32 | Integer.toUnsignedLong(body.getInt(8));
        give(links.get(link).nanos(time), links.get(link).type, body, 20, captured);
    }

    private void simplePacket(ByteBuffer body) {
        if (links.isEmpty() || body.limit() < 4) {
            throw damaged("a packet of no interface");
        }
        long original = Integer.toUnsignedLong(body.getInt(0));
        give(0, links.get(0).type, body, 4, (int) Math.min(original, body.limit() - 4));
    }
}
