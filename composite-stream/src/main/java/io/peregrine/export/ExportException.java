package io.peregrine.export;

/** Thrown when data cannot become the wanted image, point cloud or file; the message says why. */
public final class ExportException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what is wrong and what to do
     */
    public ExportException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what is wrong and what to do
     * @param cause what was thrown below
     */
    public ExportException(String message, Throwable cause) {
        super(message, cause);
    }
}
