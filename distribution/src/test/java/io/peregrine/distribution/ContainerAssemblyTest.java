package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.recording.FrameContainer;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ContainerAssemblyTest {
    private static final int PIECE = 100;
    private static final byte UNTOUCHED = 0x5A;

    private final byte[] container = Containers.container(7, 40, 20);
    private final byte[] description = description(container);
    private final StreamCounters counters = new StreamCounters();
    private final FlowSetPool pool = FlowSetPool.allocate(2, new long[] {container.length + 64}, 1 << 20);
    private final List<FlowSet> filled = new ArrayList<>();
    private final ContainerAssembly assembly = new ContainerAssembly(3, counters, pool::take, filled::add);

    ContainerAssemblyTest() {
        for (FlowSet set : pool.flowSets()) {
            byte[] pattern = new byte[set.flow(0).capacity()];
            Arrays.fill(pattern, UNTOUCHED);
            set.flow(0).put(0, pattern);
        }
    }

    private static byte[] description(byte[] container) {
        try (Composite composite = Composite.of(ByteBuffer.wrap(container))) {
            return FrameContainer.of(composite).orElseThrow().description();
        }
    }

    /** A fragment, by the layout that the documentation gives. */
    private void send(int flags, int stream, long frame, long total, long offset, byte[] bytes) {
        ByteBuffer fragment = ByteBuffer.allocate(32 + bytes.length).order(ByteOrder.LITTLE_ENDIAN);
        fragment.put((byte) 1).put((byte) flags).putShort((short) stream).putInt(bytes.length);
        fragment.putLong(frame).putLong(total).putLong(offset).put(bytes);
        assembly.onFragment(new UnsafeBuffer(fragment.array()), 0, fragment.capacity());
    }

    private void describe(long frame) {
        send(1, 3, frame, description.length, 0, description);
    }

    /** The pieces of the container from one on, up to another. */
    private void pieces(long frame, int first, int end) {
        for (int i = first; i < end && i * PIECE < container.length; i++) {
            piece(frame, i);
        }
    }

    private void piece(long frame, int i) {
        byte[] bytes = Arrays.copyOfRange(container, i * PIECE, Math.min(container.length, (i + 1) * PIECE));
        send(0, 3, frame, container.length, (long) i * PIECE, bytes);
    }

    private void whole(long frame) {
        describe(frame);
        pieces(frame, 0, Integer.MAX_VALUE);
    }

    private byte[] memory(int frame) {
        byte[] bytes = new byte[container.length];
        filled.get(frame).flow(0).get(0, bytes);
        return bytes;
    }

    private Optional<IncompleteCause> cause(int frame) {
        return filled.get(frame).block().incomplete();
    }

    @Test
    void aWholeFrameHasEveryByteAtItsPlace() {
        whole(1);
        assertArrayEquals(container, memory(0));
        assertEquals(Optional.empty(), cause(0));
        assertEquals(1, counters.get(Counter.FRAMES_COMPLETE));
    }

    @Test
    void nothingIsWrittenBehindTheFrame() {
        whole(1);
        for (int i = container.length; i < container.length + 64; i++) {
            assertEquals(UNTOUCHED, filled.get(0).flow(0).get(i));
        }
    }

    @Test
    void aLostFragmentMakesTheFrameIncomplete() {
        describe(1);
        pieces(1, 0, 4);
        pieces(1, 5, Integer.MAX_VALUE);
        assertEquals(Optional.of(IncompleteCause.PACKETS_MISSING), cause(0));
        assertEquals(1, filled.get(0).block().missingPackets());
        assertFalse(filled.get(0).covered(0, 400, 100));
        assertTrue(filled.get(0).covered(0, 0, 400));
        assertTrue(filled.get(0).covered(0, 500, container.length - 500));
    }

    @Test
    void aLostEndMakesTheFrameIncompleteWhenTheNextBegins() {
        describe(1);
        pieces(1, 0, 4);
        whole(2);
        assertEquals(Optional.of(IncompleteCause.PACKETS_MISSING), cause(0));
        assertEquals(Optional.empty(), cause(1));
        assertEquals(1, counters.get(Counter.FRAMES_INCOMPLETE));
    }

    @Test
    void aFrameWhoseDescriptionIsLostIsDroppedAndCounted() {
        whole(1);
        pieces(2, 0, Integer.MAX_VALUE);
        assertEquals(1, filled.size());
        assertEquals(1, counters.get(Counter.FRAMES_DROPPED_UNUSABLE));
    }

    @Test
    void whoJoinsWithinAFrameGoesOnWithTheNextAndHasLostNothing() {
        pieces(1, 5, Integer.MAX_VALUE);
        whole(2);
        assertEquals(1, filled.size());
        assertArrayEquals(container, memory(0));
        assertEquals(0, counters.snapshot().framesLost());
    }

    @Test
    void framesThatNeverCameAreCounted() {
        whole(1);
        whole(5);
        assertEquals(3, counters.get(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void bytesThatComeTwiceMakeAFrameUnusable() {
        describe(1);
        pieces(1, 0, 4);
        piece(1, 3);
        pieces(1, 4, Integer.MAX_VALUE);
        assertEquals(0, filled.size());
        assertEquals(1, counters.get(Counter.FRAMES_DROPPED_UNUSABLE));
        assertEquals(1, counters.get(Counter.PACKETS_MALFORMED));
    }

    @Test
    void theMemoryOfAnUnusableFrameIsUsedForTheNext() {
        for (int frame = 1; frame <= 5; frame++) {
            describe(frame);
            piece(frame, 0);
            piece(frame, 0);
        }
        whole(6);
        assertArrayEquals(container, memory(0));
        assertEquals(0, counters.get(Counter.FRAMES_DROPPED_NO_FLOW_SET));
    }

    @Test
    void aTotalThatContradictsTheDescriptionMakesAFrameUnusable() {
        describe(1);
        send(0, 3, 1, container.length + 1, 0, new byte[10]);
        pieces(1, 1, Integer.MAX_VALUE);
        assertEquals(0, filled.size());
        assertEquals(1, counters.get(Counter.FRAMES_DROPPED_UNUSABLE));
    }

    @Test
    void aFrameLargerThanTheMemoryIsIncompleteAndWritesNothing() {
        byte[] larger = Containers.container(8, 400, 20);
        byte[] larges = description(larger);
        send(1, 3, 1, larges.length, 0, larges);
        send(0, 3, 1, larger.length, 0, Arrays.copyOf(larger, 500));
        assertEquals(Optional.of(IncompleteCause.DATA_LARGER_THAN_FLOW_SET), cause(0));
        assertEquals(UNTOUCHED, filled.get(0).flow(0).get(0));
    }

    @Test
    void aFrameWithoutMemoryIsDroppedWholeAndCounted() {
        whole(1);
        whole(2);
        whole(3);
        assertEquals(2, filled.size());
        assertEquals(1, counters.get(Counter.FRAMES_DROPPED_NO_FLOW_SET));
    }

    @Test
    void anOlderFrameIsRefused() {
        whole(5);
        whole(4);
        assertEquals(1, filled.size());
        assertTrue(counters.get(Counter.PACKETS_MALFORMED) > 0);
    }

    @Test
    void anotherStreamChannelIsIgnored() {
        send(1, 4, 1, description.length, 0, description);
        send(0, 4, 1, container.length, 0, container);
        assertEquals(0, filled.size());
        assertEquals(0, counters.get(Counter.PACKETS_MALFORMED));
    }

    @Test
    void aDescriptionLargerThanAnyIsRefusedWithoutMemory() {
        send(1, 3, 1, 1L << 40, 0, new byte[10]);
        assertEquals(1, counters.get(Counter.FRAMES_DROPPED_UNUSABLE));
    }

    @Test
    void aDescriptionThatPlacesBytesOutsideIsRefused() {
        byte[] lying = description.clone();
        ByteBuffer.wrap(lying).order(ByteOrder.LITTLE_ENDIAN).putLong(8, 10);
        send(1, 3, 1, lying.length, 0, lying);
        pieces(1, 0, Integer.MAX_VALUE);
        assertEquals(0, filled.size());
        assertEquals(1, counters.get(Counter.FRAMES_DROPPED_UNUSABLE));
    }

    @Test
    void theEndCutsOffWhatIsUnderWay() {
        describe(1);
        piece(1, 0);
        send(2, 3, 1, 0, 0, new byte[0]);
        assertTrue(assembly.ended());
        assertEquals(Optional.of(IncompleteCause.DATA_MISSING), cause(0));
    }

    @Test
    void aLostConnectionCutsOffWhatIsUnderWay() {
        describe(1);
        piece(1, 0);
        assembly.cutOff(IncompleteCause.CONNECTION_LOST);
        assertEquals(Optional.of(IncompleteCause.CONNECTION_LOST), cause(0));
        whole(2);
        assertEquals(Optional.empty(), cause(1));
    }

    @Test
    void aDescriptionInPiecesIsPutTogether() {
        byte[] first = Arrays.copyOf(description, 20);
        send(1, 3, 1, description.length, 0, first);
        send(1, 3, 1, description.length, 20, Arrays.copyOfRange(description, 20, description.length));
        pieces(1, 0, Integer.MAX_VALUE);
        assertArrayEquals(container, memory(0));
    }
}
