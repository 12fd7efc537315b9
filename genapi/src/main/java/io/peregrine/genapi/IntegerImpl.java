package io.peregrine.genapi;

import java.util.Arrays;
import java.util.OptionalLong;

/** Integer: a value of its own, of another node, or chosen by an index (R14). */
final class IntegerImpl extends BaseNode implements IntegerAccess {
    private final NumberSource source;
    private final Limit low;
    private final Limit high;
    private final Limit step;
    private final long[] allowed;
    private boolean readingLimits;

    IntegerImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
        source = new NumberSource(this, false);
        low = new Limit(this, "Min", "pMin");
        high = new Limit(this, "Max", "pMax");
        step = new Limit(this, "Inc", "pInc");
        allowed = element.value("ValidValueSet")
                .map(text -> Numbers.parseSet(name, text))
                .orElse(Numbers.NONE);
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
        long lowest = lowestLong();
        long highest = highestLong();
        return Arrays.stream(set)
                .filter(value -> value >= lowest && value <= highest)
                .toArray();
    }

    @Override
    public long readLong() {
        return source.readLong();
    }

    @Override
    public void writeLong(long value) {
        source.writeLong(value);
    }

    @Override
    public long lowestLong() {
        if (readingLimits) {
            // One real camera has limits that depend on each other in a circle (R33).
            return Long.MIN_VALUE;
        }
        readingLimits = true;
        try {
            map.work();
            long limit = Long.MIN_VALUE;
            for (NumberNode below : source.limiting()) {
                limit = Math.max(limit, below.lowestLong());
            }
            OptionalLong own = low.whole(true);
            return own.isPresent() ? Math.max(limit, own.getAsLong()) : limit;
        } finally {
            readingLimits = false;
        }
    }

    @Override
    public long highestLong() {
        if (readingLimits) {
            return Long.MAX_VALUE;
        }
        readingLimits = true;
        try {
            map.work();
            long limit = Long.MAX_VALUE;
            for (NumberNode below : source.limiting()) {
                limit = Math.min(limit, below.highestLong());
            }
            OptionalLong own = high.whole(false);
            return own.isPresent() ? Math.min(limit, own.getAsLong()) : limit;
        } finally {
            readingLimits = false;
        }
    }

    @Override
    public long stepLong() {
        if (readingLimits) {
            return 1;
        }
        readingLimits = true;
        try {
            map.work();
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
