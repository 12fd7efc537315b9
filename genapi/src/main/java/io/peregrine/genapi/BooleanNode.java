package io.peregrine.genapi;

/** Yes or no. */
public interface BooleanNode extends Node {
    /** Reads the value. */
    boolean value();

    /** Writes a value. */
    void set(boolean value);
}
