package io.peregrine.conformance.softroce;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs the tests of the machine in the machine, and prints a line for each: {@code PASSED}, {@code FAILED} or
 * {@code SKIPPED}, milliseconds, name, reason. All of them, or the classes and methods ({@code Class#method}) that are
 * named, those outside of this package with their package; {@code -Class} is all of them but those of this class.
 */
public final class InsideMain {
    private static final String PACKAGE = InsideMain.class.getPackageName();

    private InsideMain() {}

    public static void main(String[] arguments) {
        List<DiscoverySelector> selectors = new ArrayList<>();
        LauncherDiscoveryRequestBuilder wanted = LauncherDiscoveryRequestBuilder.request();
        for (String argument : arguments) {
            if (argument.startsWith("-")) {
                wanted.filters(
                        ClassNameFilter.excludeClassNamePatterns(Pattern.quote(PACKAGE + "." + argument.substring(1))));
                continue;
            }
            String name = argument.startsWith("io.peregrine.") ? argument : PACKAGE + "." + argument;
            selectors.add(
                    name.contains("#") ? DiscoverySelectors.selectMethod(name) : DiscoverySelectors.selectClass(name));
        }
        if (selectors.isEmpty()) {
            selectors.add(DiscoverySelectors.selectPackage(PACKAGE));
            wanted.filters(TagFilter.includeTags(InsideSoftRoce.TAG));
        }
        LauncherDiscoveryRequest request = wanted.selectors(selectors).build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary, new Lines());
        TestExecutionSummary result = summary.getSummary();
        result.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 30);
        System.out.println("DONE " + result.getTestsSucceededCount() + " of " + result.getTestsFoundCount());
        System.exit(result.getTotalFailureCount() == 0 && result.getTestsSucceededCount() > 0 ? 0 : 1);
    }

    private static final class Lines implements TestExecutionListener {
        private long startNanos = System.nanoTime();

        @Override
        public void executionStarted(TestIdentifier test) {
            startNanos = System.nanoTime();
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            print("SKIPPED", test, reason);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
            if (test.isTest() || !passed) {
                print(
                        passed ? "PASSED" : "FAILED",
                        test,
                        result.getThrowable().map(Throwable::toString).orElse(""));
            }
        }

        private void print(String outcome, TestIdentifier test, String reason) {
            String holder = test.getParentId().orElse("").replaceAll(".*\\.([A-Za-z]+)\\].*", "$1");
            long millis = (System.nanoTime() - startNanos) / 1_000_000;
            System.out.println(outcome + " " + millis + " " + holder + "." + test.getDisplayName() + " "
                    + reason.replace('\n', ' '));
        }
    }
}
