package io.peregrine.rdma;

/** A provider cannot work on this host or this interface; the message is the reason, made to be shown to users. */
public class RdmaUnavailableException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param reason why, as part of a sentence, for example "libibverbs.so.1 was not found"
     */
    public RdmaUnavailableException(String reason) {
        super(reason);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param reason why, as part of a sentence
     * @param cause what led to it
     */
    public RdmaUnavailableException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
