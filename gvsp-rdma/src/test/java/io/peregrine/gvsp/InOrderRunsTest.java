package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same packets, one by one, in runs, and in runs whose data was put in place beforehand, must give the same. */
class InOrderRunsTest {
    private static final int DATA_BYTES = 100;
    private static final int FLOW_BYTES = 4096;
    private static final int STRIDE = 64;
    private static final int SEEDS = 300;
    private static final int FINAL = 0x40;
    private static final int START_AND_END = 0x30;

    private enum Way {
        RUNS,
        IN_PLACE
    }

    /** Kinds of blocks whose packets can come in runs. */
    enum Kind {
        STANDARD_IMAGE,
        EXTENDED_IMAGE,
        CONTAINER;

        TestPackets packets() {
            return this == STANDARD_IMAGE ? TestPackets.standard(DATA_BYTES) : TestPackets.extended(DATA_BYTES);
        }

        GvspSettings settings() {
            return AssemblerRig.settings().withPacketSizeBytes(28 + (this == STANDARD_IMAGE ? 8 : 20) + DATA_BYTES);
        }

        List<ByteBuffer> block(long id, Random random) {
            return this == CONTAINER
                    ? container(id, random.nextInt(1, FLOW_BYTES - 300), random.nextInt(1, FLOW_BYTES))
                    : packets().image(id, 40, random.nextInt(1, 100));
        }
    }

    /** A descriptor of 120 bytes, data behind it, data in flow 1. */
    private static List<ByteBuffer> container(long id, int dataBytes, int otherBytes) {
        TestPackets packets = TestPackets.extended(DATA_BYTES);
        List<ByteBuffer> block = new ArrayList<>();
        block.add(packets.genDcLeader(id, 1000 + id, 120 + dataBytes + otherBytes, false, 120));
        block.add(packets.genDcPayload(id, 1, 0, 0, FINAL | START_AND_END, TestPackets.pixels(id, 120)));
        addFlow(block, packets, id, 0, 120, TestPackets.pixels(id + 1, dataBytes));
        addFlow(block, packets, id, 1, 0, TestPackets.pixels(id + 2, otherBytes));
        block.add(packets.trailer(0x000B, id, block.size()));
        return block;
    }

    private static void addFlow(List<ByteBuffer> to, TestPackets packets, long id, int flow, int place, byte[] data) {
        for (int at = 0; at < data.length; at += DATA_BYTES) {
            byte[] part = Arrays.copyOfRange(data, at, Math.min(data.length, at + DATA_BYTES));
            to.add(packets.genDcPayload(id, to.size(), flow, (long) place + at, 0, part));
        }
    }

    /** Five blocks of which packets are lost, late, doubled and sent again. */
    private static List<ByteBuffer> disturbed(Kind kind, Random random) {
        List<ByteBuffer> all = new ArrayList<>();
        for (long id = 1; id <= 5; id++) {
            all.addAll(kind.block(id, random));
        }
        int faults = random.nextInt(12);
        for (int i = 0; i < faults && all.size() > 4; i++) {
            int at = random.nextInt(all.size() - 2);
            switch (random.nextInt(4)) {
                case 0 -> all.remove(at);
                case 1 -> Collections.swap(all, at, at + 1);
                case 2 -> all.add(Math.min(all.size(), at + random.nextInt(9)), all.get(at));
                default -> {
                    ByteBuffer again = kind.packets().resent(all.get(at));
                    all.add(Math.min(all.size(), at + random.nextInt(9)), again);
                }
            }
        }
        return all;
    }

    /** Cuts the packets to runs as the kernel does: of one length, but for the last. */
    private static List<List<ByteBuffer>> runs(List<ByteBuffer> packets, Random random) {
        List<List<ByteBuffer>> runs = new ArrayList<>();
        int next = 0;
        while (next < packets.size()) {
            int length = packets.get(next).remaining();
            int most = random.nextInt(1, 20);
            List<ByteBuffer> run = new ArrayList<>();
            while (next < packets.size()
                    && run.size() < most
                    && packets.get(next).remaining() == length) {
                run.add(packets.get(next++));
            }
            if (next < packets.size() && run.size() < most && packets.get(next).remaining() < length) {
                run.add(packets.get(next++));
            }
            runs.add(run);
        }
        return runs;
    }

    private static ByteBuffer joined(List<ByteBuffer> run) {
        ByteBuffer joined =
                ByteBuffer.allocate(run.stream().mapToInt(ByteBuffer::remaining).sum());
        run.forEach(packet -> joined.put(packet.duplicate()));
        return joined.flip();
    }

    private static void pass(AssemblerRig rig, List<ByteBuffer> run, Way way) {
        ExpectedPackets expected = new ExpectedPackets();
        int segment = run.get(0).remaining();
        int taken = 0;
        if (way == Way.IN_PLACE && rig.assembler.expect(expected)) {
            taken = scatter(rig, run, expected, segment);
        }
        List<ByteBuffer> rest = run.subList(taken, run.size());
        if (!rest.isEmpty()) {
            ByteBuffer bytes = joined(rest);
            rig.assembler.onRun(bytes, 0, bytes.remaining(), segment, rig.now);
        }
    }

    /** What the system does: a head and data for each packet, as far as there is room. */
    private static int scatter(AssemblerRig rig, List<ByteBuffer> run, ExpectedPackets expected, int segment) {
        ByteBuffer heads = ByteBuffer.allocate(run.size() * STRIDE + 65536);
        int room = expected.lengthBytes();
        int at = expected.offset();
        int count = 0;
        for (ByteBuffer packet : run) {
            int head = Math.min(expected.headBytes(), packet.remaining());
            heads.put(count * STRIDE, packet, packet.position(), head);
            int data = packet.remaining() - head;
            if (data > Math.min(expected.dataBytes(), room)) {
                break;
            }
            expected.memory().put(at, packet, packet.position() + head, data);
            at += expected.dataBytes();
            room -= expected.dataBytes();
            count++;
            if (room <= 0) {
                break;
            }
        }
        boolean apart = run.size() == 1 || segment == expected.headBytes() + expected.dataBytes();
        return apart && count > 0
                ? rig.assembler.onRunInPlace(
                        heads, 0, STRIDE, count, joined(run).remaining(), segment, rig.now)
                : 0;
    }

    private static String outcome(AssemblerRig rig) {
        StringBuilder text = new StringBuilder();
        for (FlowSet set : rig.frames) {
            text.append(set.block()).append('\n');
            for (int flow = 0; flow < set.flowCount(); flow++) {
                text.append(set.filledBytes(flow))
                        .append(':')
                        .append(covered(set, flow))
                        .append('\n');
            }
        }
        // Copying is the difference.
        var counted = rig.statistics.snapshot().plus(Counter.BYTES_COPIED, -rig.count(Counter.BYTES_COPIED));
        return text.append(rig.requests).append(counted).toString();
    }

    private static int covered(FlowSet set, int flow) {
        int hash = 0;
        for (int i = 0; i < FLOW_BYTES; i++) {
            hash = hash * 31 + (set.covered(flow, i, 1) ? set.flow(flow).get(i) : 1000);
        }
        return hash;
    }

    private static AssemblerRig rig(Kind kind) {
        return new AssemblerRig(kind.settings(), 8, FLOW_BYTES, FLOW_BYTES);
    }

    private static void compare(Kind kind, Way way) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<List<ByteBuffer>> runs = runs(disturbed(kind, random), random);
            AssemblerRig single = rig(kind);
            AssemblerRig joined = rig(kind);
            for (List<ByteBuffer> run : runs) {
                single.send(run);
                pass(joined, run, way);
                single.pass(1);
                joined.pass(1);
            }
            single.pass(200);
            joined.pass(200);
            assertEquals(outcome(single), outcome(joined), "seed " + seed);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void runsGiveWhatSinglePacketsGive(Kind kind) {
        compare(kind, Way.RUNS);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void dataPutInPlaceBeforehandGivesWhatSinglePacketsGive(Kind kind) {
        compare(kind, Way.IN_PLACE);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void mostPacketsOfAnUndisturbedBlockAreTakenInPlace(Kind kind) {
        List<ByteBuffer> block = kind == Kind.CONTAINER
                ? container(1, 3000, 2000)
                : kind.packets().image(1, 50, 60);
        AssemblerRig rig = rig(kind);
        int inPlace = 0;
        for (List<ByteBuffer> run : runs(block, new Random(1))) {
            ExpectedPackets expected = new ExpectedPackets();
            int taken = rig.assembler.expect(expected)
                    ? scatter(rig, run, expected, run.get(0).remaining())
                    : 0;
            inPlace += taken;
            rig.send(run.subList(taken, run.size()));
        }
        assertEquals(1, rig.count(Counter.FRAMES_COMPLETE));
        int counted = inPlace;
        assertTrue(inPlace >= block.size() / 2, () -> counted + " of " + block.size());
    }

    @Test
    void whatIsReceivedAlreadyIsNeverExpectedAgain() {
        AssemblerRig rig = rig(Kind.CONTAINER);
        TestPackets packets = TestPackets.extended(DATA_BYTES);
        rig.send(container(1, 1000, 1000).subList(0, 8));
        // An odd device: it goes on before what it has sent.
        rig.send(packets.genDcPayload(1, 8, 0, 120, 0, TestPackets.pixels(9, DATA_BYTES)));
        ExpectedPackets expected = new ExpectedPackets();
        assertTrue(!rig.assembler.expect(expected));
    }
}
