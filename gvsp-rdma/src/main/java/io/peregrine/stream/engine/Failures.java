package io.peregrine.stream.engine;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects the failures of several steps that are all attempted, errors of the virtual machine too. The first one is
 * thrown at the end, with the others as suppressed. For one thread.
 */
public final class Failures {
    private @Nullable Throwable first;

    /** Creates a collection without failures. */
    public Failures() {}

    /** Runs a step and collects its failure. */
    public void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            add(e);
        }
    }

    /** Adds a failure, which is an {@link Error} or a {@link RuntimeException}. */
    public void add(Throwable failure) {
        if (first == null) {
            first = failure;
        } else if (first != failure) {
            first.addSuppressed(failure);
        }
    }

    /** The first failure. */
    public Optional<Throwable> first() {
        return Optional.ofNullable(first);
    }

    /** Throws the first failure, if there is any. */
    public void throwIfAny() {
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
