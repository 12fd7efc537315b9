package io.peregrine.cli;

import io.peregrine.composite.internal.FileFailure;
import java.io.IOException;
import java.io.UncheckedIOException;

/** What users read of an exception. */
final class Messages {
    static final String OWN_ERROR = "an error in peregrine itself: run it again with the environment variable"
            + " JAVA_TOOL_OPTIONS=-Dperegrine.debug=true to see where, and report that";

    private Messages() {}

    /**
     * Without the name of a class. Exceptions of the language are mistakes in this program, their texts are not for
     * users.
     */
    static String of(Throwable failure) {
        if (failure instanceof IOException || failure instanceof UncheckedIOException) {
            return FileFailure.reason(failure);
        }
        boolean ofLanguage = failure.getClass().getName().startsWith("java.");
        boolean forUsers = !ofLanguage || failure instanceof IllegalArgumentException;
        return forUsers && failure.getMessage() != null ? failure.getMessage() : OWN_ERROR;
    }
}
