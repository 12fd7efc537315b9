package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.OptionalDouble;

/** Float: an own value, that of another node, or chosen by an index (R14). */
final class FloatImpl extends BaseNode implements FloatAccess {
    private final NumberSource source;
    private final boolean addsNothing;
    private final Limit low;
    private final Limit high;
    private final Limit step;
    private final LimitReading limits;

    FloatImpl(NodeContext context, Element element, String name) {
        super(context, element, name);
        source = new NumberSource(this, true);
        addsNothing = source.addsNothing();
        low = Limit.of(this, "Min", "pMin");
        high = Limit.of(this, "Max", "pMax");
        step = Limit.of(this, "Inc", "pInc");
        limits = new LimitReading(context);
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
        // A float is not always stored as it was written (R6).
        return source.caching().weaker(CachingMode.WRITE_AROUND);
    }

    @Override
    public double readDouble() {
        return source.readDouble();
    }

    @Override
    public long readLong() {
        return NumberNode.round(name, readDouble());
    }

    @Override
    public void writeDouble(double value) {
        source.writeDouble(value, addsNothing);
    }

    @Override
    public void writeLong(long value) {
        source.writeDouble((double) value, addsNothing);
    }

    @Override
    public RealRange realRange() {
        return limits.read(RealRange.ALL, () -> {
            RealRange range = RealRange.ALL;
            for (NumberNode below : source.limiting()) {
                range = range.and(below.realRange());
            }
            return range.and(new RealRange(
                    low.real().orElse(Double.NEGATIVE_INFINITY), high.real().orElse(Double.POSITIVE_INFINITY)));
        });
    }

    @Override
    public double lowestDouble() {
        double open = RealRange.ALL.low();
        return limits.read(
                open,
                () -> Math.max(
                        open,
                        low.real()
                                .orElseGet(() -> source.limiting().stream()
                                        .mapToDouble(NumberNode::lowestDouble)
                                        .max()
                                        .orElse(open))));
    }

    @Override
    public double highestDouble() {
        double open = RealRange.ALL.high();
        return limits.read(
                open,
                () -> Math.min(
                        open,
                        high.real()
                                .orElseGet(() -> source.limiting().stream()
                                        .mapToDouble(NumberNode::highestDouble)
                                        .min()
                                        .orElse(open))));
    }

    @Override
    public long lowestLong() {
        return (long) Math.ceil(lowestDouble());
    }

    @Override
    public long highestLong() {
        return (long) Math.floor(highestDouble());
    }

    @Override
    public OptionalDouble step() {
        OptionalDouble own = step.real();
        if (own.isPresent()) {
            return own;
        }
        NumberNode below = source.targetOrNull();
        if (below instanceof IntegerAccess integer) {
            return OptionalDouble.of((double) integer.stepLong());
        }
        return below instanceof FloatAccess real ? real.step() : OptionalDouble.empty();
    }

    @Override
    public List<Double> validValues() {
        return operate(() -> {
            NumberNode below = source.targetOrNull();
            List<Double> values = below instanceof IntegerAccess integer
                    ? integer.validValues().stream().map(Long::doubleValue).toList()
                    : below instanceof FloatAccess real ? real.validValues() : List.of();
            if (values.isEmpty()) {
                return values;
            }
            RealRange range = realRange();
            return values.stream()
                    .filter(value -> value >= range.low() && value <= range.high())
                    .toList();
        });
    }

    @Override
    public WholeRange wholeRange() {
        return realRange().inside();
    }

    /** FloatReg: a float in the bytes of a register. */
    static final class InRegister extends RegisterBase implements FloatAccess {
        InRegister(NodeContext context, Element element, String name) {
            super(context, element, name);
        }

        @Override
        public BaseNode self() {
            return this;
        }

        private GenApiException wrongLength(long length) {
            return new GenApiException("Node " + name + " is a float of " + length + " bytes: 4 or 8 are possible");
        }

        @Override
        public double readDouble() {
            CacheLine line = register.read();
            return switch (line.length) {
                case 4 -> Float.intBitsToFloat((int) line.whole(register.bigEndian()));
                case 8 -> Double.longBitsToDouble(line.whole(register.bigEndian()));
                default -> throw wrongLength(line.length);
            };
        }

        @Override
        public long readLong() {
            return NumberNode.round(name, readDouble());
        }

        @Override
        public void writeDouble(double value) {
            int length = (int) register.length();
            if (length != 4 && length != 8) {
                throw wrongLength(length);
            }
            ByteBuffer bytes = ByteBuffer.allocate(length)
                    .order(register.bigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            if (length == 4) {
                bytes.putFloat((float) value);
            } else {
                bytes.putDouble(value);
            }
            register.write(bytes.array());
        }

        @Override
        public void writeLong(long value) {
            writeDouble((double) value);
        }

        @Override
        public RealRange realRange() {
            double highest = register.length() == 4 ? Float.MAX_VALUE : Double.MAX_VALUE;
            return new RealRange(-highest, highest);
        }
    }
}
