package io.peregrine.composite;

/**
 * Runs each of several steps even when one before it failed, and throws the first failure with the others at the end.
 */
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
        } else if (failure != first) {
            first.addSuppressed(failure);
        }
    }

    void throwIfAny() {
        if (first != null) {
            throw first;
        }
    }
}
