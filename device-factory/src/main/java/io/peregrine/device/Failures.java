package io.peregrine.device;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects what goes wrong while several things are taken down, errors of the virtual machine too; the first is thrown,
 * the others ride along.
 */
final class Failures {
    private @Nullable Throwable first;

    void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            add(e);
        }
    }

    /** Adds a failure, which is an {@link Error} or a {@link RuntimeException}. */
    void add(Throwable failure) {
        if (first == null) {
            first = failure;
        } else if (first != failure) {
            first.addSuppressed(failure);
        }
    }

    Optional<Throwable> first() {
        return Optional.ofNullable(first);
    }

    void throwIfAny() {
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
