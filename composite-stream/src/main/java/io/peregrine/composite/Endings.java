package io.peregrine.composite;

import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.stream.End;

/** The messages of ends that are not orderly. */
final class Endings {
    private Endings() {}

    /** The exception with which an iteration ends; for all but orderly ends. */
    static RuntimeException exception(End end, AcquisitionControl device) {
        String message = text(end);
        Throwable cause = end.cause().orElse(null);
        return device.failure(message, cause)
                .orElseGet(
                        () -> cause == null ? new CompositeException(message) : new CompositeException(message, cause));
    }

    private static String text(End end) {
        if (end instanceof End.Failed failed) {
            String message = failed.failure().getMessage();
            return "The stream failed: " + (message == null ? failed.failure().toString() : message);
        }
        if (end instanceof End.Interrupted) {
            return "The thread was interrupted while it waited for a composite: stop the stream, or clear the interrupt"
                    + " and go on";
        }
        if (end instanceof End.NotStarted) {
            return "The stream was never started: call start() before taking composites from it";
        }
        throw new IllegalArgumentException(end + " is an orderly end");
    }
}
