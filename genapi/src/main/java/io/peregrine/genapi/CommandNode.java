package io.peregrine.genapi;

/** An operation that the device can execute. */
public interface CommandNode extends Node {
    /** Makes the device do it. */
    void execute();

    /** Whether the device has done it; true for a command that was not executed. */
    boolean isDone();
}
