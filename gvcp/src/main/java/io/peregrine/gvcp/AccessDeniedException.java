package io.peregrine.gvcp;

/** The device refused: another application controls it, or the register cannot be accessed in its present state. */
public final class AccessDeniedException extends GvcpStatusException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param command name of the command
     * @param register name and address of the register
     * @param device who answered
     */
    public AccessDeniedException(String command, String register, String device) {
        super(GvcpStatus.ACCESS_DENIED, command, register, device);
    }
}
