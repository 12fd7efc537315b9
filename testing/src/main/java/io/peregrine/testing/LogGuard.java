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
 * Keeps the output of green tests quiet and honest. What is logged is kept from the console. A test class fails if it
 * logs a warning or an error that no {@link ExpectedWarning} names, or passes without one that is named. JUnit finds
 * this extension by itself, for all tests that have this module on the class path.
 */
public final class LogGuard implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private static final Recorder RECORDER = new Recorder();
    private static final Namespace STORE = Namespace.create(LogGuard.class);

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

        synchronized List<LogRecord> end() {
            return running.pop();
        }

        @Override
        public synchronized void publish(LogRecord entry) {
            if (!running.isEmpty()) {
                running.peek().add(entry);
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
        final Set<Method> passed = new HashSet<>();
        boolean failed;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (outermost(context)) {
            RECORDER.install();
            RECORDER.begin();
            context.getStore(STORE).put(Run.class, new Run());
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Run run = context.getStore(STORE).get(Run.class, Run.class);
        Optional<Throwable> ended = context.getExecutionException();
        if (ended.isEmpty()) {
            run.passed.add(context.getRequiredTestMethod());
        } else if (!(ended.get() instanceof TestAbortedException)) {
            run.failed = true;
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (!outermost(context)) {
            return;
        }
        List<LogRecord> all = RECORDER.end();
        Run run = context.getStore(STORE).get(Run.class, Run.class);
        if (run.failed || context.getExecutionException().isPresent()) {
            all.forEach(entry -> System.err.println(text(entry)));
            return;
        }
        List<LogRecord> warnings = all.stream().filter(LogGuard::isWarning).toList();
        List<String> problems = check(context.getRequiredTestClass(), run.passed, warnings);
        if (!problems.isEmpty()) {
            throw new AssertionFailedError(String.join(System.lineSeparator(), problems));
        }
    }

    private static List<String> check(Class<?> tests, Set<Method> passed, List<LogRecord> warnings) {
        Set<String> permitted = new TreeSet<>();
        Set<String> due = new TreeSet<>();
        collect(tests, passed, permitted, due);
        List<String> problems = new ArrayList<>();
        for (LogRecord warning : warnings) {
            if (permitted.stream().noneMatch(pattern -> found(pattern, warning))) {
                problems.add("Unexpected: " + text(warning));
            }
        }
        for (String pattern : due) {
            if (warnings.stream().noneMatch(warning -> found(pattern, warning))) {
                problems.add("Expected, but not logged: " + pattern);
            }
        }
        return problems;
    }

    private static void collect(Class<?> tests, Set<Method> passed, Set<String> permitted, Set<String> due) {
        List<Method> methods =
                AnnotationSupport.findAnnotatedMethods(tests, Testable.class, HierarchyTraversalMode.TOP_DOWN);
        // Those of the class are due when none of its tests was left out or skipped.
        add(
                AnnotationSupport.findRepeatableAnnotations(tests, ExpectedWarning.class),
                passed.containsAll(methods),
                permitted,
                due);
        for (Method method : methods) {
            add(
                    AnnotationSupport.findRepeatableAnnotations(method, ExpectedWarning.class),
                    passed.contains(method),
                    permitted,
                    due);
        }
        for (Class<?> nested : tests.getDeclaredClasses()) {
            if (nested.isAnnotationPresent(Nested.class)) {
                collect(nested, passed, permitted, due);
            }
        }
    }

    private static void add(List<ExpectedWarning> warnings, boolean asDue, Set<String> permitted, Set<String> due) {
        for (ExpectedWarning warning : warnings) {
            permitted.add(warning.value());
            if (asDue) {
                due.add(warning.value());
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
