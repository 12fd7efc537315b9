package io.peregrine.gvsp;

import static io.peregrine.gvsp.TestPackets.hex;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Packets of blocks whose packets say where their data belongs. */
final class PlacedBlocks {
    static final int PACKET_BYTES = 40;
    static final int[] FLOW_BYTES = {400, 130};
    private static final int DESCRIPTOR_BYTES = 60;
    private static final int PART_BYTES = 100;
    private static final int SECOND_PART_BYTES = 90;
    /** On 8 bytes. */
    private static final int SECOND_PART_OFFSET = 104;

    private static final int ZONE_WIDTH = 19;
    private static final int ZONE_HEIGHT = 10;

    private static final int DESCRIPTOR_FLAGS = 0x70;

    static final TestPackets PACKETS = TestPackets.extended(PACKET_BYTES);

    /** What blocks are. */
    enum Kind {
        /** A container of two flows, its descriptor first. */
        GENDC,
        /** The same with the descriptor last. */
        GENDC_DESCRIPTOR_LAST,
        /** The same, the packets of both flows in turns. */
        GENDC_IN_TURNS,
        /** Two parts. */
        MULTI_PART,
        /** An image of two zones. */
        MULTI_ZONE;

        /** Bytes of a block that cannot be placed. */
        int copiedBytes() {
            return this == GENDC_DESCRIPTOR_LAST ? DESCRIPTOR_BYTES : 0;
        }
    }

    private PlacedBlocks() {}

    static byte[] data(long block, int flow, int from, int to) {
        byte[] data = new byte[to - from];
        for (int i = from; i < to; i++) {
            data[i - from] = TestPackets.pixel(block + 5L * flow, i);
        }
        return data;
    }

    static List<ByteBuffer> block(Kind kind, long block) {
        return switch (kind) {
            case MULTI_PART -> multiPart(block);
            case MULTI_ZONE -> multiZone(block);
            default -> genDc(kind, block);
        };
    }

    private static void add(List<ByteBuffer> packets, long block, int flow, int from, int flags) {
        int end = flags != 0 ? DESCRIPTOR_BYTES : FLOW_BYTES[flow];
        int to = Math.min(end, from + PACKET_BYTES);
        packets.add(PACKETS.genDcPayload(block, packets.size(), flow, from, flags, data(block, flow, from, to)));
    }

    private static void addDescriptor(List<ByteBuffer> packets, long block) {
        add(packets, block, 0, 0, DESCRIPTOR_FLAGS & ~0x10);
        add(packets, block, 0, PACKET_BYTES, DESCRIPTOR_FLAGS & ~0x20);
    }

    private static List<ByteBuffer> genDc(Kind kind, long block) {
        List<ByteBuffer> packets = new ArrayList<>();
        packets.add(PACKETS.genDcLeader(block, block, FLOW_BYTES[0] + FLOW_BYTES[1], false, DESCRIPTOR_BYTES));
        if (kind != Kind.GENDC_DESCRIPTOR_LAST) {
            addDescriptor(packets, block);
        }
        boolean inTurns = kind == Kind.GENDC_IN_TURNS;
        for (int i = 0; i * PACKET_BYTES < FLOW_BYTES[0]; i++) {
            if (DESCRIPTOR_BYTES + i * PACKET_BYTES < FLOW_BYTES[0]) {
                add(packets, block, 0, DESCRIPTOR_BYTES + i * PACKET_BYTES, 0);
            }
            if (inTurns && i * PACKET_BYTES < FLOW_BYTES[1]) {
                add(packets, block, 1, i * PACKET_BYTES, 0);
            }
        }
        for (int from = 0; !inTurns && from < FLOW_BYTES[1]; from += PACKET_BYTES) {
            add(packets, block, 1, from, 0);
        }
        if (kind == Kind.GENDC_DESCRIPTOR_LAST) {
            addDescriptor(packets, block);
        }
        packets.add(PACKETS.trailer(0x000B, block, packets.size()));
        return packets;
    }

    private static String part(int bytes) {
        return "0001 %012X 01080001 0000 02 00 00000000 0003 0004".formatted(bytes) + "00000001 %08X".formatted(bytes)
                + "00000000 00000000 0000 0000 00000000";
    }

    private static List<ByteBuffer> multiPart(long block) {
        List<ByteBuffer> packets = new ArrayList<>();
        packets.add(hex(
                "00000000 81 0000 02 %016X 00000000".formatted(block),
                "0000 000A %016X".formatted(block),
                part(PART_BYTES),
                part(SECOND_PART_BYTES)));
        int[] bytes = {PART_BYTES, SECOND_PART_BYTES};
        for (int part = 0; part < bytes.length; part++) {
            int start = part * SECOND_PART_OFFSET;
            for (int from = 0; from < bytes[part]; from += PACKET_BYTES) {
                int to = Math.min(bytes[part], from + PACKET_BYTES);
                byte[] data = data(block, 0, start + from, start + to);
                ByteBuffer body = ByteBuffer.allocate(8 + data.length);
                body.put((byte) part)
                        .put((byte) 0)
                        .putShort((short) 0)
                        .putInt(from)
                        .put(data);
                packets.add(PACKETS.packet(0, 0, 7, block, packets.size(), body.array()));
            }
        }
        packets.add(hex(
                "00000000 82 0000 00 %016X %08X".formatted(block, packets.size()),
                "0000 000A",
                "0001 %012X %08X 00000000".formatted(PART_BYTES, PART_BYTES),
                "0001 %012X %08X 00000000".formatted(SECOND_PART_BYTES, SECOND_PART_BYTES)));
        return packets;
    }

    private static List<ByteBuffer> multiZone(long block) {
        List<ByteBuffer> packets = new ArrayList<>();
        packets.add(hex(
                "00000000 81 0000 00 %016X 00000000".formatted(block),
                "0000 0009 %016X 40000000".formatted(block),
                "01080001 %08X %08X 00000000 00000000 0000 0000".formatted(ZONE_WIDTH, 2 * ZONE_HEIGHT)));
        int bytes = ZONE_WIDTH * ZONE_HEIGHT;
        for (int zone = 0; zone < 2; zone++) {
            for (int from = 0; from < bytes; from += PACKET_BYTES) {
                int to = Math.min(bytes, from + PACKET_BYTES);
                int end = to == bytes ? 1 : 0;
                byte[] data = data(block, 0, zone * bytes + from, zone * bytes + to);
                packets.add(hex(
                        "00000000 86 0000 00 %016X %08X".formatted(block, packets.size()),
                        "00 %02X %012X".formatted(zone << 1 | end, zone * bytes + from),
                        HexFormat.of().formatHex(data)));
            }
        }
        packets.add(hex(
                "00000000 82 0000 00 %016X %08X".formatted(block, packets.size()),
                "0000 0009 %08X".formatted(2 * ZONE_HEIGHT)));
        return packets;
    }
}
