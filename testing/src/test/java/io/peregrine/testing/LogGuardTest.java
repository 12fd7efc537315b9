package io.peregrine.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.System.Logger.Level;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

class LogGuardTest {
    private static final System.Logger LOGGER = System.getLogger(LogGuardTest.class.getName());

    /** Launched by the tests below. */
    static class Warns {
        @Test
        void warns() {
            LOGGER.log(Level.WARNING, "The {0} is lost", "camera");
        }
    }

    @ExpectedWarning("camera is lost")
    static class WarnsAsExpected extends Warns {}

    @ExpectedWarning("camera is back")
    static class WarnsOtherwise extends Warns {}

    static class OneWarnsAsExpected extends Warns {
        @Test
        @ExpectedWarning("camera is lost")
        void another() {
            LOGGER.log(Level.INFO, "The camera is there");
        }
    }

    static class WarnsAfterItsTests {
        @Test
        void silent() {
            LOGGER.log(Level.INFO, "The camera is there");
        }

        @AfterAll
        static void warns() {
            LOGGER.log(Level.WARNING, "The camera is lost");
        }
    }

    static class Outer {
        @Nested
        @ExpectedWarning("camera is lost")
        class Inner extends Warns {}
    }

    @ExpectedWarning("camera is lost")
    static class WarnsLater {
        @Test
        void starts() {
            Thread test = Thread.currentThread();
            Thread thread = new Thread(() -> {
                // Until the guard waits for it.
                while (test.getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                }
                LOGGER.log(Level.WARNING, "The camera is lost");
            });
            thread.setDaemon(true);
            thread.start();
        }
    }

    @ExpectedWarning("camera is lost")
    static class KeepsSilent {
        @Test
        void silent() {
            LOGGER.log(Level.INFO, "The camera is lost");
        }
    }

    static class WarnsAndSkips {
        @Test
        void skipped() {
            LOGGER.log(Level.WARNING, "The camera is lost");
            Needs.that(false, "a camera");
        }
    }

    @ExpectedWarning("camera is lost")
    static class SkipsTheOneThatWarns {
        @Test
        void skipped() {
            Needs.that(false, "a camera");
        }
    }

    @Test
    void unexpectedWarningFailsTheTest() {
        TestExecutionSummary.Failure failure = run(Warns.class).get(0);
        assertTrue(failure.getTestIdentifier().isTest(), failure::toString);
        String message = failure.getException().getMessage();
        assertTrue(message.contains("Unexpected: ") && message.contains("WARNING: The camera is lost"), message);
    }

    @Test
    void unexpectedWarningAfterTheLastTestFailsTheClass() {
        TestExecutionSummary.Failure failure = run(WarnsAfterItsTests.class).get(0);
        assertTrue(failure.getTestIdentifier().isContainer(), failure::toString);
        assertTrue(failure.getException().getMessage().contains("WARNING: The camera is lost"), failure::toString);
    }

    @Test
    void unexpectedWarningOfASkippedTestFailsTheClass() {
        assertTrue(failures(WarnsAndSkips.class).get(0).contains("WARNING: The camera is lost"));
    }

    @Test
    void warningThatANestedClassExpectsPasses() {
        assertEquals(List.of(), failures(Outer.class));
    }

    @Test
    void expectedWarningPasses() {
        assertEquals(List.of(), failures(WarnsAsExpected.class));
    }

    @Test
    void warningThatAnotherTestOfTheClassExpectsPasses() {
        assertEquals(List.of(), failures(OneWarnsAsExpected.class));
    }

    @Test
    void expectedWarningThatIsNotLoggedFailsTheClass() {
        assertEquals(List.of("Expected, but not logged: camera is lost"), failures(KeepsSilent.class));
    }

    @Test
    void differentWarningFailsTheTest() {
        List<String> failures = failures(WarnsOtherwise.class);
        assertEquals(1, failures.size(), failures::toString);
        assertTrue(failures.get(0).startsWith("Unexpected: "), failures::toString);
    }

    @Test
    void expectedWarningThatAnotherThreadLogsLaterPasses() {
        assertEquals(List.of(), failures(WarnsLater.class));
    }

    @Test
    void warningOfASkippedTestIsNotDue() {
        assertEquals(List.of(), failures(SkipsTheOneThatWarns.class));
    }

    private static List<String> failures(Class<?> tests) {
        return run(tests).stream()
                .map(failure -> failure.getException().getMessage())
                .toList();
    }

    private static List<TestExecutionSummary.Failure> run(Class<?> tests) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(tests))
                                .build(),
                        listener);
        return listener.getSummary().getFailures();
    }
}
