package io.peregrine.distribution;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.composite.Composite;
import io.peregrine.recording.FrameContainer;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** Whatever fragments come: nothing is thrown, and a frame is complete only with each of its bytes. */
class ContainerAssemblyFuzzTest {
    private static final byte[] CONTAINER = Containers.container(1, 16, 8);
    private static final byte[] DESCRIPTION = description();

    private static byte[] description() {
        try (Composite composite = Composite.of(ByteBuffer.wrap(CONTAINER))) {
            return FrameContainer.of(composite).orElseThrow().description();
        }
    }

    private final FlowSetPool pool = FlowSetPool.allocate(2, new long[] {CONTAINER.length}, 1 << 20);

    private ContainerAssembly assembly(StreamCounters counters) {
        return new ContainerAssembly(0, counters, pool::take, this::check);
    }

    private void check(FlowSet set) {
        set.lease();
        set.release();
    }

    private void account(StreamCounters counters) {
        StreamStatistics counted = counters.snapshot();
        if (counted.get(StreamStatistics.Counter.FRAMES_COMPLETE) < 0) {
            throw new AssertionError("counters: " + counted);
        }
        pool.reclaim();
        if (pool.leasedCount() != 0) {
            throw new AssertionError("A flow set is lost");
        }
    }

    /** Fragments of any content: each has its length in front. */
    @FuzzTest(maxDuration = "60s")
    void takesAnyFragments(byte[] input) {
        StreamCounters counters = new StreamCounters();
        ContainerAssembly assembly = assembly(counters);
        UnsafeBuffer bytes = new UnsafeBuffer(input);
        int at = 0;
        while (at < input.length) {
            int length = Math.min(input[at] & 0xFF, input.length - at - 1);
            assembly.onFragment(bytes, at + 1, length);
            at += 1 + length;
        }
        account(counters);
    }

    /**
     * Good fragments of frames, of which some are changed, repeated, left out or moved. The bytes of a complete frame
     * are those of the container, unless an edit has reached them.
     */
    @FuzzTest(maxDuration = "60s")
    void takesAnyChangeOfGoodFragments(byte[] edits) {
        StreamCounters counters = new StreamCounters();
        boolean[] touched = {false};
        ContainerAssembly assembly = new ContainerAssembly(0, counters, pool::take, set -> {
            byte[] memory = new byte[CONTAINER.length];
            set.flow(0).get(0, memory);
            if (set.block().complete() && !touched[0] && !Arrays.equals(memory, CONTAINER)) {
                throw new AssertionError("A wrong frame is called complete");
            }
            check(set);
        });
        ByteBuffer from = ByteBuffer.wrap(edits);
        long frame = 1;
        int offset = -1;
        while (from.hasRemaining()) {
            int edit = from.get() & 0xFF;
            int length = 1 + (edit >> 3);
            byte[] fragment =
                    offset < 0 ? fragment(1, frame, DESCRIPTION, 0, DESCRIPTION.length) : piece(frame, offset, length);
            switch (edit & 7) {
                case 0 -> frame++;
                case 1 -> offset += length;
                case 2 -> {
                    if (from.remaining() >= 2) {
                        int place = (from.get() & 0xFF) % fragment.length;
                        fragment[place] ^= from.get();
                        // What says where the bytes belong is believed, as the bytes are.
                        touched[0] |= offset < 0 || place >= 24;
                    }
                }
                case 3 -> offset = -1;
                case 4 -> assembly.onFragment(new UnsafeBuffer(fragment), 0, fragment.length);
                default -> {
                    // Goes as it is.
                }
            }
            assembly.onFragment(new UnsafeBuffer(fragment), 0, fragment.length);
            offset = offset < 0 ? 0 : offset + length;
            if (offset >= CONTAINER.length) {
                frame++;
                offset = -1;
            }
        }
        account(counters);
    }

    private static byte[] piece(long frame, int offset, int length) {
        int at = Math.min(offset, CONTAINER.length - 1);
        return fragment(0, frame, CONTAINER, at, Math.min(length, CONTAINER.length - at));
    }

    private static byte[] fragment(int flags, long frame, byte[] of, int offset, int length) {
        ByteBuffer fragment = ByteBuffer.allocate(32 + length).order(ByteOrder.LITTLE_ENDIAN);
        fragment.put((byte) 1).put((byte) flags).putShort((short) 0).putInt(length);
        fragment.putLong(frame).putLong(of.length).putLong(offset).put(of, offset, length);
        return fragment.array();
    }
}
