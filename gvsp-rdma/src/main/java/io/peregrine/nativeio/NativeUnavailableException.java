package io.peregrine.nativeio;

/** A library or the system cannot be called natively; the message is the reason. */
public class NativeUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param reason why, as part of a sentence
     * @param cause what led to it, or null
     */
    public NativeUnavailableException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
