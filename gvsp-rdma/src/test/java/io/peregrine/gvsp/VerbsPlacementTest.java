package io.peregrine.gvsp;

import static io.peregrine.gvsp.TestPackets.hex;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.nativeio.Libc;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Payload whose packets say where their data belongs, written there by an adapter. */
class VerbsPlacementTest {
    private static final int PACKET_BYTES = 40;
    private static final int[] FLOW_BYTES = {400, 130};
    private static final int DESCRIPTOR_BYTES = 60;
    private static final int PART_BYTES = 100;
    private static final int SECOND_PART_BYTES = 90;
    /** On 8 bytes. */
    private static final int SECOND_PART_OFFSET = 104;

    private static final int ZONE_WIDTH = 19;
    private static final int ZONE_HEIGHT = 10;

    private static final int DESCRIPTOR_FLAGS = 0x70;

    private static final TestPackets PACKETS = TestPackets.extended(PACKET_BYTES);

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

    @BeforeEach
    void needs() {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
    }

    private static byte[] data(long block, int flow, int from, int to) {
        byte[] data = new byte[to - from];
        for (int i = from; i < to; i++) {
            data[i - from] = TestPackets.pixel(block + 5L * flow, i);
        }
        return data;
    }

    private static List<ByteBuffer> block(Kind kind, long block) {
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

    private static void check(FlowSet set) {
        long block = set.block().blockId();
        for (int flow = 0; flow < set.flowCount(); flow++) {
            int number = flow;
            byte[] expected = data(block, flow, 0, FLOW_BYTES[flow]);
            set.received(flow, 0, FLOW_BYTES[flow]).forEach(range -> {
                byte[] seen = new byte[(int) range.lengthBytes()];
                set.flow(number).get((int) range.offset(), seen);
                assertTrue(
                        Arrays.equals(seen, Arrays.copyOfRange(expected, (int) range.offset(), (int) range.end())),
                        () -> "flow " + number + " of block " + block + ", " + range);
            });
        }
    }

    private static VerbsRig rig(int depth, int sets) throws Exception {
        return new VerbsRig(depth, sets, PACKET_BYTES, VerbsPlacementTest::check, FLOW_BYTES[0], FLOW_BYTES[1]);
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsCopiedOnceBlocksAreKnown(Kind kind) throws Exception {
        try (VerbsRig rig = rig(24, 16)) {
            long before = 0;
            for (long block = 1; block <= 60; block++) {
                int sent = 0;
                for (ByteBuffer packet : block(kind, block)) {
                    rig.send(packet);
                    if (sent++ % 4 == 0) {
                        rig.receive(1000);
                    }
                }
                rig.receive(1000);
                rig.release();
                if (block == 10) {
                    before = rig.counters.get(Counter.BYTES_COPIED);
                }
            }
            assertEquals(60, rig.counters.get(Counter.FRAMES_COMPLETE));
            assertEquals(50L * kind.copiedBytes(), rig.counters.get(Counter.BYTES_COPIED) - before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatFramesSayTheyReceivedIsWhatWasSent(Kind kind) throws Exception {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int chance = 4 + random.nextInt(30);
            try (VerbsRig rig = rig(8 + seed % 5 * 20, 3 + seed % 8)) {
                for (long block = 1; block <= 40; block++) {
                    List<ByteBuffer> packets = block(kind, block);
                    for (int id = 0; id < packets.size(); id++) {
                        // Blocks at first are as they should be, so that they become known.
                        if (block > 3 && random.nextInt(chance) == 0) {
                            switch (random.nextInt(4)) {
                                case 0 -> id = Math.min(id + 1, packets.size() - 1);
                                case 1 -> rig.send(packets.get(id).duplicate());
                                case 2 ->
                                    rig.send(block(kind, Math.max(1, block - 1)).get(random.nextInt(packets.size())));
                                default ->
                                    rig.send(block(kind, block + random.nextInt(2))
                                            .get(random.nextInt(packets.size())));
                            }
                        }
                        rig.send(packets.get(id).duplicate());
                        if (random.nextInt(6) == 0) {
                            rig.receive(random.nextInt(20) == 0 ? 200_000_000 : 1000);
                        }
                        if (random.nextInt(8) == 0) {
                            rig.release();
                        }
                        if (random.nextInt(150) == 0) {
                            rig.recall();
                        }
                    }
                }
                rig.receive(1000);
                assertTrue(rig.frames > 0);
            }
        }
    }

    /** The kind; then each step: what, which block, how many bytes, the bytes. */
    @FuzzTest(maxDuration = "60s")
    void hostilePackets(byte[] script) throws Exception {
        ByteBuffer steps = ByteBuffer.wrap(script);
        Kind kind = Kind.values()[steps.hasRemaining() ? Byte.toUnsignedInt(steps.get()) % Kind.values().length : 0];
        try (VerbsRig rig =
                new VerbsRig(12 + script.length % 30, 6, PACKET_BYTES, set -> {}, FLOW_BYTES[0], FLOW_BYTES[1])) {
            for (long block = 1; block <= 3; block++) {
                block(kind, block).forEach(rig::send);
                rig.receive(1000);
                rig.release();
            }
            while (steps.remaining() >= 3) {
                int what = steps.get() & 7;
                long block = 4L + (steps.get() & 3);
                int value = Byte.toUnsignedInt(steps.get());
                byte[] bytes = new byte[Math.min(value, steps.remaining())];
                List<ByteBuffer> packets = block(kind, block);
                ByteBuffer packet = packets.get(value % packets.size());
                switch (what) {
                    case 0, 1 -> rig.send(packet);
                    case 2 -> {
                        steps.get(bytes);
                        rig.queue.arrive(bytes);
                    }
                    case 3 -> {
                        // Wrong places, sizes and flags in the headers.
                        steps.get(bytes, 0, Math.min(bytes.length, 8));
                        for (int i = 0; i + 1 < Math.min(bytes.length, 8); i += 2) {
                            packet.put(Byte.toUnsignedInt(bytes[i]) % packet.limit(), bytes[i + 1]);
                        }
                        rig.send(packet);
                    }
                    case 4 -> {
                        steps.get(bytes);
                        rig.send(PACKETS.packet(0, 0, value & 15, block, value % 16, bytes));
                    }
                    case 5 -> rig.receive(value * 1_000_000L);
                    case 6 -> rig.release();
                    default -> rig.recall();
                }
            }
            rig.receive(1000);
        }
    }
}
