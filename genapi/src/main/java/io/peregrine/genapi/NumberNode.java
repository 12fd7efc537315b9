package io.peregrine.genapi;

/** A node whose value can take part in formulas and links, whichever of the two domains it is in. */
interface NumberNode extends Node {
    /** Whether its own domain is floating point. */
    boolean isFloat();

    /** Reads without checking access. */
    long readLong();

    /** Reads without checking access. */
    double readDouble();

    /** Writes without checking range; checks nothing but what lies below. */
    void writeLong(long value);

    /** Writes without checking range; checks nothing but what lies below. */
    void writeDouble(double value);

    /**
     * Checks that the node takes a value.
     *
     * @throws GenApiRangeException if it does not
     */
    default void verify(long value) {}

    /**
     * Checks that the node takes a value.
     *
     * @throws GenApiRangeException if it does not
     */
    default void verify(double value) {}

    /**
     * Writes the value that the node takes that is nearest.
     *
     * @param verify whether to check that it is in the range
     */
    default void writeNearest(double value, boolean verify) {
        if (verify) {
            verify(value);
        }
        writeDouble(value);
    }

    /** Limits now among whole numbers. */
    default WholeRange wholeRange() {
        return WholeRange.ALL;
    }

    /** Limits now among real numbers. */
    default RealRange realRange() {
        WholeRange range = wholeRange();
        return new RealRange(range.low(), range.high());
    }

    /**
     * The smallest whole number it shows as possible: its own limit where it has one, though what lies below takes
     * less.
     */
    default long lowestLong() {
        return wholeRange().low();
    }

    /** The largest whole number it shows as possible; see {@link #lowestLong}. */
    default long highestLong() {
        return wholeRange().high();
    }

    /** The smallest number it shows as possible; see {@link #lowestLong}. */
    default double lowestDouble() {
        return isFloat() ? realRange().low() : lowestLong();
    }

    /** The largest number it shows as possible; see {@link #lowestLong}. */
    default double highestDouble() {
        return isFloat() ? realRange().high() : highestLong();
    }

    default long stepLong() {
        return 1;
    }

    /** Rounds half away from zero (R19). */
    static long round(String name, double value) {
        double whole = Math.copySign(Math.floor(Math.abs(value) + 0.5), value);
        if (Double.isNaN(whole) || whole < -0x1p63 || whole >= 0x1p63) {
            throw new GenApiRangeException("The value " + value + " for node " + name + " is no 64-bit integer");
        }
        return (long) whole;
    }
}
