package io.peregrine.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.System.Logger.Level;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

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

    @ExpectedWarning("camera is lost")
    static class KeepsSilent {
        @Test
        void silent() {
            LOGGER.log(Level.INFO, "The camera is lost");
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
    void unexpectedWarningFailsTheClass() {
        String failure = failures(Warns.class).get(0);
        assertTrue(failure.contains("Unexpected: ") && failure.contains("WARNING: The camera is lost"), failure);
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
    void differentWarningFailsTheClassTwice() {
        assertEquals(
                2,
                failures(WarnsOtherwise.class)
                        .get(0)
                        .lines()
                        .filter(line -> line.contains("xpected"))
                        .count());
    }

    @Test
    void warningOfASkippedTestIsNotDue() {
        assertEquals(List.of(), failures(SkipsTheOneThatWarns.class));
    }

    private static List<String> failures(Class<?> tests) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(tests))
                                .build(),
                        listener);
        return listener.getSummary().getFailures().stream()
                .map(failure -> failure.getException().getMessage())
                .toList();
    }
}
