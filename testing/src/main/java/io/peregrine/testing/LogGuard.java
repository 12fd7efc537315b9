package io.peregrine.testing;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Keeps the output of green tests quiet and honest. What is logged is kept from the console. A test fails if by its end
 * a warning or an error was logged that no {@link ExpectedWarning} names; so does its class if that comes later, or if
 * one that is named was not logged. JUnit finds this extension by itself, for all tests that have this module on the
 * class path.
 */
public final class LogGuard implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private static final Recorder RECORDER = new Recorder();
    private static final Namespace STORE = Namespace.create(LogGuard.class);
    /** Tests do not wait for the thread that logs. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final class Recorder extends Handler {
        /** Of the classes that run; a test can launch another class. */
        private final Deque<List<LogRecord>> running = new ArrayDeque<>();

        void install() {
            Logger root = Logger.getLogger("");
            for (Handler handler : root.getHandlers()) {
                if (handler instanceof ConsoleHandler) {
                    root.removeHandler(handler);
                }
            }
            root.removeHandler(this);
            root.addHandler(this);
        }

        synchronized void begin() {
            running.push(new ArrayList<>());
        }

        /** What came since a number of entries of the class that runs. */
        synchronized List<LogRecord> since(int entries) {
            List<LogRecord> all = running.getFirst();
            return List.copyOf(all.subList(entries, all.size()));
        }

        /** Waits until each of the patterns was logged. */
        synchronized void await(Set<String> patterns) throws InterruptedException {
            long begin = System.nanoTime();
            long left = PATIENCE_NANOS;
            while (left > 0 && !missing(patterns, warnings(running.getFirst())).isEmpty()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = PATIENCE_NANOS - (System.nanoTime() - begin);
            }
        }

        synchronized List<LogRecord> end() {
            return running.pop();
        }

        @Override
        public synchronized void publish(LogRecord entry) {
            if (!running.isEmpty()) {
                running.peek().add(entry);
                notifyAll();
            } else if (isWarning(entry)) {
                System.err.println("After the end of a test class: " + text(entry));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    /** What the tests of a class did. */
    private static final class Run {
        final Class<?> tests;
        final Set<Method> passed = new HashSet<>();
        boolean failed;
        /** By an unexpected warning. */
        boolean refused;
        /** Entries of the log that were looked at. */
        int checked;

        Run(Class<?> tests) {
            this.tests = tests;
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (outermost(context)) {
            RECORDER.install();
            RECORDER.begin();
            context.getStore(STORE).put(Run.class, new Run(context.getRequiredTestClass()));
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Run run = context.getStore(STORE).get(Run.class, Run.class);
        Optional<Throwable> ended = context.getExecutionException();
        if (ended.isPresent() && ended.get() instanceof TestAbortedException) {
            return;
        }
        List<LogRecord> entries = RECORDER.since(run.checked);
        run.checked += entries.size();
        if (ended.isPresent()) {
            run.failed = true;
            return;
        }
        run.passed.add(context.getRequiredTestMethod());
        // Here rather than at the end of the class, where a build does not try again.
        List<LogRecord> warnings = warnings(entries);
        if (!warnings.isEmpty()) {
            List<String> problems = unexpected(Names.of(run.tests, run.passed), warnings);
            run.refused |= !problems.isEmpty();
            fail(problems);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws InterruptedException {
        if (!outermost(context)) {
            return;
        }
        Run run = context.getStore(STORE).get(Run.class, Run.class);
        run.failed |= context.getExecutionException().isPresent();
        Names names = Names.of(run.tests, run.passed);
        if (!run.failed && !run.refused) {
            RECORDER.await(names.due);
        }
        List<LogRecord> all = RECORDER.end();
        if (run.failed) {
            all.forEach(entry -> System.err.println(text(entry)));
        } else if (!run.refused) {
            List<String> problems = unexpected(names, warnings(all.subList(run.checked, all.size())));
            missing(names.due, warnings(all)).forEach(pattern -> problems.add("Expected, but not logged: " + pattern));
            fail(problems);
        }
    }

    private static List<LogRecord> warnings(List<LogRecord> entries) {
        return entries.stream().filter(LogGuard::isWarning).toList();
    }

    private static List<String> unexpected(Names names, List<LogRecord> warnings) {
        List<String> problems = new ArrayList<>();
        for (LogRecord warning : warnings) {
            if (names.permitted.stream().noneMatch(pattern -> found(pattern, warning))) {
                problems.add("Unexpected: " + text(warning));
            }
        }
        return problems;
    }

    private static List<String> missing(Set<String> patterns, List<LogRecord> warnings) {
        return patterns.stream()
                .filter(pattern -> warnings.stream().noneMatch(warning -> found(pattern, warning)))
                .toList();
    }

    private static void fail(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new AssertionFailedError(String.join(System.lineSeparator(), problems));
        }
    }

    /** Patterns of the warnings that the tests of a class name, and of those that must have come by its end. */
    private record Names(Set<String> permitted, Set<String> due) {
        static Names of(Class<?> tests, Set<Method> passed) {
            Names names = new Names(new TreeSet<>(), new TreeSet<>());
            names.collect(tests, passed);
            return names;
        }

        private void collect(Class<?> tests, Set<Method> passed) {
            List<Method> methods =
                    AnnotationSupport.findAnnotatedMethods(tests, Testable.class, HierarchyTraversalMode.TOP_DOWN);
            // Those of the class are due when none of its tests was left out or skipped.
            add(AnnotationSupport.findRepeatableAnnotations(tests, ExpectedWarning.class), passed.containsAll(methods));
            for (Method method : methods) {
                add(
                        AnnotationSupport.findRepeatableAnnotations(method, ExpectedWarning.class),
                        passed.contains(method));
            }
            for (Class<?> nested : tests.getDeclaredClasses()) {
                if (nested.isAnnotationPresent(Nested.class)) {
                    collect(nested, passed);
                }
            }
        }

        private void add(List<ExpectedWarning> warnings, boolean asDue) {
            for (ExpectedWarning warning : warnings) {
                permitted.add(warning.value());
                if (asDue) {
                    due.add(warning.value());
                }
            }
        }
    }

    private static boolean found(String pattern, LogRecord entry) {
        return Pattern.compile(pattern)
                .matcher(new SimpleFormatter().formatMessage(entry))
                .find();
    }

    private static boolean isWarning(LogRecord entry) {
        return entry.getLevel().intValue() >= Level.WARNING.intValue();
    }

    private static String text(LogRecord entry) {
        return new SimpleFormatter().format(entry).strip();
    }

    private static boolean outermost(ExtensionContext context) {
        return context.getParent().equals(Optional.of(context.getRoot()));
    }
}
