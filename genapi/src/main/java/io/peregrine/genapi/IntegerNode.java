package io.peregrine.genapi;

import java.util.List;

/** A whole number of 64 bits, signed. */
public interface IntegerNode extends Node {
    /** Reads the value. */
    long value();

    /**
     * Reads the value, and checks that it is one that could be written.
     *
     * @throws GenApiRangeException if the device holds a value outside the range or between the steps
     */
    long verifiedValue();

    /** Writes a value, after checking access, range and increment. */
    void set(long value);

    /** Writes a value as it is, after checking access alone. */
    void setUnverified(long value);

    /** Smallest value now. */
    long min();

    /** Largest value now. */
    long max();

    /**
     * Raises the smallest value that {@link #set} takes; steps still count from that of the description.
     *
     * @param least smallest value from now on; {@link Long#MIN_VALUE} gives back the whole range
     */
    void imposeMin(long least);

    /**
     * Lowers the largest value that {@link #set} takes.
     *
     * @param most largest value from now on; {@link Long#MAX_VALUE} gives back the whole range
     */
    void imposeMax(long most);

    /**
     * Step between values, counted from the smallest. Some devices give zero at times: nothing can be written until it
     * is at least one.
     */
    long increment();

    /** The values that are allowed now, rising, where the description lists them; empty where every step is allowed. */
    List<Long> validValues();

    /** How the value is shown: Linear, Logarithmic, Boolean, PureNumber, HexNumber, IPV4Address or MACAddress. */
    String representation();
}
