package io.peregrine.virtualcamera;

/** A register access refused with a GVCP status. */
final class RegisterException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    RegisterException(int status) {
        super(null, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
