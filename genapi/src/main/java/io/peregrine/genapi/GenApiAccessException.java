package io.peregrine.genapi;

/** A node was read or written that cannot be, at present or at all. */
public class GenApiAccessException extends GenApiException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message names the node, its access mode and what was tried
     */
    public GenApiAccessException(String message) {
        super(message);
    }
}
