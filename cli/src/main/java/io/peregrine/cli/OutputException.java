package io.peregrine.cli;

/** What a command prints cannot be written any longer; why, {@link StandardOutput} knows. */
final class OutputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputException() {
        super("the output cannot be written");
    }
}
