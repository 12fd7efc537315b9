package io.peregrine.genapi;

/** An operation takes more work than any real description needs: nothing may go on by ignoring it. */
final class GivenUpException extends GenApiException {
    private static final long serialVersionUID = 1L;

    GivenUpException(String what) {
        super("The operation was given up: the device description " + what);
    }
}
