package io.peregrine.gvsp;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.FlowSet;
import io.peregrine.stream.FlowSetPool;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any packets at any time: no exception, no complete frame with bytes that did not arrive, no flow set lost. */
class GvspAssemblerFuzzTest {
    private static final int FLOW_BYTES = 300;
    private static final int FLOW_SETS = 3;

    /** Where the choices come from. */
    private interface Choice {
        boolean left();

        int number(int bound);

        long any();
    }

    @FuzzTest(maxDuration = "60s")
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
        StreamStatistics statistics = run(new Choice() {
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
        check(statistics.get(Counter.FRAMES_COMPLETE) > 0, "no frame was ever complete: " + statistics);
        check(statistics.get(Counter.FRAMES_INCOMPLETE) > 0, "no frame was ever incomplete: " + statistics);
    }

    private static StreamStatistics run(Choice choice) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        GvspSettings settings = GvspSettings.defaults(loopback, loopback)
                .withPacketSizeBytes(choice.number(2) == 0 ? 86 : 136)
                .withResendEnabled(choice.number(2) == 0)
                .withFrameRetention(Duration.ofMillis(30))
                .withOpenBlocks(1 + choice.number(4));
        FlowSetPool pool = FlowSetPool.allocate(FLOW_SETS, new long[] {FLOW_BYTES, 100}, 1 << 20);
        Checks checks = new Checks();
        StreamStatistics statistics = new StreamStatistics();
        FrameAssembler assembler = new FrameAssembler(settings, pool, checks::onRequest, checks, statistics);
        long now = choice.any();
        boolean extended = choice.number(2) == 0;
        long newest = choice.number(3) == 0 ? 65_500 : 1;
        while (choice.left()) {
            int step = choice.number(20);
            if (step == 0) {
                now += choice.number(40_000_000);
                assembler.onTime(now);
            } else if (step == 1) {
                checks.releaseOne();
            } else {
                newest += choice.number(15) == 0 ? 1 : 0;
                ByteBuffer packet = packet(choice, extended, newest);
                int cut = choice.number(40) == 0 ? choice.number(packet.capacity() + 1) : packet.capacity();
                assembler.onPacket(packet, 0, cut, now);
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
        return statistics;
    }

    /** A packet with fields that are mostly near each other, so that they meet in the same blocks. */
    private static ByteBuffer packet(Choice choice, boolean mostlyExtended, long newest) {
        boolean extended = mostlyExtended != (choice.number(100) == 0);
        int[] formats = {1, 2, 3, 3, 3, 3, 8, 8, 3, 1, 2, 3, 3, 3, 3, 8, 8, 4};
        int format = formats[choice.number(formats.length)];
        long blockId = choice.number(500) == 0 ? choice.any() : newest - choice.number(2);
        if (!extended) {
            blockId = blockId == 0 ? 0 : (blockId - 1) % 65535 + 1;
        }
        int packetId = choice.number(50) == 0 ? (int) choice.any() : 1 + choice.number(2);
        if (format == 1 && choice.number(8) != 0) {
            packetId = 0;
        } else if (format == 2 && choice.number(8) != 0) {
            packetId = 3;
        }
        int[] statuses = {0x0100, 0x800C, 0x8011, 0x8010};
        int status = choice.number(20) == 0 ? statuses[choice.number(statuses.length)] : 0;
        int[] sizes = {50, 50, 50, 50, 100, 38, 30, 7};
        int size = format == 3 ? sizes[choice.number(sizes.length)] : 36 + choice.number(60);
        TestPackets packets = new TestPackets(extended, 50);
        ByteBuffer packet =
                packets.packet(status, choice.number(2), format, blockId, packetId & 0xFFFFFF, new byte[size]);
        int body = packet.capacity() - size;
        if (extended && choice.number(10) == 0) {
            packet.putInt(16, packetId);
        }
        if (format == 1) {
            int[] types = {1, 1, 2, 0xB, 0xB, 0x4001, 5, 0xA};
            packet.putShort(body + 2, (short) types[choice.number(types.length)]);
            packet.putLong(body + 4, choice.number(3));
            if (choice.number(2) == 0) {
                packet.putInt(body + 12, TestPackets.MONO8);
                packet.putInt(body + 16, choice.number(8) == 0 ? (int) choice.any() : 10);
                packet.putInt(body + 20, choice.number(12));
            } else {
                packet.putLong(body + 12, choice.number(8) == 0 ? choice.any() : choice.number(110));
            }
            packet.putInt(body + 24, choice.number(8) == 0 ? (int) choice.any() : choice.number(60));
        } else if (format == 2) {
            packet.putInt(body + 4, choice.number(30));
        } else if (format == 8) {
            packet.putInt(body, choice.number(12) == 0 ? (int) choice.any() : choice.number(size - 15));
            packet.putLong(body + 4, choice.number(12) == 0 ? choice.any() : choice.number(FLOW_BYTES));
            packet.put(body + 12, (byte) choice.number(256));
            packet.putShort(body + 14, (short) choice.number(3));
        }
        return packet;
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static final class Checks implements FrameSink {
        private final ArrayDeque<FlowSet> held = new ArrayDeque<>();

        @Override
        public void onFrame(FlowSet filled) {
            BlockInfo block = filled.block();
            if (block.complete()) {
                long needed = block.payloadType() == PayloadType.GENDC ? block.descriptorBytes() : block.payloadBytes();
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
        public void onTestPacket(int packetSizeBytes) {
            check(packetSizeBytes > GvspHeader.IP_UDP_LENGTH_BYTES, "size of a test packet");
        }

        void onRequest(long blockId, long first, long last, boolean extended) {
            check(first >= 0 && first <= last && last < 1 << 24, "request " + first + " to " + last);
        }

        boolean releaseOne() {
            FlowSet set = held.poll();
            if (set != null) {
                set.release();
            }
            return set != null;
        }
    }
}
