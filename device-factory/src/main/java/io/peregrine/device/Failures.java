package io.peregrine.device;

/** Collects what goes wrong while several things are taken down; the first is thrown, the others ride along. */
final class Failures {
    private RuntimeException first;

    void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            if (first == null) {
                first = e;
            } else if (first != e) {
                first.addSuppressed(e);
            }
        }
    }

    void throwIfAny() {
        if (first != null) {
            throw first;
        }
    }
}
