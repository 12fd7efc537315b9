package io.peregrine.genapi;

/** A floating point number. */
public interface FloatNode extends Node {
    /** Reads the value. */
    double value();

    /** Writes a value, after checking access and range. */
    void set(double value);

    /** Smallest value now. */
    double min();

    /** Largest value now. */
    double max();
}
