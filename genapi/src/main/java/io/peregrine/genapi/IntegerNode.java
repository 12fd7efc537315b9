package io.peregrine.genapi;

import java.util.List;

/** A whole number of 64 bits, signed. */
public interface IntegerNode extends Node {
    /** Reads the value. */
    long value();

    /** Writes a value, after checking access, range and increment. */
    void set(long value);

    /** Writes a value as it is, after checking access alone. */
    void setUnverified(long value);

    /** Smallest value now. */
    long min();

    /** Largest value now. */
    long max();

    /** Step between values, counted from the smallest. */
    long increment();

    /** The values that are allowed now, rising, where the description lists them; empty where every step is allowed. */
    List<Long> validValues();

    /** How the value is shown: Linear, Logarithmic, Boolean, PureNumber, HexNumber, IPV4Address or MACAddress. */
    String representation();
}
