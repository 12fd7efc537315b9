package io.peregrine.genapi;

import java.util.Locale;
import java.util.Optional;

/** The public face of every floating point node, on top of its unchecked reads and writes (R15). */
interface FloatAccess extends FloatNode, NumberNode {
    /** The node itself. */
    BaseNode self();

    @Override
    default double value() {
        BaseNode node = self();
        node.map.enter(node);
        try {
            node.checkReadable();
            return readDouble();
        } finally {
            node.map.exit();
        }
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
        BaseNode node = self();
        node.map.enter(node);
        try {
            node.checkWritable();
            if (verify) {
                double low = lowestDouble();
                double high = highestDouble();
                if (!(value >= low && value <= high)) {
                    throw new GenApiRangeException(
                            "Node " + node.name + " does not take " + value + ": it takes " + low + " to " + high);
                }
            }
            writeDouble(value);
            if (verify) {
                node.checkError();
            }
        } finally {
            node.map.exit();
        }
    }

    @Override
    default double min() {
        BaseNode node = self();
        node.map.enter(node);
        try {
            return lowestDouble();
        } finally {
            node.map.exit();
        }
    }

    @Override
    default double max() {
        BaseNode node = self();
        node.map.enter(node);
        try {
            return highestDouble();
        } finally {
            node.map.exit();
        }
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
        double value = value();
        return switch (notation) {
            case "Fixed" -> String.format(Locale.ROOT, "%." + precision + "f", value);
            case "Scientific" -> String.format(Locale.ROOT, "%." + precision + "e", value);
            default -> Numbers.general(value, precision);
        };
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
