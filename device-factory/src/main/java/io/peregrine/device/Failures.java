package io.peregrine.device;

import java.util.Optional;

/** Collects what goes wrong while several things are taken down; the first is thrown, the others ride along. */
final class Failures {
    private RuntimeException first;

    void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            add(e);
        }
    }

    void add(RuntimeException failure) {
        if (first == null) {
            first = failure;
        } else if (first != failure) {
            first.addSuppressed(failure);
        }
    }

    Optional<RuntimeException> first() {
        return Optional.ofNullable(first);
    }

    void throwIfAny() {
        if (first != null) {
            throw first;
        }
    }
}
