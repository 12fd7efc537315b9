package io.peregrine.genapi;

/** Something the device can be told to do. */
public interface CommandNode extends Node {
    /** Tells the device to do it. */
    void execute();

    /** Whether the device has done it. */
    boolean isDone();
}
