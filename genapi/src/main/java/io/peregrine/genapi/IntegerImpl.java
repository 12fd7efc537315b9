package io.peregrine.genapi;

import java.util.Arrays;

/** Integer: an own value, that of another node, or chosen by an index (R14). */
final class IntegerImpl extends BaseNode implements IntegerAccess {
    private final NumberSource source;
    private final Limit low;
    private final Limit high;
    private final Limit step;
    private final long[] allowed;
    private final boolean addsNothing;
    private final LimitReading limits;

    IntegerImpl(NodeContext context, Element element, String name) {
        super(context, element, name);
        source = new NumberSource(this, false);
        low = Limit.of(this, "Min", "pMin");
        high = Limit.of(this, "Max", "pMax");
        step = Limit.of(this, "Inc", "pInc");
        limits = new LimitReading(context);
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
        return limits.read(WholeRange.ALL, () -> {
            WholeRange range = WholeRange.ALL;
            for (NumberNode below : source.limiting()) {
                range = range.and(below.wholeRange());
            }
            return range.and(new WholeRange(
                    low.whole(true).orElse(Long.MIN_VALUE), high.whole(false).orElse(Long.MAX_VALUE)));
        });
    }

    @Override
    public long lowestLong() {
        return limits.read(
                Long.MIN_VALUE,
                () -> low.whole(true)
                        .orElseGet(() -> source.limiting().stream()
                                .mapToLong(NumberNode::lowestLong)
                                .max()
                                .orElse(Long.MIN_VALUE)));
    }

    @Override
    public long highestLong() {
        return limits.read(
                Long.MAX_VALUE,
                () -> high.whole(false)
                        .orElseGet(() -> source.limiting().stream()
                                .mapToLong(NumberNode::highestLong)
                                .min()
                                .orElse(Long.MAX_VALUE)));
    }

    @Override
    public long stepLong() {
        return limits.read(
                1L,
                () -> step.whole(true).orElseGet(() -> {
                    NumberNode target = source.targetOrNull();
                    return target == null ? 1 : target.stepLong();
                }));
    }
}
