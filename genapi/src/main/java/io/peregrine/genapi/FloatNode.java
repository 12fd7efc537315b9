package io.peregrine.genapi;

import java.util.List;
import java.util.OptionalDouble;

/** A floating point number. */
public interface FloatNode extends Node {
    /** Reads the value. */
    double value();

    /** Writes a value, after checking access and range. */
    void set(double value);

    /** Writes a value as it is, after checking access alone. */
    void setUnverified(double value);

    /** Smallest value now. */
    double min();

    /** Largest value now. */
    double max();

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
