package io.peregrine.genapi;

/** A text. */
public interface StringNode extends Node {
    /** Reads the text. */
    String value();

    /** Writes a text. */
    void set(String value);

    /** How long a text may be in UTF-8. */
    long maxLengthBytes();
}
