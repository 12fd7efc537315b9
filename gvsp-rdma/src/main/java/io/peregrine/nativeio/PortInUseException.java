package io.peregrine.nativeio;

/** Another program, or the kernel itself, has the port. */
public class PortInUseException extends NativeUnavailableException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param reason why, as part of a sentence
     */
    public PortInUseException(String reason) {
        super(reason, null);
    }
}
