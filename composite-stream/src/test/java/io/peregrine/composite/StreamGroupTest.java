package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.PayloadType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StreamGroupTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration NEVER = Duration.ofDays(1);

    private final ScriptedChannel left = new ScriptedChannel(8, 64);
    private final ScriptedChannel right = new ScriptedChannel(8, 64);
    private final CompositeStream leftStream = new CompositeStream(left, left);
    private final CompositeStream rightStream = new CompositeStream(right, right);
    private StreamGroup group = StreamGroup.byBlockId(0)
            .add("left", leftStream)
            .add("right", rightStream)
            .patience(NEVER)
            .build();

    @AfterEach
    void close() {
        group.close();
        leftStream.close();
        rightStream.close();
    }

    private static void deliver(ScriptedChannel channel, long blockId) {
        channel.deliver(
                Blocks.image(blockId, PfncCodes.MONO8, 4, 2, 0, 8), set -> Blocks.receive(set, 0, 0, new byte[8]));
    }

    private static void deliverAt(ScriptedChannel channel, long ticks) {
        BlockInfo image = Blocks.image(1, PfncCodes.MONO8, 4, 2, 0, 8);
        channel.deliver(
                new BlockInfo(1, PayloadType.IMAGE, ticks, 8, image.image(), 0, Optional.empty(), 0),
                set -> Blocks.receive(set, 0, 0, new byte[8]));
    }

    private GroupFrame next() {
        return assertInstanceOf(StreamGroup.Result.Ok.class, group.waitFor(LONG))
                .frame();
    }

    @Test
    void allEnginesStartBeforeTheFirstDeviceAndStopAfterTheLast() {
        group.start();
        assertEquals(List.of("engine start", "device start"), left.calls);
        right.failOn("device start");
        group.stop();
        assertThrows(RuntimeException.class, group::start);
        assertFalse(leftStream.running());
        assertFalse(rightStream.running());
    }

    @Test
    void compositesWithTheSameBlockIdComeTogether() {
        group.start();
        deliver(left, 1);
        deliver(left, 2);
        deliver(right, 1);
        try (GroupFrame frame = next()) {
            assertTrue(frame.complete());
            assertEquals(List.of(), frame.missing());
            assertEquals(1, frame.composite("left").orElseThrow().blockId());
            assertEquals(1, frame.composite("right").orElseThrow().blockId());
            assertThrows(IllegalArgumentException.class, () -> frame.composite("middle"));
        }
        assertInstanceOf(StreamGroup.Result.Timeout.class, group.waitFor(Duration.ZERO));
    }

    @Test
    void aFrameSaysWhatIsMissing() {
        group.start();
        deliver(left, 1);
        deliver(right, 2);
        deliver(left, 2);
        try (GroupFrame frame = next()) {
            assertEquals(List.of("right"), frame.missing());
            assertEquals(1, frame.composites().size());
            assertFalse(frame.complete());
        }
        try (GroupFrame frame = next()) {
            assertEquals(List.of(), frame.missing());
        }
    }

    @Test
    void clocksAreMappedToACommonOne() {
        group.close();
        group = StreamGroup.byTimestamp(Duration.ofNanos(100))
                .add("left", leftStream, ticks -> ticks * 8)
                .add("right", rightStream, ticks -> ticks - 5_000)
                .patience(NEVER)
                .build();
        group.start();
        deliverAt(left, 1_000);
        deliverAt(right, 13_050);
        try (GroupFrame frame = next()) {
            assertTrue(frame.complete());
            assertEquals(50, frame.spread());
        }
        deliverAt(left, 2_000);
        deliverAt(right, 5_000 + 16_101);
        try (GroupFrame frame = next()) {
            assertEquals(List.of("right"), frame.missing());
        }
    }

    @Test
    void aCompositeWithoutTimeIsGivenAlone() {
        group.close();
        group = StreamGroup.byTimestamp(Duration.ofNanos(100))
                .add("left", leftStream)
                .add("right", rightStream)
                .patience(NEVER)
                .build();
        group.start();
        deliverAt(left, 0);
        try (GroupFrame frame = next()) {
            assertEquals(List.of("right"), frame.missing());
        }
    }

    @Test
    void aClosedFrameGivesTheMemoryBack() {
        group.start();
        deliver(left, 1);
        deliver(right, 1);
        GroupFrame frame = next();
        assertEquals(1, left.pool().leasedCount());
        frame.close();
        frame.close();
        assertEquals(0, left.pool().leasedCount());
        assertEquals(0, right.pool().leasedCount());
    }

    @Test
    void theGroupHoldsNoMoreThanAllowedWhileAPartnerIsSilent() {
        group.start();
        for (int id = 1; id <= 5; id++) {
            deliver(left, id);
        }
        try (GroupFrame frame = next()) {
            assertEquals(1, frame.composite("left").orElseThrow().blockId());
        }
        assertInstanceOf(StreamGroup.Result.Timeout.class, group.waitFor(Duration.ZERO));
        assertEquals(4, left.pool().leasedCount());
    }

    @Test
    void aPatienceThatIsOverGivesWhatThereIs() {
        group.close();
        group = StreamGroup.byBlockId(0)
                .add("left", leftStream)
                .add("right", rightStream)
                .patience(Duration.ofMillis(1))
                .build();
        group.start();
        deliver(right, 1);
        try (GroupFrame frame = next()) {
            assertEquals(List.of("left"), frame.missing());
        }
    }

    @Test
    void theOthersGoOnWhenOneStreamFails() {
        group.start();
        deliver(left, 1);
        right.fail(new IOException("gone"));
        try (GroupFrame frame = next()) {
            assertEquals(List.of("right"), frame.missing());
        }
        deliver(left, 2);
        try (GroupFrame frame = next()) {
            assertEquals(2, frame.composite("left").orElseThrow().blockId());
        }
    }

    @Test
    void theWaitEndsWithTheCauseWhenAllStreamsHaveEnded() {
        group.start();
        IOException cause = new IOException("gone");
        right.fail(cause);
        group.stop();
        StreamGroup.Result.Abort abort = assertInstanceOf(StreamGroup.Result.Abort.class, group.waitFor(LONG));
        assertSame(cause, abort.cause().orElseThrow());
    }

    @Test
    void whatCameBeforeTheStopIsStillGiven() {
        group.start();
        deliver(left, 1);
        deliver(right, 1);
        deliver(left, 2);
        group.stop();
        next().close();
        try (GroupFrame frame = next()) {
            assertEquals(List.of("right"), frame.missing());
        }
        assertInstanceOf(StreamGroup.Result.Abort.class, group.waitFor(LONG));
    }

    @Test
    void anInterruptedWaitEndsAndTheStreamsGoOn() {
        group.start();
        Thread.currentThread().interrupt();
        StreamGroup.Result.Abort abort = assertInstanceOf(StreamGroup.Result.Abort.class, group.waitFor(LONG));
        assertInstanceOf(InterruptedException.class, abort.cause().orElseThrow());
        assertTrue(Thread.interrupted());
        deliver(left, 1);
        deliver(right, 1);
        next().close();
    }

    private static RuntimeException thrownBy(StreamGroup group) {
        return assertThrows(CompositeException.class, () -> group.forEach(GroupFrame::close));
    }

    @Test
    void aLoopOverAGroupGivesFramesUntilItIsStopped() {
        group.start();
        deliver(left, 1);
        deliver(right, 1);
        List<Long> ids = new ArrayList<>();
        for (GroupFrame frame : group) {
            try (frame) {
                ids.add(frame.composite("left").orElseThrow().blockId());
            }
            group.stop();
        }
        assertEquals(List.of(1L), ids);
    }

    @Test
    void aLoopOverAGroupThatWasNeverStartedThrows() {
        assertTrue(thrownBy(group).getMessage().startsWith("The stream was never started"));
    }

    @Test
    void aLoopOverAGroupThrowsWhenTheLastStreamHasEndedAndOneFailed() {
        group.start();
        IOException cause = new IOException("gone");
        right.fail(cause);
        deliver(left, 1);
        leftStream.stop();
        List<List<String>> missing = new ArrayList<>();
        RuntimeException thrown = assertThrows(
                CompositeException.class,
                () -> group.forEach(frame -> {
                    missing.add(frame.missing());
                    frame.close();
                }));
        assertEquals(List.of(List.of("right")), missing);
        assertSame(cause, thrown.getCause());
    }

    @Test
    void aLoopOverAGroupInAnInterruptedThreadThrowsAndKeepsTheInterrupt() {
        group.start();
        Thread.currentThread().interrupt();
        RuntimeException thrown = thrownBy(group);
        assertTrue(Thread.interrupted());
        assertInstanceOf(InterruptedException.class, thrown.getCause());
    }

    @Test
    void aLoopOverAGroupThatIsClosedJustEnds() {
        group.start();
        group.close();
        assertFalse(group.iterator().hasNext());
    }

    @Test
    void aGroupThatIsClosedBecauseAStreamFailedHasFailed() {
        group.start();
        left.fail(new IOException("gone"));
        group.close();
        assertEquals("The stream failed: gone", thrownBy(group).getMessage());
    }

    @Test
    void closingGivesBackWhatTheGroupHolds() {
        group.start();
        deliver(left, 1);
        assertInstanceOf(StreamGroup.Result.Timeout.class, group.waitFor(Duration.ZERO));
        assertEquals(1, left.pool().leasedCount());
        group.close();
        assertEquals(0, left.pool().leasedCount());
        assertFalse(leftStream.closed());
        assertInstanceOf(StreamGroup.Result.Abort.class, group.waitFor(LONG));
    }
}
