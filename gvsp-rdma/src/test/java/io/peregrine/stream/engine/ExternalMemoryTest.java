package io.peregrine.stream.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.GuardedMemory;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.StreamException;
import io.peregrine.testing.ExpectedWarning;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalMemoryTest {
    private static final int PAGE = 4096;

    private final AtomicInteger releases = new AtomicInteger();
    private final List<GuardedMemory> guarded = new ArrayList<>();

    @AfterEach
    void nothingWasWrittenBeyond() {
        guarded.forEach(GuardedMemory::assertNothingBeyond);
        guarded.forEach(GuardedMemory::close);
    }

    private FlowMemory flow(long bytes) {
        GuardedMemory memory = GuardedMemory.of(bytes);
        guarded.add(memory);
        return memory.flow();
    }

    private List<List<FlowMemory>> sets(int count, long... bytes) {
        return IntStream.range(0, count)
                .mapToObj(set -> {
                    List<FlowMemory> flows = new ArrayList<>();
                    for (long size : bytes) {
                        flows.add(flow(size));
                    }
                    return flows;
                })
                .map(List::copyOf)
                .toList();
    }

    private ExternalMemory memory(int count, long... bytes) {
        return new ExternalMemory(sets(count, bytes), releases::incrementAndGet);
    }

    private static String problem(Runnable action) {
        return assertThrows(StreamException.class, action::run).getMessage();
    }

    private static FlowSet filled(FlowSetPool pool) {
        FlowSet set = pool.take().orElseThrow();
        set.beginFilling();
        set.finishFilling(new BlockInfo(1, 1, 0, 0, Optional.empty(), 0, Optional.empty(), 0));
        set.lease();
        return set;
    }

    // ---- what is possible

    @Test
    void flowSetsLieWhereTheUserSaid() {
        List<List<FlowMemory>> sets = sets(2, 5000, 100);
        FlowSetPool pool = new ExternalMemory(sets, () -> {}).pool(new long[] {5000, 100});

        FlowSet second = pool.flowSets().get(1);
        assertEquals(guarded.get(3).address(), second.nativeAddress(1).orElseThrow());
        second.segment(1).put(98, ByteBuffer.wrap(new byte[] {1, 2}), 0, 2);
        assertEquals(2, guarded.get(3).bytes(99, 1)[0]);
    }

    @Test
    void memoryThatIsTooSmallNamesWhatTheDeviceNeeds() {
        ExternalMemory memory = memory(2, 4096, 1000);

        assertEquals(
                "The device needs flow sets of 2 flows with 4096, 1001 bytes, each at a multiple of 4096, but flow 1 of"
                        + " flow set 0 was given 1000 bytes",
                problem(() -> memory.pool(new long[] {4096, 1001})));
    }

    @Test
    void anotherNumberOfFlowsIsRefused() {
        ExternalMemory memory = memory(2, 4096);

        assertEquals(
                "The device needs flow sets of 2 flows with 10, 20 bytes, each at a multiple of 4096, but the memory"
                        + " that was given has 1 flows for each",
                problem(() -> memory.pool(new long[] {10, 20})));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, -1, Long.MIN_VALUE, 0})
    void sizesThatNoMemoryHasAreRefused(long claimed) {
        ExternalMemory memory = memory(2, 4096);

        assertTrue(problem(() -> memory.pool(new long[] {claimed})).contains("was given 4096 bytes"));
    }

    @Test
    void onlyAsMuchOfTheMemoryIsUsedAsIsNeeded() {
        FlowSet set = memory(2, 5000).pool(new long[] {100}).flowSets().get(0);

        assertEquals(100, set.flowSizeBytes(0));
        assertThrows(IndexOutOfBoundsException.class, () -> set.segment(0).put(99, ByteBuffer.allocate(2), 0, 2));
    }

    @Test
    void memoryThatDoesNotBeginOnAPageIsRefused() {
        flow(PAGE);
        long address = guarded.get(0).address() + 64;

        assertEquals(
                "The address 0x" + Long.toHexString(address)
                        + " is 4032 bytes before a multiple of 4096, where the memory of a flow begins",
                problem(() -> FlowMemory.at(address, 100, this)));
    }

    @Test
    void bufferThatDoesNotBeginOnAPageSaysHowToMakeOneThatDoes() {
        ByteBuffer page = ByteBuffer.allocateDirect(2 * PAGE).alignedSlice(PAGE);

        assertEquals(PAGE - 100, FlowMemory.of(page.slice(0, PAGE - 100)).lengthBytes());
        assertTrue(problem(() -> FlowMemory.of(page.position(8))).contains("take alignedSlice(4096)"));
    }

    @Test
    void bufferOnTheHeapIsRefused() {
        assertTrue(problem(() -> FlowMemory.of(ByteBuffer.allocate(PAGE))).contains("direct buffers"));
    }

    @Test
    void memoryThatIsGivenTwiceIsRefused() {
        FlowMemory shared = flow(3 * PAGE);
        long address = guarded.get(0).address();
        FlowMemory second = FlowMemory.at(address + 2 * PAGE, PAGE, this);

        assertTrue(problem(() -> ExternalMemory.check(List.of(List.of(shared), List.of(second))))
                .contains("overlap"));
    }

    @Test
    void neighboursDoNotOverlap() {
        flow(3 * PAGE);
        long address = guarded.get(0).address();

        ExternalMemory.check(List.of(
                List.of(FlowMemory.at(address + PAGE, PAGE, this)), List.of(FlowMemory.at(address, PAGE, this))));
    }

    @Test
    void descriptorCannotBeInMemoryOfADevice() {
        FlowMemory gpu = FlowMemory.dmaBuf(7, 0, PAGE, this);

        assertTrue(problem(() -> ExternalMemory.check(List.of(List.of(gpu), List.of(gpu))))
                .startsWith("Flow 0 has the descriptor"));
    }

    @Test
    void memoryOfADeviceCannotBeReadByTheProcessor() {
        ExternalMemory memory = new ExternalMemory(
                List.of(
                        List.of(flow(10), FlowMemory.peerDirect(1 << 20, PAGE, this)),
                        List.of(flow(10), FlowMemory.dmaBuf(7, PAGE, PAGE, this))),
                () -> {});
        FlowSetPool pool = memory.pool(new long[] {10, 20});

        assertFalse(pool.hostAccess());
        assertTrue(problem(() -> pool.flowSets().get(0).segment(1).view(0, 1)).contains("cannot read"));
        pool.flowSets().get(1).fillMissing(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4097})
    void numberOfFlowSetsIsLimited(int count) {
        FlowMemory any = FlowMemory.of(ByteBuffer.allocateDirect(2 * PAGE).alignedSlice(PAGE));
        List<List<FlowMemory>> sets =
                IntStream.range(0, count).mapToObj(set -> List.of(any)).toList();

        assertTrue(problem(() -> ExternalMemory.check(sets)).contains("give 2 to 4096"));
    }

    // ---- when it is given back

    @Test
    void itIsGivenBackOnceWhenTheLastHoldEnds() {
        ExternalMemory memory = memory(2, 100);
        FlowSetPool pool = memory.pool(new long[] {100});
        FlowSet first = filled(pool);
        FlowSet second = filled(pool);

        memory.release();
        first.release();
        assertEquals(0, releases.get());
        second.release();
        assertEquals(1, releases.get());
    }

    @Test
    void receiverHoldsItUntilItIsClosed() {
        ExternalMemory memory = memory(2, 100);
        Source source = new Source(memory.pool(new long[] {100}));
        StreamEngine engine = new StreamEngine(source);
        memory.release();
        assertEquals(0, releases.get());

        engine.close();
        assertEquals(1, releases.get());
    }

    @Test
    void receiverThatCannotBeClosedKeepsIt() {
        ExternalMemory memory = memory(2, 100);
        Source source = new Source(memory.pool(new long[] {100}));
        StreamEngine engine = new StreamEngine(source);
        memory.release();
        source.stuck = true;

        assertThrows(IllegalStateException.class, engine::close);
        assertEquals(0, releases.get());
    }

    @Test
    void engineGivesItBackWhenItTakesOther() {
        Source source = new Source(FlowSetPool.allocate(2, new long[] {100}, 1 << 20));
        try (StreamEngine engine = new StreamEngine(source)) {
            engine.usePool(memory(2, 100));
            engine.usePool(memory(3, 100));
            assertEquals(1, releases.get());
            assertEquals(3, engine.pool().count());
            engine.resizePool(2);
            assertEquals(2, releases.get());
        }
        assertEquals(2, releases.get());
    }

    @ExpectedWarning("What is called on the release of flow sets failed")
    @Test
    void failureOfTheUsersCodeIsLogged() {
        new ExternalMemory(sets(2, 100), () -> {
                    throw new IllegalStateException("user");
                })
                .release();
    }

    /** Receives nothing. */
    private static final class Source implements StreamSource {
        private FlowSetPool pool;
        private boolean stuck;

        Source(FlowSetPool pool) {
            this.pool = pool;
        }

        @Override
        public String name() {
            return "test";
        }

        @Override
        public FlowSetPool pool() {
            return pool;
        }

        @Override
        public void resizePool(int count) {
            pool = FlowSetPool.allocate(count, new long[] {100}, 1 << 20);
        }

        @Override
        public void usePool(ExternalMemory memory) {
            pool = memory.pool(new long[] {100});
        }

        @Override
        public StreamCounters counters() {
            return new StreamCounters();
        }

        @Override
        public void begin(StreamEngine engine) {}

        @Override
        public void turn() {}

        @Override
        public void end() {}

        @Override
        public void wakeUp() {}

        @Override
        public void close() {
            if (stuck) {
                throw new IllegalStateException("stuck");
            }
        }
    }
}
