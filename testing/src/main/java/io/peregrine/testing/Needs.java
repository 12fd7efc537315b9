package io.peregrine.testing;

import java.util.function.Supplier;
import org.opentest4j.TestAbortedException;

/** Skips a test where something is missing, with a reason that reads "needs ...". */
public final class Needs {
    private Needs() {}

    /** Skips the test unless something is there. */
    public static void that(boolean there, String what) {
        that(there, () -> what);
    }

    /** Skips the test unless something is there. */
    public static void that(boolean there, Supplier<String> what) {
        if (!there) {
            throw missing(what.get());
        }
    }

    /** Skips the test if there is a problem with what it needs; an empty text is none. */
    public static void noProblem(String problem, String what) {
        that(problem.isEmpty(), () -> what + ": " + problem);
    }

    /** What to throw to skip the test. */
    public static TestAbortedException missing(String what) {
        return new TestAbortedException("needs " + what);
    }
}
