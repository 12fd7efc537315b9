package io.peregrine.testing;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.stream.Stream;
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

    /**
     * Finds a program on the path; skips the test where there is none.
     *
     * @param what it is needed for
     * @param names it may have, the first found counts
     */
    public static Path program(String what, String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.of(
                                System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> missing(names[0] + ", for " + what));
    }

    /** What to throw to skip the test. */
    public static TestAbortedException missing(String what) {
        return new TestAbortedException("needs " + what);
    }
}
