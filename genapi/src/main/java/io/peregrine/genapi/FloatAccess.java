package io.peregrine.genapi;

import java.math.RoundingMode;
import java.util.Optional;
import java.util.OptionalDouble;

/** The public face of every floating point node, on top of its unchecked reads and writes (R15). */
interface FloatAccess extends FloatNode, NumberNode {
    /** The node itself. */
    BaseNode self();

    @Override
    default double value() {
        // In the form that allocates nothing, as it is asked often.
        BaseNode node = self();
        Operations operations = node.context.operations;
        if (operations.tooDeep(node.links)) {
            return operations.onOwnStack(node.links, this::value);
        }
        operations.enter();
        try {
            node.checkReadable();
            return readDouble();
        } finally {
            operations.exit();
        }
    }

    @Override
    default double verifiedValue() {
        return self().operateDouble(() -> {
            self().checkReadable();
            double value = readDouble();
            verify(value);
            return value;
        });
    }

    @Override
    default void imposeMin(double least) {
        self().impose(self().imposedRange().withMin(least));
    }

    @Override
    default void imposeMax(double most) {
        self().impose(self().imposedRange().withMax(most));
    }

    private RealRange taken() {
        ImposedRange imposed = self().imposedRange();
        RealRange range = realRange();
        return imposed.none() ? range : range.and(new RealRange(imposed.minDouble(), imposed.maxDouble()));
    }

    @Override
    default void set(double value) {
        write(value, true);
    }

    @Override
    default void setUnverified(double value) {
        write(value, false);
    }

    private void write(double value, boolean verify) {
        self().run(() -> {
            self().checkWritable();
            self().writing(verify, () -> {
                if (verify) {
                    verify(value);
                }
                writeDouble(value);
            });
        });
    }

    @Override
    default void verify(double value) {
        RealRange range = taken();
        double low = range.low();
        double high = range.high();
        if (!(value >= low && value <= high)) {
            throw new GenApiRangeException("Node " + name() + " does not take " + value + ": it takes " + low + " to "
                    + high + self().unitAfterNumber());
        }
    }

    @Override
    default void verify(long value) {
        verify((double) value);
    }

    /** The step that goes with the value, where there is one. */
    default OptionalDouble step() {
        return OptionalDouble.empty();
    }

    @Override
    default OptionalDouble increment() {
        return self().operate(() -> step());
    }

    @Override
    default long stepLong() {
        OptionalDouble step = step();
        return step.isPresent() && step.getAsDouble() > 0 ? Math.max(1, Math.round(step.getAsDouble())) : 1;
    }

    @Override
    default double min() {
        return self().operateDouble(() -> Math.max(self().imposedRange().minDouble(), lowestDouble()));
    }

    @Override
    default double max() {
        return self().operateDouble(() -> Math.min(self().imposedRange().maxDouble(), highestDouble()));
    }

    @Override
    default boolean isFloat() {
        return true;
    }

    @Override
    default String representation() {
        return self().passedOn("Representation").orElse("PureNumber");
    }

    @Override
    default String displayText() {
        String notation = self().passedOn("DisplayNotation").orElse("Automatic");
        Optional<String> digits = self().passedOn("DisplayPrecision");
        int precision =
                digits.isPresent() ? (int) Math.max(0, Math.min(17, Numbers.parseLong(self().name, digits.get()))) : 6;
        return self().operate(() -> {
            double value = value();
            String text = Numbers.shown(value, notation, precision, RoundingMode.HALF_EVEN);
            double shown = Numbers.parseDouble(self().name, text);
            // What is shown can be set again: rounding must not leave the range.
            if (shown > value && shown > realRange().high()) {
                return Numbers.shown(value, notation, precision, RoundingMode.FLOOR);
            }
            if (shown < value && shown < realRange().low()) {
                return Numbers.shown(value, notation, precision, RoundingMode.CEILING);
            }
            return text;
        });
    }

    @Override
    default String valueAsText() {
        return Double.toString(value());
    }

    @Override
    default void setFromText(String text) {
        set(Numbers.parseDouble(self().name, text));
    }
}
