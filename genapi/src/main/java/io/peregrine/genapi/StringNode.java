package io.peregrine.genapi;

/** A text. */
public interface StringNode extends Node {
    /** Reads the text. */
    String value();

    /** Writes a text. */
    void set(String value);
}
