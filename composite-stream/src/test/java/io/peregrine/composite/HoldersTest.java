package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HoldersTest {
    private final FlowSetPool pool = FlowSetPool.allocate(2, new long[] {64}, Blocks.LIMIT_BYTES);
    private final List<String> warnings = new ArrayList<>();
    private final List<Optional<Throwable>> stacks = new ArrayList<>();
    private long nanos;
    private final Holders holders = new Holders(() -> nanos, (text, stack) -> {
        warnings.add(text);
        stacks.add(Optional.ofNullable(stack));
    });

    private Composite take() {
        FlowSet set = Blocks.fill(
                pool,
                Blocks.image(12, PfncCodes.MONO8, 8, 8, 0, 64),
                filled -> Blocks.receive(filled, 0, 0, new byte[64]));
        set.lease();
        return Composite.of(set, holders, new CompositeMapper());
    }

    private Composite takeBy(String threadName) throws InterruptedException {
        List<Composite> taken = new ArrayList<>();
        Thread thread = new Thread(() -> taken.add(take()), threadName);
        thread.start();
        thread.join();
        return taken.get(0);
    }

    @Test
    void theThreadsThatHoldEverythingAreNamedOnce() throws Exception {
        takeBy("viewer");
        nanos = 1_500_000_000L;
        Composite second = takeBy("recorder");
        nanos = 2_000_000_000L;
        holders.look(pool);
        holders.look(pool);
        second.close();
        takeBy("recorder");
        holders.look(pool);

        assertEquals(1, warnings.size());
        assertTrue(
                warnings.get(0).contains("all 2 flow sets")
                        && warnings.get(0)
                                .contains("thread recorder holds 1, the first for 500 ms; thread viewer holds 1, the"
                                        + " first for 2000 ms"),
                warnings::toString);
        assertEquals(2, holders.starvations());
    }

    @Test
    void nobodyIsNamedWhileAFlowSetIsFree() {
        take();
        holders.look(pool);

        assertEquals(List.of(), warnings);
        assertEquals(0, holders.starvations());
    }

    @Test
    void nobodyIsNamedAfterAllWasClosed() {
        take().close();
        Composite second = take();
        second.retain().close();
        second.close();
        take();
        holders.look(pool);

        assertEquals(List.of(), warnings);
    }

    @Test
    void aNewStartAllowsANewWarning() {
        take();
        take();
        holders.look(pool);
        holders.restart();
        holders.look(pool);

        assertEquals(2, warnings.size());
    }

    @Test
    void theStackOfTheLongestHolderIsShownWhenAskedFor() {
        take();
        take();
        holders.look(pool);
        assertEquals(Optional.empty(), stacks.get(0));
        holders.restart();

        Holders traced = new Holders(() -> 0, (text, stack) -> stacks.add(Optional.of(stack)));
        traced.trace(true);
        new Lease(FrameMemory.of(pool.flowSets().get(0)), traced);
        traced.look(pool);

        StackTraceElement[] stack = stacks.get(1).orElseThrow().getStackTrace();
        assertTrue(
                List.of(stack).stream().anyMatch(frame -> frame.getClassName().equals(HoldersTest.class.getName())));
    }

    @Test
    void copiesAreHeldByNobody() {
        Composite copy = take().copy();
        take();
        holders.look(pool);

        assertTrue(copy.complete());
        assertTrue(warnings.get(0).contains(" holds 2,"), warnings::toString);
    }
}
