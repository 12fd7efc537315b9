package io.peregrine.gendc;

import io.peregrine.gendc.GenDcProblem.Severity;
import java.util.List;

/**
 * A container, descriptor or flow table that cannot be used, or, in strict mode, one that deviates from the standard.
 */
public class GenDcException extends RuntimeException {
    private static final long serialVersionUID = 2L;

    private final GenDcProblem[] problems;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     */
    public GenDcException(String message) {
        super(message);
        problems = new GenDcProblem[] {new GenDcProblem(Severity.CONTAINER_REJECTED, -1, -1, message)};
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what happened, where, and what to do about it
     * @param cause what led to it
     */
    public GenDcException(String message, Throwable cause) {
        super(message, cause);
        problems = new GenDcProblem[] {new GenDcProblem(Severity.CONTAINER_REJECTED, -1, -1, message)};
    }

    GenDcException(String message, List<GenDcProblem> problems) {
        super(message);
        this.problems = problems.toArray(GenDcProblem[]::new);
    }

    /** What was found: one problem that rejects the container, or all of them when strict mode threw. */
    public List<GenDcProblem> problems() {
        return List.of(problems);
    }
}
