package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gvsp.AssemblerRig.Request;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** First request after 1 ms, further ones after 20 ms at the latest, 5 tries, a block kept for 100 ms. */
class ResendPlannerTest {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final int EXPECTED = 1000;

    private final List<Request> requests = new ArrayList<>();
    private final StreamCounters statistics = new StreamCounters();
    private final OpenBlock block = new OpenBlock(new PayloadPlacement.Stream(statistics));
    private ResendPlanner planner = planner(settings());
    /** Near the point where it wraps. */
    private long now = Long.MAX_VALUE - 5 * MILLI;

    private static GvspSettings settings() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return GvspSettings.defaults(loopback, loopback)
                .withTimeouts(Duration.ofMillis(1), Duration.ofMillis(20))
                .withResendLimits(5, 1.0);
    }

    private ResendPlanner planner(GvspSettings settings) {
        return new ResendPlanner(
                settings,
                (id, first, last, extended) -> requests.add(new Request(id, first, last, extended)),
                statistics);
    }

    private void open(long blockId, boolean extended) {
        block.open(blockId, blockId, extended, now);
        planner.kernelDrops(0, false, now);
    }

    /** Packets arrive, the last of which shows the gaps before it. */
    private void arrive(int... packetIds) {
        for (int id : packetIds) {
            PacketLedger packets = block.packets();
            packets.ensureCapacity(id + 1);
            planner.received(block, 1, id, now);
            packets.markReceived(id);
            block.taken(GvspHeader.FORMAT_PAYLOAD, id, now);
            if (id >= packets.scanEnd()) {
                planner.notice(block, id, now);
                packets.scannedTo(id + 1);
            }
        }
    }

    private void readTrailer(int packetId) {
        block.readTrailer(ByteBuffer.allocate(0), 0, 0, packetId);
    }

    private void arriveAllBut(int end, int... missing) {
        List<Integer> gaps = new ArrayList<>();
        for (int id : missing) {
            gaps.add(id);
        }
        for (int id = 0; id < end; id++) {
            if (!gaps.contains(id)) {
                arrive(id);
            }
        }
    }

    private void pass(long nanos) {
        now += nanos;
        planner.plan(block, EXPECTED, now);
    }

    /** Lets time pass in small steps, and tells when something was asked for. */
    private List<Long> askedAt(long nanos) {
        List<Long> times = new ArrayList<>();
        for (long at = 0; at < nanos && !block.resend().abandoned(); at += 50 * MICRO) {
            int before = requests.size();
            pass(50 * MICRO);
            if (requests.size() > before) {
                times.add((at + 50 * MICRO) / MICRO);
            }
        }
        return times;
    }

    /** Whole blocks of 101 packets with a time between packets. */
    private void learnInterval(long intervalNanos) {
        for (int i = 0; i < 40; i++) {
            open(1000 + i, false);
            for (int id = 0; id <= 100; id++) {
                arrive(id);
                now += intervalNanos;
            }
            now -= intervalNanos;
            planner.whole(block);
        }
    }

    // ---- Gaps

    @Test
    void nothingIsAskedForWithoutAGap() {
        open(1, false);
        arriveAllBut(100);
        pass(15 * MILLI);
        assertEquals(List.of(), requests);
    }

    @Test
    void gapIsAskedForOnceTheTimeForReorderingIsOver() {
        open(1, false);
        arriveAllBut(10, 3, 4, 5);
        pass(999 * MICRO);
        assertEquals(List.of(), requests);
        pass(MICRO);
        assertEquals(List.of(new Request(1, 3, 5, false)), requests);
    }

    @Test
    void gapThatIsFilledInTimeIsNotAskedFor() {
        open(1, false);
        arriveAllBut(10, 3);
        pass(900 * MICRO);
        arrive(3);
        pass(10 * MILLI);
        assertEquals(List.of(), requests);
    }

    @Test
    void partOfAGapThatIsFilledIsLeftOut() {
        open(1, false);
        arriveAllBut(10, 3, 4, 5, 6);
        arrive(4);
        pass(MILLI);
        assertEquals(List.of(new Request(1, 3, 3, false), new Request(1, 5, 6, false)), requests);
    }

    @Test
    void extendedIdsAreAskedForAsSuch() {
        open(-2, true);
        arriveAllBut(0x0100_0004, 0x0100_0001);
        pass(MILLI);
        assertEquals(List.of(new Request(-2, 0x0100_0001, 0x0100_0001, true)), requests);
    }

    @Test
    void manyGapsBecomeFewerRequests() {
        open(1, false);
        for (int id = 0; id < 900; id += 3) {
            arrive(id);
        }
        pass(MILLI);
        long missing =
                requests.stream().mapToLong(r -> r.last() - r.first() + 1).sum();
        // 299 gaps of 2: the eighth request covers what is between the others too.
        assertEquals(8, requests.size(), requests::toString);
        assertTrue(missing <= 900, () -> "asked for " + missing);
        assertEquals(missing, statistics.get(Counter.RESENDS_REQUESTED));
    }

    // ---- The pace of the device

    @ParameterizedTest
    @ValueSource(longs = {60_000, 100_000})
    void gapIsAskedForSoonerOnceThePaceIsKnown(long interval) {
        learnInterval(interval);
        open(1, false);
        arriveAllBut(10, 8);
        // Looked at every 50 us.
        long asked = (8 * interval / MICRO + 49) / 50 * 50;
        assertEquals(List.of(asked), askedAt(900 * MICRO));
    }

    @Test
    void packetsThatGatheredTellHowLongAgoTheyOvertook() {
        learnInterval(100 * MICRO);
        open(1, false);
        arriveAllBut(20, 3, 17);
        pass(0);
        assertEquals(List.of(new Request(1, 3, 3, false)), requests);
    }

    @Test
    void laterPacketsMakeAGapDueBeforeItsTime() {
        learnInterval(60 * MICRO);
        open(1, false);
        arriveAllBut(10, 8);
        pass(50 * MICRO);
        assertEquals(List.of(), requests);
        arrive(10, 11, 12, 13, 14, 15, 16, 17);
        pass(0);
        assertEquals(List.of(new Request(1, 8, 8, false)), requests);
    }

    @Test
    void paceIsLearnedFromBlocksWithGapsToo() {
        for (int i = 0; i < 40; i++) {
            open(1000 + i, false);
            for (int id = 0; id <= 100; id++) {
                if (id != 50) {
                    arrive(id);
                }
                now += 60 * MICRO;
            }
            pass(0);
            now += 20 * MILLI;
            arrive(50);
            planner.whole(block);
        }
        requests.clear();
        open(1, false);
        arriveAllBut(10, 8);
        assertEquals(List.of(500L), askedAt(900 * MICRO));
    }

    @Test
    void slowDeviceIsGivenTwoIntervals() {
        learnInterval(5 * MILLI);
        open(1, false);
        arriveAllBut(10, 8);
        assertEquals(List.of(10_000L), askedAt(12 * MILLI));
    }

    @Test
    void fastDeviceIsGivenAQuarterOfTheTimeForReordering() {
        learnInterval(MICRO);
        open(1, false);
        arriveAllBut(10, 8);
        assertEquals(List.of(250L), askedAt(900 * MICRO));
    }

    @Test
    void silenceOfADeviceThatSendsWithoutPausesIsSoonTakenForAnEnd() {
        learnInterval(100 * MICRO);
        open(1, false);
        arriveAllBut(10);
        assertEquals(List.of(1000L), askedAt(2 * MILLI));
        assertEquals(List.of(new Request(1, 10, 10, false)), requests);
    }

    @Test
    void deviceThatPausesIsNotAskedDuringItsPauses() {
        learnInterval(12 * MILLI);
        open(1, false);
        arriveAllBut(10);
        pass(23 * MILLI);
        assertEquals(List.of(), requests);
        pass(MILLI);
        assertEquals(1, requests.size());
    }

    // ---- Again

    @Test
    void packetIsAskedForAgainUpToTheLimit() {
        open(1, false);
        readTrailer(9);
        arriveAllBut(10, 3);
        assertEquals(List.of(1000L, 21_000L, 41_000L, 61_000L, 81_000L), askedAt(99 * MILLI));
        assertFalse(block.resend().abandoned());
    }

    @Test
    void tooFewTriesEndTheBlockEarly() {
        planner = planner(settings().withResendLimits(2, 1));
        open(1, false);
        readTrailer(9);
        arriveAllBut(10, 3);
        assertEquals(List.of(1000L, 21_000L), askedAt(40 * MILLI));
        assertFalse(block.resend().abandoned());
        pass(2 * MILLI);
        assertTrue(block.resend().abandoned());
    }

    @Test
    void waitForAnAnswerIsLearnedAndDoubledWithEachTry() {
        for (int i = 0; i < 100; i++) {
            open(i + 1, false);
            arriveAllBut(10, 3);
            pass(MILLI);
            now += 2 * MILLI;
            arrive(3);
        }
        requests.clear();
        open(500, false);
        readTrailer(9);
        arriveAllBut(10, 3);
        // Answers take 2 ms: asked again after a quarter of the limit, twice that, and the limit.
        assertEquals(List.of(1000L, 6000L, 16_000L, 36_000L, 56_000L), askedAt(76 * MILLI));
    }

    @Test
    void blockWithoutNewsIsHopelessAfterTheRetentionTime() {
        planner = planner(settings().withResendLimits(100, 1));
        open(1, false);
        arriveAllBut(10, 3);
        for (int i = 0; i < 99; i++) {
            pass(MILLI);
        }
        assertFalse(block.resend().abandoned());
        pass(MILLI);
        assertTrue(block.resend().abandoned());
    }

    // ---- What the device says

    @Test
    void unavailablePacketIsNotAskedForAgainAndEndsTheBlock() {
        open(1, false);
        readTrailer(9);
        arriveAllBut(10, 3);
        pass(MILLI);
        planner.refused(block, GvspStatus.PACKET_UNAVAILABLE, 3, now);
        pass(MICRO);
        assertEquals(1, requests.size());
        assertTrue(block.resend().abandoned());
        assertEquals(PacketLedger.UNAVAILABLE, block.packets().tries(3));
    }

    @Test
    void othersAreStillAskedForWhenOnePacketIsUnavailable() {
        open(1, false);
        readTrailer(9);
        arriveAllBut(10, 3, 6);
        pass(MILLI);
        planner.refused(block, GvspStatus.PACKET_UNAVAILABLE, 3, now);
        requests.clear();
        pass(20 * MILLI);
        assertEquals(List.of(new Request(1, 6, 6, false)), requests);
    }

    @Test
    void removalOfPreviousPacketsMakesTheBlockHopeless() {
        open(1, false);
        readTrailer(9);
        arriveAllBut(10, 3, 6);
        planner.removed(block, now);
        pass(MICRO);
        assertEquals(List.of(), requests);
        assertTrue(block.resend().abandoned());
    }

    @ParameterizedTest
    @ValueSource(ints = {GvspStatus.PACKET_TEMPORARILY_UNAVAILABLE, GvspStatus.PACKET_NOT_YET_AVAILABLE})
    void temporarilyUnavailablePacketCostsNoTry(int status) {
        open(1, false);
        arriveAllBut(10, 3);
        pass(MILLI);
        for (int i = 0; i < 4; i++) {
            pass(20 * MILLI);
            planner.refused(block, status, 3, now);
        }
        assertEquals(
                5, requests.stream().filter(request -> request.first() == 3).count());
        assertFalse(block.resend().abandoned());
        pass(20 * MILLI);
        assertTrue(block.resend().abandoned(), "after the retention time");
    }

    @Test
    void statusOfAPacketThatIsThereIsNoNews() {
        open(1, false);
        arriveAllBut(10, 3);
        planner.refused(block, GvspStatus.PACKET_UNAVAILABLE, 4, now);
        planner.refused(block, GvspStatus.PACKET_UNAVAILABLE, 99, now);
        pass(MILLI);
        assertEquals(List.of(new Request(1, 3, 3, false)), requests);
    }

    // ---- Limits

    @Test
    void nothingIsAskedForWhenResendingIsOff() {
        planner = planner(settings().withResendEnabled(false));
        open(1, false);
        readTrailer(9);
        arriveAllBut(10, 3);
        pass(19 * MILLI);
        assertFalse(block.resend().abandoned());
        pass(MILLI);
        assertTrue(block.resend().abandoned());
        assertEquals(List.of(), requests);
    }

    @Test
    void noMoreThanItsShareOfABlockIsAskedFor() {
        planner = planner(settings().withResendLimits(5, 0.1));
        open(1, false);
        arrive(0, 999);
        pass(MILLI);
        assertEquals(List.of(new Request(1, 1, 100, false)), requests);
    }

    private void drop(int times) {
        long drops = 0;
        for (int i = 0; i < times; i++) {
            now += 50 * MILLI;
            drops += 100;
            planner.kernelDrops(drops, false, now);
        }
    }

    @Test
    void oneDropInTheKernelIsRepaired() {
        open(0, false);
        drop(1);
        assertFalse(planner.overloaded());
        open(1, false);
        arrive(0, 500);
        pass(MILLI);
        assertEquals(List.of(new Request(1, 1, 499, false)), requests);
    }

    @Test
    void dropsThatGoOnLeaveASmallShareAndEndDamagedBlocksEarly() {
        open(0, false);
        drop(10);
        assertTrue(planner.overloaded());
        open(1, false);
        arrive(0, 500);
        now += MILLI;
        planner.plan(block, EXPECTED, now);
        assertTrue(statistics.get(Counter.RESENDS_REQUESTED) <= 4096 / 64 + 20, statistics::toString);
        assertTrue(block.resend().abandoned());
    }

    @Test
    void overloadEndsHalfASecondAfterTheLastDrop() {
        open(0, false);
        drop(10);
        for (int i = 0; i < 5; i++) {
            now += 100 * MILLI;
            planner.kernelDrops(1000, false, now);
        }
        assertFalse(planner.overloaded());
    }

    @Test
    void overloadLastsWhileBlocksAreKeptOut() {
        open(0, false);
        drop(10);
        for (int i = 0; i < 5; i++) {
            now += 100 * MILLI;
            planner.keptOut();
            planner.kernelDrops(1000, false, now);
        }
        assertTrue(planner.overloaded());
    }

    @Test
    void dropsOnPurposeAreNoOverload() {
        open(0, false);
        planner.kernelDrops(0, false, now);
        for (int i = 1; i < 10; i++) {
            now += 50 * MILLI;
            planner.kernelDrops(1000L * i, true, now);
        }
        assertFalse(planner.overloaded());
    }

    // ---- Blocks of which no packet came

    @Test
    void skippedBlocksAreNotAskedForAnyMoreWhenTheDeviceNeverHasThem() {
        for (int i = 0; i < 3; i++) {
            assertTrue(planner.asksForSkippedBlocks());
            planner.placeholderEnded(false);
        }
        int probes = 0;
        for (int i = 0; i < 64; i++) {
            probes += planner.asksForSkippedBlocks() ? 1 : 0;
        }
        assertEquals(2, probes);
        planner.placeholderEnded(true);
        assertTrue(planner.asksForSkippedBlocks());
    }

    @Test
    void skippedBlockIsAskedForAsAWholeAndThreeTimesAtMost() {
        open(7, false);
        block.becomePlaceholder(now);
        assertEquals(List.of(1000L, 21_000L, 41_000L), askedAt(99 * MILLI));
        assertEquals(new Request(7, 0, EXPECTED - 1, false), requests.get(0));
        assertTrue(block.resend().abandoned());
    }

    @Test
    void refusalEndsTheWaitForASkippedBlock() {
        open(7, false);
        block.becomePlaceholder(now);
        pass(MILLI);
        planner.refused(block, GvspStatus.PACKET_UNAVAILABLE, 0, now);
        assertTrue(block.resend().abandoned());
    }
}
