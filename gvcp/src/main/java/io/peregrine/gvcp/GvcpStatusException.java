package io.peregrine.gvcp;

/** A command that the device answered with a failure. */
public class GvcpStatusException extends GvcpException {
    private static final long serialVersionUID = 1L;

    /** The status; its code alone, as exceptions are serializable. */
    private final int statusCode;
    /** The command's name. */
    private final String command;
    /** The register's name and address. */
    private final String register;

    /**
     * Creates an exception.
     *
     * @param status what the device answered
     * @param command name of the command
     * @param register name and address of the register
     * @param device who answered
     */
    public GvcpStatusException(GvcpStatus status, String command, String register, String device) {
        super(command + " of " + register + " on " + device + ": " + status.name() + ", " + status.description());
        this.statusCode = status.code();
        this.command = command;
        this.register = register;
    }

    /**
     * What the device answered.
     *
     * @return the status
     */
    public final GvcpStatus status() {
        return GvcpStatus.of(statusCode);
    }

    /**
     * The command that failed.
     *
     * @return its name in the standard
     */
    public final String command() {
        return command;
    }

    /**
     * The register that the command was about.
     *
     * @return name and address
     */
    public final String register() {
        return register;
    }

    static GvcpStatusException of(GvcpStatus status, String command, String register, String device) {
        return status.equals(GvcpStatus.ACCESS_DENIED)
                ? new AccessDeniedException(command, register, device)
                : new GvcpStatusException(status, command, register, device);
    }
}
