package io.peregrine.genapi;

import java.util.List;
import java.util.OptionalDouble;

/** A floating point number. */
public interface FloatNode extends Node {
    /** Reads the value: infinite or not a number where the device or a formula of the description makes it so. */
    double value();

    /**
     * Reads the value, and checks that it is one that could be written.
     *
     * @throws GenApiRangeException if the device holds a value outside the range
     */
    double verifiedValue();

    /** Writes a value, after checking access and range. */
    void set(double value);

    /** Writes a value as it is, after checking access alone. */
    void setUnverified(double value);

    /** Smallest value now. */
    double min();

    /** Largest value now. */
    double max();

    /**
     * Raises the smallest value that {@link #set} takes.
     *
     * @param least smallest value from now on; {@link Double#NEGATIVE_INFINITY} gives back the whole range
     */
    void imposeMin(double least);

    /**
     * Lowers the largest value that {@link #set} takes.
     *
     * @param most largest value from now on; {@link Double#POSITIVE_INFINITY} gives back the whole range
     */
    void imposeMax(double most);

    /** Step between values that the device suggests; it takes others too. */
    default OptionalDouble increment() {
        return OptionalDouble.empty();
    }

    /** The values that are allowed now, rising, where the description lists them; empty where all are. */
    default List<Double> validValues() {
        return List.of();
    }

    /** How the value is shown: Linear, Logarithmic or PureNumber. */
    String representation();

    /** The value in the notation and with the digits that the description asks for. */
    String displayText();
}
