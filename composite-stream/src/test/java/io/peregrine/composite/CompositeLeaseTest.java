package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.engine.FlowSetPool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handles on the memory of a frame: retain, copy, close. */
@Timeout(60)
class CompositeLeaseTest {
    private static final int BYTES = 64;

    private final FlowSetPool pool = Blocks.pool(BYTES);

    private Composite composite() {
        return Blocks.map(pool, Blocks.image(12, PfncCodes.MONO8, 8, 8, 0, 64), Blocks::receiveAll);
    }

    @Test
    void theMemoryGoesBackWhenTheLastHandleIsClosed() {
        Composite first = composite();
        Composite second = first.retain();
        Composite third = second.retain();

        first.close();
        first.close();
        third.close();
        assertEquals(1, pool.leasedCount());
        second.close();
        assertEquals(0, pool.leasedCount());
    }

    @Test
    void itemsLiveAsLongAsTheHandleThatTheyCameFrom() {
        Composite first = composite();
        Item ofFirst = first.items().get(0);
        Composite second = first.retain();
        Item ofSecond = second.items().get(0);
        first.close();

        assertTrue(first.closed());
        assertFalse(second.closed());
        assertThrows(IllegalStateException.class, ofFirst::data);
        assertThrows(IllegalStateException.class, ofFirst::address);
        assertEquals(63, ofSecond.data().get(63));
        assertEquals(first.id(), second.id());
        assertEquals(first.purpose(), second.purpose());
    }

    @Test
    void nothingOfAClosedHandleCanBeUsed() {
        Composite composite = composite();
        composite.close();

        assertThrows(IllegalStateException.class, composite::items);
        assertThrows(IllegalStateException.class, composite::parts);
        assertThrows(IllegalStateException.class, composite::image);
        assertThrows(IllegalStateException.class, composite::chunks);
        assertThrows(IllegalStateException.class, () -> composite.find(PointCloudItem.class));
        assertThrows(IllegalStateException.class, composite::retain);
        assertThrows(IllegalStateException.class, composite::copy);
        assertThrows(IllegalStateException.class, () -> composite.items(ComponentType.INTENSITY));
    }

    @Test
    void aCopyHasTheBytesOfItsTimeAndNeedsNoFlowSet() {
        Composite original = composite();
        Composite copy = original.copy();
        original.close();
        assertEquals(0, pool.leasedCount());
        Blocks.map(pool, Blocks.image(13, PfncCodes.MONO8, 8, 8, 0, 64), set -> Blocks.receive(set, 0, 0, new byte[64]))
                .close();

        assertEquals(12, copy.id());
        assertTrue(copy.complete());
        ImageItem image = assertInstanceOf(ImageItem.class, copy.items().get(0));
        assertEquals(64, image.sizeBytes());
        for (int i = 0; i < 64; i++) {
            assertEquals(i, image.data().get(i));
        }
        assertEquals(OptionalLong.empty(), image.address());
        copy.close();
        assertThrows(IllegalStateException.class, image::data);
    }

    @Test
    void aCopyOfSeveralFlowsHasEachPlaneAndTheDescriptor() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .id(900)
                .component(c -> c.typeId(1)
                        .format(PfncCodes.RGB8_PLANAR)
                        .part2d(p -> p.format(PfncCodes.R8).size(8, 4).flow(0))
                        .part2d(p -> p.format(PfncCodes.G8).size(8, 4).flow(1))
                        .part2d(p -> p.format(PfncCodes.B8).size(8, 4).flow(2)))
                .component(c -> c.typeId(4)
                        .format(PfncCodes.COORD3D_ABC16)
                        .part2d(p ->
                                p.format(PfncCodes.COORD3D_ABC16).size(8, 4).flow(1)))
                .build();
        // One flow more than the container uses.
        long[] flows = Arrays.copyOf(descriptor.flowTable().flowSizes(), 4);
        flows[3] = 100;
        Composite copy;
        try (Composite original =
                Blocks.map(Blocks.pool(flows), Blocks.genDc(12), set -> Blocks.receiveByFlow(set, descriptor))) {
            copy = original.copy();
        }

        assertEquals(descriptor.toString(), copy.descriptor().orElseThrow().toString());
        List<Item> parts = copy.parts();
        for (int i = 0; i < 4; i++) {
            Item part = parts.get(i);
            assertEquals(i + 1, part.data().get(0));
            assertEquals(i + 1, part.data().get(part.data().remaining() - 1));
        }
        PointCloudItem cloud = copy.find(PointCloudItem.class).orElseThrow();
        assertEquals(188, cloud.plane(PlaneRole.Z).orElseThrow().data().remaining());
    }

    @Test
    void aCopyOfAFrameWithoutItemsIsEmpty() {
        Composite copy = Blocks.map(pool, Blocks.genDc(12), set -> Blocks.receive(set, 0, 0, new byte[BYTES]))
                .copy();

        assertEquals(List.of(), copy.items());
        assertFalse(copy.complete());
    }

    @Test
    void aCopyCanBeRetained() {
        Composite copy = composite().copy();
        Composite second = copy.retain();
        copy.close();

        assertEquals(63, second.items().get(0).data().get(63));
    }

    @Test
    void theAddressIsThatOfTheView() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .component(c -> c.typeId(1)
                        .format(PfncCodes.MONO8)
                        .part2d(p -> p.format(PfncCodes.MONO8).size(8, 4).flow(0)))
                .build();
        FlowSetPool one = Blocks.pool(descriptor.containerSizeBytes());
        try (Composite composite = Blocks.map(one, Blocks.genDc(12), set -> Blocks.receiveLinear(set, descriptor))) {
            ByteBuffer flow = one.flowSets().get(0).flow(0);
            OptionalLong address = composite.items().get(0).address();

            assertEquals(
                    one.flowSets().get(0).nativeAddress(0).orElseThrow() + descriptor.dataOffset(),
                    address.orElseThrow());
            // What lies at an address is on a boundary exactly when its view is.
            assertEquals(composite.items().get(0).data().alignmentOffset(0, 64), (int) (address.orElseThrow() % 64));
            assertEquals(0, flow.alignmentOffset(0, FlowSetPool.ALIGNMENT_BYTES));
        }
    }

    private Composite next(int width) {
        return Blocks.map(pool, Blocks.image(13, PfncCodes.MONO8, width, 4, 0, width * 4L), Blocks::receiveAll);
    }

    @Test
    void aClosedHandleNeverGivesTheItemsOfTheNextFrame() {
        Composite stale = composite();
        stale.close();
        try (Composite next = next(3)) {
            assertThrows(IllegalStateException.class, stale::items);
            assertThrows(IllegalStateException.class, stale::parts);
            assertThrows(IllegalStateException.class, stale::retain);
            assertThrows(IllegalStateException.class, stale::copy);
            assertEquals(3, next.items().get(0).width());
        }
    }

    @Test
    void whatIsKnownOfAClosedFrameStaysWhenTheMemoryHoldsTheNext() {
        BlockInfo block = Blocks.image(12, PfncCodes.MONO8, 8, 8, 0, 64);
        Composite stale = Blocks.map(
                pool,
                Blocks.missing(block, IncompleteCause.PACKETS_MISSING, 2),
                set -> Blocks.receive(set, 0, 0, new byte[40]));
        Item item = stale.items().get(0);
        stale.close();
        try (Composite next = next(3)) {
            assertTrue(next.complete());
            assertEquals(12, stale.id());
            assertEquals(CompositePurpose.IMAGE, stale.purpose());
            assertEquals(Optional.of("packets missing (2)"), stale.incompleteReason());
            assertEquals(Optional.of("not all of its 64 bytes arrived"), item.incompleteReason());
            assertEquals(8, item.width());
            assertThrows(IllegalStateException.class, item::data);
        }
    }

    @Test
    void aClosedFrameThatNobodyLookedAtNamesNoItems() {
        Composite stale = composite();
        stale.close();
        try (Composite next = next(3)) {
            assertEquals("Composite[12, IMAGE, complete, closed]", stale.toString());
            assertTrue(next.toString().contains("3x4"), next::toString);
        }
    }

    @Test
    void aRetainedHandleGivesItsItemsAfterTheFirstIsClosed() {
        Composite first = composite();
        Composite second = first.retain();
        first.close();
        assertTrue(pool.take().isEmpty());

        assertEquals(8, second.items().get(0).width());
        assertEquals(63, second.items().get(0).data().get(63));
    }

    @Test
    void aCopyGivesItsItemsAfterTheMemoryHoldsTheNextFrame() {
        Composite original = composite();
        Composite copy = original.copy();
        original.close();
        try (Composite next = next(3)) {
            assertEquals(8, copy.items().get(0).width());
            assertEquals(3, next.items().get(0).width());
        }
    }

    /**
     * Whoever asks while another thread closes gets the items of the frame that was asked, or is told that it is
     * closed.
     */
    @Test
    void itemsAskedForWhileTheFrameIsClosedAreNeverThoseOfAnother() throws Exception {
        int rounds = 2000;
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try {
            Composite current = next(1);
            for (int round = 2; round < rounds; round++) {
                Composite asked = current;
                int width = (round - 2) % 16 + 1;
                CyclicBarrier start = new CyclicBarrier(3);
                List<Future<?>> askers = new ArrayList<>();
                for (int asker = 0; asker < 2; asker++) {
                    boolean retains = asker == 0;
                    askers.add(executor.submit(() -> {
                        start.await();
                        try (Composite own = retains ? asked.retain() : asked) {
                            assertEquals(width, own.items().get(0).width());
                        } catch (IllegalStateException e) {
                            assertTrue(asked.closed());
                        }
                        return null;
                    }));
                }
                start.await();
                asked.close();
                while (pool.leasedCount() > 0) {
                    Thread.onSpinWait();
                }
                current = next((round - 1) % 16 + 1);
                for (Future<?> asker : askers) {
                    asker.get(10, TimeUnit.SECONDS);
                }
            }
            current.close();
            assertEquals(0, pool.leasedCount());
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void manyThreadsThatRetainAndCloseGiveTheMemoryBackOnce() throws Exception {
        int threads = 8;
        int rounds = 200;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < rounds; round++) {
                Composite composite = composite();
                CountDownLatch start = new CountDownLatch(1);
                List<Future<?>> results = new ArrayList<>();
                AtomicInteger refused = new AtomicInteger();
                for (int i = 0; i < threads; i++) {
                    results.add(executor.submit(() -> {
                        start.await();
                        try (Composite own = composite.retain();
                                Composite other = own.retain()) {
                            assertEquals(63, own.items().get(0).data().get(63));
                            assertEquals(0, other.items().get(0).data().get(0));
                        } catch (IllegalStateException e) {
                            // Closed by the main thread before.
                            refused.incrementAndGet();
                        }
                        return null;
                    }));
                }
                start.countDown();
                composite.close();
                for (Future<?> result : results) {
                    result.get(10, TimeUnit.SECONDS);
                }
                assertEquals(0, pool.leasedCount());
                assertTrue(refused.get() <= threads);
            }
            assertTrue(pool.take().isPresent());
            assertTrue(pool.take().isEmpty());
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void closingTheSameHandleFromManyThreadsEndsItOnce() throws Exception {
        Composite kept = composite();
        Composite shared = kept.retain();
        ExecutorService executor = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> results = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                results.add(executor.submit(shared::close));
            }
            for (Future<?> result : results) {
                result.get(10, TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }

        assertEquals(1, pool.leasedCount());
        assertEquals(63, kept.items().get(0).data().get(63));
    }
}
