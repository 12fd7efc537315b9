package io.peregrine.gvsp;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any packets of any payload type at any time: no exception, no complete frame with bytes that did not arrive, nothing
 * told beyond the flow set, nothing written where the packets do not say, no flow set lost.
 */
class GvspAssemblerFuzzTest {
    private static final int FLOW_BYTES = 300;
    private static final int FLOW_SETS = 3;
    private static final byte UNTOUCHED = 0x5A;
    private static final int[] TYPES = {
        1, 1, 2, 0xB, 0xB, 0xA, 0xA, 0xA, 0x4001, 5, 4, 9, 3, 6, 7, 8, 0x400A, 0x4009, 0x4004, 0x400B, 0x8001, 0
    };

    /** Where the choices come from. */
    private interface Choice {
        boolean left();

        int number(int bound);

        long any();
    }

    @FuzzTest(maxDuration = "120s")
    void anyPacketsAtAnyTime(FuzzedDataProvider data) {
        run(new Choice() {
            @Override
            public boolean left() {
                return data.remainingBytes() > 0;
            }

            @Override
            public int number(int bound) {
                return data.consumeInt(0, bound - 1);
            }

            @Override
            public long any() {
                return data.consumeLong();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void randomPacketsAtRandomTimes(long seed) {
        Random random = new Random(seed);
        int[] left = {8_000};
        Checks checks = run(new Choice() {
            @Override
            public boolean left() {
                return left[0]-- > 0;
            }

            @Override
            public int number(int bound) {
                return random.nextInt(bound);
            }

            @Override
            public long any() {
                return random.nextLong();
            }
        });
        // Otherwise the checks above would be of little worth.
        StreamCounters statistics = checks.statistics;
        check(statistics.get(Counter.FRAMES_COMPLETE) > 0, "no frame was ever complete: " + statistics);
        check(statistics.get(Counter.FRAMES_INCOMPLETE) > 0, "no frame was ever incomplete: " + statistics);
        check(checks.completeWithParts > 0, "no multi-part frame was ever complete: " + statistics);
        check(checks.withChunks > 0, "no frame ever had chunk data: " + statistics);
    }

    private static Checks run(Choice choice) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        GvspSettings settings = GvspSettings.defaults(loopback, loopback)
                .withPacketSizeBytes(choice.number(2) == 0 ? 86 : 136)
                .withResendEnabled(choice.number(2) == 0)
                .withFrameRetention(Duration.ofMillis(30))
                .withOpenBlocks(1 + choice.number(4));
        FlowSetPool pool = FlowSetPool.allocate(FLOW_SETS, new long[] {FLOW_BYTES, 100}, 1 << 20);
        Checks checks = new Checks(pool);
        pool.flowSets().forEach(Checks::wipe);
        FrameAssembler assembler = new FrameAssembler(settings, pool, checks::onRequest, checks, checks.statistics);
        long now = choice.any();
        boolean extended = choice.number(2) == 0;
        long newest = choice.number(3) == 0 ? 65_500 : 1;
        while (choice.left()) {
            int step = choice.number(20);
            checks.noteReuse();
            if (step == 0) {
                now += choice.number(40_000_000);
                assembler.onTime(now);
            } else if (step == 1) {
                checks.releaseOne();
            } else {
                newest += choice.number(15) == 0 ? 1 : 0;
                ByteBuffer packet = packet(choice, extended, newest);
                int cut = choice.number(40) == 0 ? choice.number(packet.capacity() + 1) : packet.capacity();
                switch (choice.number(8)) {
                    case 0 -> assembler.onRun(packet, 0, cut, 1 + choice.number(cut + 1), now);
                    case 1, 2, 3 -> assembler.onRun(packet, 0, cut, Math.max(1, cut), now);
                    default -> assembler.onPacket(packet, 0, cut, now);
                }
            }
        }
        assembler.end();
        pool.reclaimUnfilled();
        while (checks.releaseOne()) {
            // Until none is held.
        }
        check(pool.flowSets().stream().allMatch(set -> set.state() == FlowSet.State.FREE), "a flow set was lost");
        int free = 0;
        while (pool.take().isPresent()) {
            free++;
        }
        check(free == FLOW_SETS, "a flow set is in the pool " + free + " times");
        return checks;
    }

    /** A packet with fields that are mostly near each other, so that they meet in the same blocks. */
    private static ByteBuffer packet(Choice choice, boolean mostlyExtended, long newest) {
        boolean extended = mostlyExtended != (choice.number(100) == 0);
        long blockId = choice.number(500) == 0 ? choice.any() : newest - choice.number(2);
        if (!extended) {
            blockId = blockId == 0 ? 0 : (blockId - 1) % 65535 + 1;
        }
        // Most packets of a block are of one payload type.
        boolean fitting = choice.number(8) != 0;
        int type = fitting
                ? TYPES[(int) Long.remainderUnsigned(blockId, TYPES.length)]
                : TYPES[choice.number(TYPES.length)];
        int[] formats = {1, 1, 2, GvspHeader.payloadFormat(type), GvspHeader.payloadFormat(type), 1 + choice.number(9)};
        int format = formats[choice.number(formats.length)];
        int packetId = choice.number(50) == 0 ? (int) choice.any() : 1 + choice.number(2);
        if (format == 1 && choice.number(8) != 0) {
            packetId = 0;
        } else if (format == 2 && choice.number(8) != 0) {
            packetId = 3;
        }
        int[] statuses = {0x0100, 0x800C, 0x8011, 0x8010};
        int status = choice.number(20) == 0 ? statuses[choice.number(statuses.length)] : 0;
        int[] sizes = {50, 50, 50, 50, 100, 38, 30, 7};
        boolean parts = (type & 0x3FFF) == 0xA;
        int size = 36 + choice.number(60);
        if (format == 3) {
            size = sizes[choice.number(sizes.length)];
        } else if (format == 7 && choice.number(8) != 0) {
            size = 28;
        } else if (parts && choice.number(8) != 0) {
            size = format == 1 ? 108 : 36;
        }
        TestPackets packets = new TestPackets(extended, 50);
        ByteBuffer packet =
                packets.packet(status, choice.number(2), format, blockId, packetId & 0xFFFFFF, new byte[size]);
        int body = packet.capacity() - size;
        if (extended && choice.number(10) == 0) {
            packet.putInt(16, packetId);
        }
        switch (format) {
            case 1, 4 -> leader(choice, packet, body, type, extended);
            case 2 -> trailer(choice, packet, body, choice.number(4) == 0 ? 0 : type);
            case 6, 7 -> {
                packet.put(body, (byte) (choice.number(12) == 0 ? choice.number(256) : packetId - 1));
                packet.put(body + 1, (byte) choice.number(256));
                packet.putShort(body + 2, (short) (choice.number(30) == 0 ? choice.any() : 0));
                packet.putInt(body + 4, choice.number(20) == 0 ? (int) choice.any() : choice.number(4) == 0 ? 10 : 0);
            }
            case 8 -> {
                packet.putInt(body, choice.number(12) == 0 ? (int) choice.any() : choice.number(size - 15));
                packet.putLong(body + 4, choice.number(12) == 0 ? choice.any() : choice.number(FLOW_BYTES));
                packet.put(body + 12, (byte) choice.number(256));
                packet.putShort(body + 14, (short) choice.number(3));
            }
            default -> {}
        }
        return packet;
    }

    private static void leader(Choice choice, ByteBuffer packet, int body, int type, boolean extended) {
        packet.putShort(body + 2, (short) type);
        packet.putLong(body + 4, choice.number(3));
        if ((type & 0x3FFF) == 0xA) {
            if (extended) {
                packet.put(7, (byte) (choice.number(8) == 0 ? choice.number(256) : 2));
            }
            for (int at = body + 12; at + 48 <= packet.capacity(); at += 48) {
                part(choice, packet, at);
                packet.putInt(at + 8, TestPackets.MONO8);
                packet.putInt(at + 24, choice.number(10));
                packet.putInt(at + 28, choice.number(8));
            }
            return;
        }
        if (choice.number(2) == 0) {
            packet.putInt(body + 12, TestPackets.MONO8);
            packet.putInt(body + 16, choice.number(8) == 0 ? (int) choice.any() : 10);
            packet.putInt(body + 20, choice.number(12));
        } else {
            packet.putLong(body + 12, choice.number(8) == 0 ? choice.any() : choice.number(110));
        }
        packet.putInt(body + 24, choice.number(8) == 0 ? (int) choice.any() : choice.number(60));
    }

    private static void trailer(Choice choice, ByteBuffer packet, int body, int type) {
        packet.putShort(body + 2, (short) type);
        if ((type & 0x3FFF) == 0xA) {
            for (int at = body + 4; at + 16 <= packet.capacity(); at += 16) {
                part(choice, packet, at);
                packet.putInt(at + 8, choice.number(8));
            }
        } else {
            packet.putInt(body + 4, choice.number(30));
            packet.putInt(body + 8, choice.number(120));
        }
    }

    /** Data type and length, which leaders and trailers have in the same place. */
    private static void part(Choice choice, ByteBuffer packet, int at) {
        packet.putShort(at, (short) (choice.number(12) == 0 ? choice.any() : 10));
        packet.putShort(at + 2, (short) (choice.number(20) == 0 ? choice.any() : 0));
        packet.putInt(at + 4, choice.number(12) == 0 ? (int) choice.any() : choice.number(4) == 0 ? 30 : 20);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static final class Checks implements FrameSink {
        private final ArrayDeque<FlowSet> held = new ArrayDeque<>();
        private final FlowSetPool pool;
        final StreamCounters statistics = new StreamCounters();
        int completeWithParts;
        int withChunks;

        private final Set<FlowSet> reused = new HashSet<>();
        private long dropped;

        Checks(FlowSetPool pool) {
            this.pool = pool;
        }

        /** A flow set whose block was dropped serves the next one as it is, which may be whole by the same packet. */
        void noteReuse() {
            long now = statistics.get(Counter.FRAMES_DROPPED_UNUSABLE);
            if (now != dropped) {
                dropped = now;
                pool.flowSets().stream()
                        .filter(set -> set.state() != FlowSet.State.FREE)
                        .forEach(reused::add);
            }
        }

        static void wipe(FlowSet set) {
            for (int flow = 0; flow < set.flowCount(); flow++) {
                for (int i = 0; i < set.flowSizeBytes(flow); i++) {
                    set.flow(flow).put(i, UNTOUCHED);
                }
            }
        }

        /** Only payload packets without a place of their own may be put where they turn out not to belong. */
        private static void checkUntouched(FlowSet set) {
            for (int flow = 0; flow < set.flowCount(); flow++) {
                for (int i = 0; i < set.flowSizeBytes(flow); i++) {
                    check(
                            set.flow(flow).get(i) == UNTOUCHED || set.covered(flow, i, 1),
                            "written without a packet for it: flow " + flow + " byte " + i + " of " + set.block());
                }
            }
        }

        private void checkRanges(FlowSet set) {
            BlockInfo block = set.block();
            for (BlockInfo.Part part : block.parts()) {
                check(
                        part.lengthBytes() <= set.flowSizeBytes(0) - part.offsetBytes(),
                        "part beyond the flow: " + block);
                check(
                        !block.complete() || set.covered(0, part.offsetBytes(), part.lengthBytes()),
                        "complete without all of a part: " + block);
            }
            block.chunk().ifPresent(chunk -> {
                check(chunk.lengthBytes() <= set.flowSizeBytes(0) - chunk.offsetBytes(), "chunks beyond: " + block);
                check(
                        !block.complete() || set.covered(0, chunk.offsetBytes(), chunk.lengthBytes()),
                        "complete without all chunk data: " + block);
                withChunks++;
            });
            completeWithParts += block.complete() && !block.parts().isEmpty() ? 1 : 0;
        }

        @Override
        public void onFrame(FlowSet filled, boolean overtaken) {
            BlockInfo block = filled.block();
            checkRanges(filled);
            int type = PayloadType.base(block.payloadType());
            if (type == PayloadType.GENDC || type == PayloadType.MULTI_PART || type == PayloadType.MULTI_ZONE) {
                noteReuse();
                if (!reused.contains(filled)) {
                    checkUntouched(filled);
                }
            }
            if (block.complete()) {
                long needed = type == PayloadType.GENDC
                        ? block.descriptorBytes()
                        : type == PayloadType.MULTI_PART ? 0 : block.payloadBytes();
                check(filled.covered(0, 0, needed), "complete without all bytes: " + block);
                check(block.payloadType() != 0 && block.missingPackets() == 0, "complete without a leader: " + block);
                if (block.payloadType() == PayloadType.IMAGE) {
                    long least = GvspLeader.imageSizeBytes(block.image().orElseThrow());
                    check(block.payloadBytes() >= least, "complete with less than its geometry: " + block);
                }
            }
            check(block.payloadBytes() >= 0 && block.missingPackets() >= 0 && block.descriptorBytes() >= 0, "" + block);
            filled.lease();
            held.add(filled);
        }

        @Override
        public void yieldToConsumer() {
            // It has nothing to wait for.
        }

        @Override
        public void onTestPacket(int packetSizeBytes) {
            check(packetSizeBytes > GvspHeader.IP_UDP_LENGTH_BYTES, "size of a test packet");
        }

        void onRequest(long blockId, long first, long last, boolean extended) {
            check(first >= 0 && first <= last && last < 1 << 24, "request " + first + " to " + last);
        }

        boolean releaseOne() {
            FlowSet set = held.poll();
            if (set != null) {
                wipe(set);
                reused.remove(set);
                set.release();
            }
            return set != null;
        }
    }
}
