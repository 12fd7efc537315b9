package io.peregrine.genapi;

/** A value that a node does not take. */
public class GenApiRangeException extends GenApiException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message names the node, the value and what it takes
     */
    public GenApiRangeException(String message) {
        super(message);
    }
}
