package io.peregrine.genapi;

import java.util.Arrays;
import java.util.OptionalLong;

/** Integer: an own value, that of another node, or chosen by an index (R14). */
final class IntegerImpl extends BaseNode implements IntegerAccess {
    private final NumberSource source;
    private final Limit low;
    private final Limit high;
    private final Limit step;
    private final long[] allowed;
    private final boolean addsNothing;

    private boolean readingLimits;

    IntegerImpl(NodeContext context, Element element, String name) {
        super(context, element, name);
        source = new NumberSource(this, false);
        low = Limit.of(this, "Min", "pMin");
        high = Limit.of(this, "Max", "pMax");
        step = Limit.of(this, "Inc", "pInc");
        addsNothing = source.addsNothing();
        String set = element.valueOrNull("ValidValueSet");
        allowed = set == null ? Numbers.NONE : Numbers.parseSet(name, set);
    }

    @Override
    public BaseNode self() {
        return this;
    }

    @Override
    AccessMode ownAccess() {
        return source.access().and(low.access()).and(high.access()).and(step.access());
    }

    @Override
    CachingMode caching() {
        return source.caching();
    }

    @Override
    public long[] allowed() {
        NumberNode below = source.targetOrNull();
        long[] set =
                allowed.length > 0 ? allowed : below instanceof IntegerAccess integer ? integer.allowed() : allowed;
        if (set.length == 0) {
            return set;
        }
        WholeRange range = wholeRange();
        return Arrays.stream(set)
                .filter(value -> value >= range.low() && value <= range.high())
                .toArray();
    }

    @Override
    public long readLong() {
        return source.readLong();
    }

    @Override
    public void writeLong(long value) {
        source.writeLong(value, addsNothing);
    }

    @Override
    public WholeRange wholeRange() {
        if (readingLimits) {
            context.freshness.passing();
            // One real camera has limits that depend on each other in a circle (R33).
            return WholeRange.ALL;
        }
        readingLimits = true;
        try {
            context.operations.work();
            WholeRange range = WholeRange.ALL;
            for (NumberNode below : source.limiting()) {
                range = range.and(below.wholeRange());
            }
            return range.and(new WholeRange(
                    low.whole(true).orElse(Long.MIN_VALUE), high.whole(false).orElse(Long.MAX_VALUE)));
        } finally {
            readingLimits = false;
        }
    }

    @Override
    public long lowestLong() {
        return end(low, true);
    }

    @Override
    public long highestLong() {
        return end(high, false);
    }

    /** Its own limit, else the narrowest of those below; each end for itself, as the other may have no value now. */
    private long end(Limit own, boolean lowest) {
        long end = lowest ? Long.MIN_VALUE : Long.MAX_VALUE;
        if (readingLimits) {
            context.freshness.passing();
            return end;
        }
        readingLimits = true;
        try {
            context.operations.work();
            OptionalLong limit = own.whole(lowest);
            if (limit.isPresent()) {
                return limit.getAsLong();
            }
            for (NumberNode below : source.limiting()) {
                end = lowest ? Math.max(end, below.lowestLong()) : Math.min(end, below.highestLong());
            }
            return end;
        } finally {
            readingLimits = false;
        }
    }

    @Override
    public long stepLong() {
        if (readingLimits) {
            context.freshness.passing();
            return 1;
        }
        readingLimits = true;
        try {
            context.operations.work();
            OptionalLong own = step.whole(true);
            if (own.isPresent()) {
                return own.getAsLong();
            }
            NumberNode target = source.targetOrNull();
            return target == null ? 1 : target.stepLong();
        } finally {
            readingLimits = false;
        }
    }
}
