package io.peregrine.genapi;

/** One entry of an enumeration. */
public interface EnumEntryNode extends Node {
    /** Its symbol, unique in the enumeration. */
    String symbol();

    /** Its number. */
    long intValue();

    /** What it means as a number, where it stands for one; else its number. */
    double numericValue();

    /** Whether the device leaves it by itself. */
    boolean selfClearing();
}
