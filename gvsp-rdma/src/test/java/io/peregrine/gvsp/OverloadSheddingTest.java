package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverloadSheddingTest {
    private static final int ALL = BlockNumber.ALL;
    private static final long SECOND = 1_000_000_000L;

    private final OverloadShedding shedding = new OverloadShedding();
    private long next = 1;
    private boolean keepsUp = true;

    /** Blocks end in the order of their ids, those that are let in; each share is let in at once. */
    private void end(int blocks, boolean whole, boolean overloaded) {
        for (int left = blocks; left > 0; next++) {
            if (BlockNumber.isIn(next, shedding.share())) {
                left--;
                int before = shedding.share();
                if (keepsUp) {
                    shedding.caughtUp();
                }
                shedding.ended(next, next, whole, overloaded);
                if (shedding.share() != before) {
                    shedding.applied(next, 0);
                }
            }
        }
    }

    /** Blocks end until the share changes; returns by how much. */
    private int nextChange(boolean whole) {
        int before = shedding.share();
        while (shedding.share() == before) {
            end(1, whole, true);
        }
        return shedding.share() - before;
    }

    @Test
    void allBlocksAreLetInAtFirst() {
        assertEquals(ALL, shedding.share());
        assertFalse(shedding.mayHaveShed(1));
    }

    @Test
    void damagedBlocksWithoutOverloadAreLeftToResending() {
        end(1000, false, false);
        assertEquals(ALL, shedding.share());
    }

    @Test
    void aFewDamagedBlocksInAnOverloadChangeNothing() {
        for (int i = 0; i < 10; i++) {
            end(5, false, true);
            end(27, true, true);
        }
        assertEquals(ALL, shedding.share());
    }

    @Test
    void shareFallsByAnEighthWhenManyBlocksAreDamaged() {
        end(5, false, true);
        end(10, true, true);
        assertEquals(ALL, shedding.share());
        end(1, false, true);
        assertEquals(ALL - ALL / 8 - 1, shedding.share());
    }

    @Test
    void shareFallsFasterWhenAgainAndAgainNothingIsWhole() {
        assertEquals(
                List.of(-33, -56, -84, -42),
                List.of(nextChange(false), nextChange(false), nextChange(false), nextChange(false)));
    }

    @Test
    void shareNeverFallsToNothing() {
        end(500, false, true);
        assertEquals(1, shedding.share());
        assertTrue(shedding.letsInLittle());
    }

    @Test
    void blocksThatAreNotLetInTellNothing() {
        end(6, false, true);
        int share = shedding.share();
        shedding.applied(1000, 0);
        for (long id = 1020; id < 2000; id++) {
            if (!BlockNumber.isIn(id, share)) {
                shedding.ended(id, id, false, true);
            }
        }
        assertEquals(share, shedding.share());
    }

    @Test
    void blocksThatCameBeforeAChangeTellNothing() {
        for (int id = 1; id <= 6; id++) {
            shedding.caughtUp();
            shedding.ended(id, id, false, true);
        }
        int share = shedding.share();
        for (int id = 7; id < 100; id++) {
            shedding.ended(id, id, false, true);
        }
        assertEquals(share, shedding.share(), "not yet let in");
        shedding.applied(100, 50);
        for (int id = 101; id < 150; id++) {
            shedding.ended(id, id, false, true);
        }
        assertEquals(share, shedding.share(), "in the buffer");
        for (int id = 200; id < 210; id++) {
            shedding.ended(id, id, false, true);
        }
        assertTrue(shedding.share() < share);
    }

    @Test
    void wholeBlocksBringBackAll() {
        end(100, false, true);
        assertTrue(shedding.share() < ALL / 2);
        end(1000, true, true);
        assertEquals(ALL, shedding.share());
    }

    @Test
    void littleIsLetInUntilAReceiverThatIsNeverDoneHasCaughtUp() {
        nextChange(false);
        int before = shedding.share();
        keepsUp = false;
        nextChange(true);
        assertEquals(before / 8, shedding.share());
        shedding.caughtUp();
        assertEquals(before - before / 8, shedding.share());
    }

    @Test
    void thereIsNoRoomForAnswersUntilTheReceiverHasCaughtUp() {
        while (shedding.share() > ALL / 3) {
            nextChange(false);
        }
        keepsUp = false;
        while (shedding.share() > ALL / 16) {
            nextChange(true);
        }
        assertTrue(shedding.leavesNoRoom(next));
    }

    @Test
    void aQuarterLessIsLetInWhenTheReceiverIsBehindAgain() {
        nextChange(false);
        keepsUp = false;
        nextChange(true);
        shedding.caughtUp();
        shedding.applied(next, 0);
        int before = shedding.share();
        nextChange(true);
        shedding.caughtUp();
        assertEquals(before - before / 4, shedding.share());
    }

    @Test
    void allAreLetInAgainAtOnceWhenTheReceiverHasCaughtUpAfterAPauseOfTheHost() {
        keepsUp = false;
        end(6, false, true);
        assertEquals(ALL / 8, shedding.share());
        shedding.caughtUp();
        assertEquals(ALL, shedding.share());
    }

    @Test
    void nothingIsShedWhenTheReceiverHasCaughtUpBeforeLessWasLetIn() {
        for (int id = 1; id <= 6; id++) {
            shedding.ended(id, id, false, true);
        }
        shedding.caughtUp();
        assertFalse(shedding.mayHaveShed(7));
    }

    @Test
    void allBlocksAreLetInWhileTheReceiverIsBehindButNothingIsLost() {
        keepsUp = false;
        end(1000, true, false);
        end(1000, true, true);
        assertEquals(ALL, shedding.share());
    }

    @Test
    void timeBringsNothingBackWhileTheReceiverIsBehind() {
        nextChange(false);
        int share = shedding.share();
        for (int i = 0; i < 60; i++) {
            shedding.onTime(i * SECOND / 10);
        }
        assertEquals(share, shedding.share());
    }

    @Test
    void allAreLetInAgainAtOnceAfterAPauseOfTheHost() {
        nextChange(false);
        nextChange(true);
        assertEquals(ALL, shedding.share());
    }

    @Test
    void shareGrowsByHalvesToWhereItFellLast() {
        nextChange(false);
        nextChange(true);
        nextChange(false);
        List<Integer> steps = new ArrayList<>();
        while (shedding.share() < ALL) {
            steps.add(nextChange(true));
        }
        assertEquals(List.of(16, 8, 4, 2, 1, 1, 1), steps);
    }

    @Test
    void shareGrowsFasterAndFasterBeyondWhereItFellLast() {
        nextChange(false);
        int ceiling = shedding.share();
        nextChange(false);
        while (shedding.share() < ceiling) {
            nextChange(true);
        }
        assertEquals(List.of(7, 16, 10), List.of(nextChange(true), nextChange(true), nextChange(true)));
    }

    @Test
    void allAreLetInAgainSoonAfterTheDeviceBeganToPause() {
        end(200, false, true);
        long now = Long.MAX_VALUE - SECOND;
        for (int i = 0; i < 60; i++) {
            shedding.caughtUp();
            shedding.onTime(now);
            now += SECOND / 10;
        }
        assertEquals(ALL, shedding.share());
    }

    @Test
    void timeBringsNothingBackWhileBlocksAreDamaged() {
        end(200, false, true);
        int share = shedding.share();
        shedding.applied(next, 0);
        next += 2 * ALL;
        for (int i = 0; i < 60; i++) {
            shedding.onTime(i * SECOND / 10);
            end(1, false, true);
        }
        assertTrue(shedding.share() <= share);
    }

    @Test
    void timeBringsNothingBackWhenASlowDeviceIsTooMuch() {
        long now = 0;
        for (int i = 0; i < 200; i++) {
            end(1, false, true);
            now += SECOND / 30;
            shedding.onTime(now);
        }
        assertTrue(shedding.share() < ALL / 8, "share " + shedding.share());
    }

    @Test
    void deviceThatCountsAnewIsJudgedAtOnce() {
        end(100, false, true);
        shedding.applied(1_000_000, 0);
        shedding.renumbered();
        int share = shedding.share();
        next = 1;
        end(400, true, true);
        assertTrue(shedding.share() > share);
    }

    /**
     * A kernel's buffer between a device that sends frames without a break and a host that handles one packet a tick,
     * and pauses now and then. What waited behind many others has left its cache, and takes half as long again.
     */
    private static final class Host {
        private static final int FRAME_PACKETS = 500;
        private static final int PAUSE_EVERY = 20_000;
        private static final int PAUSE_TICKS = 1000;
        private static final int CACHED_PACKETS = 1500;

        private final OverloadShedding shedding = new OverloadShedding();
        private final ArrayDeque<Integer> buffer = new ArrayDeque<>();
        private final boolean sheds;
        private final int bufferPackets;
        private int share = ALL;
        private int sent;
        private int frame;
        private int count;
        private int newest;
        int wholeFrames;

        Host(boolean sheds, int bufferPackets) {
            this.sheds = sheds;
            this.bufferPackets = bufferPackets;
        }

        void run(int ticks, int packetsPerTick) {
            for (int tick = 0; tick < ticks; tick++) {
                for (int i = 0; i < packetsPerTick; i++, sent++) {
                    if (BlockNumber.isIn(sent / FRAME_PACKETS, share) && buffer.size() < bufferPackets) {
                        buffer.add(sent);
                    }
                }
                boolean slow = buffer.size() > CACHED_PACKETS && tick % 3 == 0;
                if (tick % PAUSE_EVERY >= PAUSE_TICKS && !buffer.isEmpty() && !slow) {
                    handle(buffer.remove() / FRAME_PACKETS);
                }
                if (buffer.isEmpty()) {
                    shedding.caughtUp();
                }
            }
        }

        private void handle(int of) {
            if (of != frame) {
                ended(frame, count == FRAME_PACKETS);
                for (int lost = frame + 1; lost < of; lost++) {
                    ended(lost, false);
                }
                frame = of;
                count = 0;
            }
            newest = of;
            if (++count == FRAME_PACKETS) {
                wholeFrames++;
            }
        }

        private void ended(int id, boolean whole) {
            if (!sheds) {
                return;
            }
            shedding.ended(id, id, whole, true);
            if (share != shedding.share()) {
                share = shedding.share();
                shedding.applied(newest, bufferPackets / FRAME_PACKETS + 1);
            }
        }

        /** Packets of whole frames for each packet that could have been handled. */
        double goodput(int ticks) {
            return wholeFrames * (double) FRAME_PACKETS * PAUSE_EVERY / (PAUSE_EVERY - PAUSE_TICKS) / ticks;
        }
    }

    /** Times the capacity that is offered, and how many packets of 500 a frame the buffer holds. */
    @ParameterizedTest
    @CsvSource({"2, 700", "2, 4000", "2, 16000", "3, 700", "8, 700"})
    void goodputStaysNearCapacityWhateverIsOffered(int timesCapacity, int bufferPackets) {
        int ticks = 4_000_000;
        Host host = new Host(true, bufferPackets);
        host.run(ticks, timesCapacity);
        assertTrue(host.goodput(ticks) > 0.8, "goodput " + host.goodput(ticks));
    }

    @Test
    void withoutSheddingHardlyAnyFrameIsWhole() {
        int ticks = 1_000_000;
        Host host = new Host(false, 700);
        host.run(ticks, 2);
        assertTrue(host.goodput(ticks) < 0.1, "goodput " + host.goodput(ticks));
    }
}
