package io.peregrine.stream.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.ByteRange;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.FlowSet.State;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlowSetTest {
    private static final BlockInfo BLOCK = new BlockInfo(1, 1, 0, 10, Optional.empty(), 0, Optional.empty(), 0);

    /** The moves that a holder can make, with the state that each starts from. */
    private static final Map<State, List<Consumer<FlowSet>>> MOVES = Map.of(
            State.QUEUED, List.of(FlowSet::beginFilling),
            State.FILLING, List.of(FlowSet::abandonFilling, set -> set.finishFilling(BLOCK), FlowSet::forgetReceived),
            State.FILLED, List.of(FlowSet::lease),
            State.LEASED, List.of(FlowSet::release),
            State.FREE, List.of());

    private static FlowSet in(State state) {
        FlowSetPool pool = FlowSetPool.allocate(1, new long[] {100}, 1 << 20);
        FlowSet set = pool.flowSets().get(0);
        if (state == State.FREE) {
            return set;
        }
        assertSame(set, pool.take().orElseThrow());
        if (state == State.QUEUED) {
            return set;
        }
        set.beginFilling();
        if (state == State.FILLING) {
            return set;
        }
        set.finishFilling(BLOCK);
        if (state == State.LEASED) {
            set.lease();
        }
        return set;
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void onlyTheMovesOfAStateAreAllowedInIt(State state) {
        for (Map.Entry<State, List<Consumer<FlowSet>>> moves : MOVES.entrySet()) {
            for (Consumer<FlowSet> move : moves.getValue()) {
                FlowSet set = in(state);
                assertEquals(state, set.state());
                if (moves.getKey() == state) {
                    move.accept(set);
                } else {
                    assertThrows(IllegalStateException.class, () -> move.accept(set));
                    assertEquals(state, set.state());
                }
            }
        }
    }

    @Test
    void releasedFlowSetCanBeTakenAgain() {
        FlowSetPool pool = FlowSetPool.allocate(1, new long[] {100}, 1 << 20);
        FlowSet set = pool.take().orElseThrow();
        assertEquals(Optional.empty(), pool.take());
        set.beginFilling();
        set.markReceived(0, 0, 10);
        set.finishFilling(BLOCK);
        set.lease();
        assertEquals(1, pool.leasedCount());
        assertEquals(BLOCK, set.block());
        set.release();
        assertEquals(0, pool.leasedCount());
        assertThrows(IllegalStateException.class, set::block);
        assertSame(set, pool.take().orElseThrow());
    }

    @Test
    void flowSetThatCameBackLastIsTakenFirst() {
        FlowSetPool pool = FlowSetPool.allocate(3, new long[] {100}, 1 << 20);
        FlowSet first = pool.take().orElseThrow();
        FlowSet second = pool.take().orElseThrow();
        for (FlowSet set : List.of(first, second)) {
            set.beginFilling();
            set.finishFilling(BLOCK);
            set.lease();
        }
        second.release();
        first.release();
        assertSame(first, pool.take().orElseThrow());
    }

    @Test
    void coverageIsOfTheBlockThatIsBeingFilled() {
        FlowSet set = in(State.FILLING);
        set.markReceived(0, 10, 20);
        assertEquals(20, set.filledBytes(0));
        assertTrue(set.covered(0, 10, 20));
        assertFalse(set.covered(0, 9, 2));
        assertFalse(set.covered(0, -1, 1));
        assertFalse(set.covered(0, 10, Long.MAX_VALUE));
        set.abandonFilling();
        set.beginFilling();
        assertEquals(0, set.filledBytes(0));
    }

    @Test
    void whatWasNotReceivedCanBeOverwritten() {
        FlowSetPool pool = FlowSetPool.allocate(1, new long[] {100_000, 10}, 1 << 20);
        FlowSet set = pool.take().orElseThrow();
        set.beginFilling();
        for (int flow = 0; flow < 2; flow++) {
            for (int i = 0; i < set.flowSizeBytes(flow); i++) {
                set.flow(flow).put(i, (byte) 7);
            }
        }
        set.markReceived(0, 50, 10);
        set.markReceived(0, 70_000, 30_000);
        set.finishFilling(BLOCK);
        set.lease();

        set.fillMissing(255);

        assertEquals(List.of(new ByteRange(55, 5), new ByteRange(70_000, 1000)), set.received(0, 55, 70_945));
        for (int i = 0; i < 100_000; i++) {
            assertEquals(set.covered(0, i, 1) ? 7 : -1, set.flow(0).get(i), "byte " + i);
        }
        assertEquals(-1, set.flow(1).get(9));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 4095, 4096, 4097, 6400, 1_000_000})
    void flowsAreAsLargeAsAskedForAndBeginOnPages(long size) {
        FlowSetPool pool = FlowSetPool.allocate(3, new long[] {size, 7}, 1 << 24);
        for (FlowSet set : pool.flowSets()) {
            assertEquals(2, set.flowCount());
            assertEquals(size, set.flowSizeBytes(0));
            assertEquals(0, set.flow(0).alignmentOffset(0, FlowSetPool.ALIGNMENT_BYTES));
            assertEquals(0, set.flow(1).alignmentOffset(0, FlowSetPool.ALIGNMENT_BYTES));
            set.flow(0).put((int) size - 1, (byte) 1);
        }
    }

    @Test
    void noFlowSharesMemoryWithAnother() {
        FlowSetPool pool = FlowSetPool.allocate(5, new long[] {1_500_000, 7, 4096}, 1 << 24);
        byte content = 1;
        for (FlowSet set : pool.flowSets()) {
            for (int flow = 0; flow < set.flowCount(); flow++) {
                fill(set.flow(flow), content++);
            }
        }
        content = 1;
        for (FlowSet set : pool.flowSets()) {
            for (int flow = 0; flow < set.flowCount(); flow++) {
                ByteBuffer expected = ByteBuffer.allocate((int) set.flowSizeBytes(flow));
                fill(expected, content++);
                assertEquals(-1, set.flow(flow).mismatch(expected));
            }
        }
    }

    private static void fill(ByteBuffer memory, byte content) {
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, content);
        }
    }

    @Test
    void impossiblePoolsAreRefused() {
        assertThrows(StreamException.class, () -> FlowSetPool.allocate(0, new long[] {1}, 1 << 20));
        assertThrows(StreamException.class, () -> FlowSetPool.allocate(1, new long[] {}, 1 << 20));
        assertThrows(StreamException.class, () -> FlowSetPool.allocate(1, new long[] {0}, 1 << 20));
        assertThrows(StreamException.class, () -> FlowSetPool.allocate(1, new long[] {1L << 31}, Long.MAX_VALUE));
        assertThrows(StreamException.class, () -> FlowSetPool.allocate(100, new long[] {1 << 20}, 1 << 24));
    }

    @Test
    void reclaimTakesBackWhatTheReceiverHeldButNothingThatIsLeased() {
        FlowSetPool pool = FlowSetPool.allocate(4, new long[] {100}, 1 << 20);
        FlowSet queued = pool.take().orElseThrow();
        FlowSet filling = pool.take().orElseThrow();
        FlowSet filled = pool.take().orElseThrow();
        FlowSet leased = pool.take().orElseThrow();
        for (FlowSet set : List.of(filling, filled, leased)) {
            set.beginFilling();
        }
        filled.finishFilling(BLOCK);
        leased.finishFilling(BLOCK);
        leased.lease();
        pool.reclaimUnfilled();
        assertEquals(
                List.of(State.FREE, State.FREE, State.FILLED, State.LEASED),
                List.of(queued.state(), filling.state(), filled.state(), leased.state()));
        pool.reclaim();
        pool.reclaim();
        assertEquals(State.FREE, filled.state());
        assertEquals(State.LEASED, leased.state());
        leased.release();
        for (int i = 0; i < 4; i++) {
            assertTrue(pool.take().isPresent());
        }
        assertEquals(Optional.empty(), pool.take());
    }
}
