package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ResendBudgetTest {
    private static final long BEGIN = Long.MAX_VALUE - 5;
    private static final int PACKET = 1408;
    private static final int MOST = (int) ResendBudget.MOST_BYTES;

    private final ResendBudget budget = new ResendBudget(BEGIN);

    @Test
    void aConsumerGetsAWindowAtOnce() {
        assertEquals(MOST, budget.grant(MOST, PACKET));
    }

    @Test
    void whoAsksAgainAtOnceGetsOnePacketAtATime() {
        budget.grant(MOST, PACKET);
        assertEquals(PACKET, budget.grant(MOST, PACKET));
        assertEquals(PACKET, budget.grant(MOST, PACKET));
    }

    @Test
    void lessThanAPacketIsGrantedAsItIs() {
        budget.grant(MOST, PACKET);
        assertEquals(96, budget.grant(96, PACKET));
    }

    @Test
    void theRateIsKeptHoweverOftenTimePasses() {
        budget.grant(MOST, PACKET);
        long step = 7;
        long steps = TimeUnit.MILLISECONDS.toNanos(10) / step;
        for (long i = 1; i <= steps; i++) {
            budget.update(BEGIN + i * step);
        }
        assertEquals(ResendBudget.BYTES_PER_SECOND / 100.0, budget.grant(MOST, PACKET), 2000);
    }

    @Test
    void noMoreThanAWindowIsSavedUp() {
        budget.update(BEGIN + TimeUnit.HOURS.toNanos(30_000));
        budget.grant(MOST, PACKET);
        assertEquals(PACKET, budget.grant(MOST, PACKET));
    }

    @Test
    void timeThatGoesBackGrantsNothing() {
        budget.grant(MOST, PACKET);
        budget.update(BEGIN - TimeUnit.SECONDS.toNanos(1));
        assertEquals(PACKET, budget.grant(MOST, PACKET));
    }
}
