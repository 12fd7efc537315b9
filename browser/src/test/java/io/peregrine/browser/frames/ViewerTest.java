package io.peregrine.browser.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a page gets, by how fast it draws. */
class ViewerTest {
    private final FramePool pool = new FramePool();
    private final Page page = new Page();
    private final Viewer viewer = new Viewer(page);

    /** A page whose line takes messages when the test says so. */
    private static final class Page implements Viewer.Sink {
        final List<String> got = new ArrayList<>();
        private final Deque<Runnable> sending = new ArrayDeque<>();

        @Override
        public void send(ByteBuffer message, Runnable done, Consumer<Throwable> failed) {
            message.order(ByteOrder.LITTLE_ENDIAN);
            got.add("frame " + message.getLong(24) + " item " + message.getShort(20));
            sending.add(done);
        }

        @Override
        public void send(String text, Runnable done, Consumer<Throwable> failed) {
            got.add(text);
            sending.add(done);
        }

        /** Everything that is on its way arrives. */
        void receive() {
            while (!sending.isEmpty()) {
                sending.remove().run();
            }
        }
    }

    private void offer(long block, int... items) {
        FrameCopy frame = pool.take();
        for (int layer = 0; layer < items.length; layer++) {
            ByteBuffer message = ByteBuffer.allocate(LayerHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            message.putLong(24, block).putShort(20, (short) items[layer]);
            frame.set(layer, message);
        }
        viewer.offer(frame);
        frame.release();
    }

    @Test
    void aPageThatHasNotDrawnGetsNoOtherFrame() {
        offer(1, 0);
        page.receive();
        offer(2, 0);
        assertEquals(List.of("frame 1 item 0"), page.got);
    }

    @Test
    void aPageThatHasDrawnGetsTheNewestFrame() {
        offer(1, 0);
        page.receive();
        offer(2, 0);
        offer(3, 0);
        viewer.drawn();
        assertEquals(List.of("frame 1 item 0", "frame 3 item 0"), page.got);
    }

    @Test
    void aPageThatAskedForAFrameAheadGetsItBeforeItHasDrawn() {
        viewer.ahead(1);
        for (int block = 1; block <= 3; block++) {
            offer(block, 0);
            page.receive();
        }
        assertEquals(List.of("frame 1 item 0", "frame 2 item 0"), page.got);
    }

    @Test
    void noPageGetsMoreAheadThanTheLimit() {
        viewer.ahead(1_000_000);
        for (int block = 1; block <= 100; block++) {
            offer(block, 0);
            page.receive();
        }
        assertEquals(1 + Viewer.MAX_AHEAD, page.got.size());
    }

    @Test
    void thePageHasToDrawAllItemsOfAFrame() {
        offer(1, 0, 1);
        page.receive();
        offer(2, 0, 1);
        viewer.drawn();
        assertEquals(List.of("frame 1 item 0", "frame 1 item 1"), page.got);
    }

    @Test
    void onlyChosenItemsAreSent() {
        viewer.want(Optional.of(Set.of(2)));
        offer(1, 0, 1, 2);
        page.receive();
        assertEquals(List.of("frame 1 item 2"), page.got);
    }

    @Test
    void aFrameWithoutChosenItemsIsSkipped() {
        viewer.want(Optional.of(Set.of(7)));
        offer(1, 0);
        viewer.want(Optional.empty());
        offer(2, 0);
        assertEquals(List.of("frame 2 item 0"), page.got);
    }

    @Test
    void whatTheItemsAreIsSentOnceBeforeThem() {
        for (int block = 1; block <= 2; block++) {
            FrameCopy frame = pool.take();
            ByteBuffer message = ByteBuffer.allocate(LayerHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            frame.set(0, message.putLong(24, block));
            frame.layout("layout");
            viewer.offer(frame);
            frame.release();
            page.receive();
            viewer.drawn();
        }
        assertEquals(List.of("layout", "frame 1 item 0", "frame 2 item 0"), page.got);
    }

    @Test
    void aPageThatNeverReadsHoldsTwoFramesAtMost() {
        viewer.ahead(Viewer.MAX_AHEAD);
        for (int block = 1; block <= 1000; block++) {
            offer(block, 0);
        }
        assertTrue(pool.made() <= 3, () -> pool.made() + " copies");
    }

    @Test
    void aClosedViewerHoldsNothing() {
        offer(1, 0);
        offer(2, 0);
        viewer.close();
        page.receive();
        pool.trim();
        assertEquals(0, pool.made());
    }

    @Test
    void aViewerWhoseLineFailedHoldsNothing() {
        List<Consumer<Throwable>> lines = new ArrayList<>();
        Viewer broken = new Viewer(new Viewer.Sink() {
            @Override
            public void send(ByteBuffer message, Runnable done, Consumer<Throwable> failed) {
                lines.add(failed);
            }

            @Override
            public void send(String text, Runnable done, Consumer<Throwable> failed) {
                lines.add(failed);
            }
        });
        FrameCopy frame = pool.take();
        frame.set(0, ByteBuffer.allocate(LayerHeader.BYTES));
        broken.offer(frame);
        frame.release();
        lines.get(0).accept(new java.io.IOException("gone"));
        pool.trim();
        assertEquals(0, pool.made());
    }
}
