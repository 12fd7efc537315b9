import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Adds up the results of ./check. The folder has one folder for each phase: reports of Surefire, or a file results.txt
 * with lines such as "passed NAME". Prints every skipped test with its reason, the slowest classes, then flaky and
 * failed tests with what they said, and the counts. Exit status 1 where a test failed, or a phase ran none.
 */
public final class Summary {
    private static final int SLOWEST = 10;
    private static final int LINES_OF_A_FAILURE = 12;

    private record Slow(String phase, String name, double seconds) {}

    private final Map<String, List<String>> skipReasons = new TreeMap<>();
    private final List<Slow> classes = new ArrayList<>();
    private final List<String> phasesWithoutTests = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();
    private int passed;
    private int failed;
    private int skipped;

    public static void main(String[] arguments) throws Exception {
        Summary summary = new Summary();
        for (Path phase : list(Path.of(arguments[0]))) {
            summary.add(phase);
        }
        System.exit(summary.print() ? 0 : 1);
    }

    private void add(Path phase) throws Exception {
        int before = passed + failed;
        for (Path report : list(phase)) {
            if (report.toString().endsWith(".xml")) {
                addSuite(phase.getFileName().toString(), report);
            } else if (report.endsWith("results.txt")) {
                addLines(report);
            }
        }
        if (passed + failed == before) {
            phasesWithoutTests.add(phase.getFileName().toString());
        }
    }

    private void addLines(Path results) throws IOException {
        for (String line : Files.readAllLines(results)) {
            if (line.startsWith("passed ")) {
                passed++;
            } else if (line.startsWith("skipped ")) {
                skipped++;
                String[] nameAndReason = line.substring("skipped ".length()).split(": ", 2);
                skipReasons.computeIfAbsent(nameAndReason[1], key -> new ArrayList<>()).add(nameAndReason[0]);
            } else {
                failed++;
                troubles.add("FAILED  " + line);
            }
        }
    }

    private void addSuite(String phase, Path report) throws Exception {
        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getDocumentElement();
        classes.add(new Slow(
                phase,
                suite.getAttribute("name").replaceFirst(".*\\.", ""),
                Double.parseDouble(suite.getAttribute("time").replace(",", ""))));
        NodeList cases = suite.getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            addTest(phase, (Element) cases.item(i));
        }
    }

    private void addTest(String phase, Element test) {
        String name = phase + " " + test.getAttribute("classname").replaceFirst(".*\\.", "") + "."
                + test.getAttribute("name");
        for (String kind : List.of("flakyFailure", "flakyError")) {
            if (has(test, kind)) {
                String message = first(test, kind).getAttribute("message");
                troubles.add("FLAKY   " + name + ": " + message.lines().findFirst().orElse("no message"));
            }
        }
        if (has(test, "failure") || has(test, "error")) {
            failed++;
            troubles.add("FAILED  " + name);
            for (String kind : List.of("failure", "error", "rerunFailure", "rerunError")) {
                if (has(test, kind)) {
                    troubles.add("    " + what(first(test, kind)));
                }
            }
        } else if (has(test, "skipped")) {
            skipped++;
            skipReasons.computeIfAbsent(reason(first(test, "skipped")), key -> new ArrayList<>()).add(name);
        } else {
            passed++;
        }
    }

    /** Message and the first places of the stack. Where a test ran twice, each failure is an element of its own. */
    private static String what(Element failure) {
        Element stack = has(failure, "stackTrace") ? first(failure, "stackTrace") : failure;
        String text = stack.getTextContent();
        return text.strip().lines().limit(LINES_OF_A_FAILURE).collect(Collectors.joining("\n    "));
    }

    private static String reason(Element skip) {
        String message = skip.getAttribute("message");
        String reason = message.isEmpty()
                ? skip.getTextContent().lines().findFirst().orElse("").replaceFirst("^[\\w.]+: ", "")
                : message;
        // One reason, whichever file it is.
        return reason.replaceFirst("^needs test data [^:]*:", "needs test data:");
    }

    private boolean print() {
        skipReasons.forEach((reason, tests) -> {
            System.out.println("skipped: " + reason);
            tests.forEach(test -> System.out.println("    " + test));
        });
        if (!classes.isEmpty()) {
            System.out.println("slowest classes:");
            classes.sort(Comparator.comparingDouble(Slow::seconds).reversed());
            classes.stream()
                    .limit(SLOWEST)
                    .forEach(slow -> System.out.printf(
                            Locale.ROOT, "    %6.1f s  %s %s%n", slow.seconds, slow.phase, slow.name));
        }
        troubles.forEach(System.out::println);
        phasesWithoutTests.forEach(phase -> System.out.println("FAILED  " + phase + " ran no test"));
        System.out.println(passed + " passed, " + (failed + phasesWithoutTests.size()) + " failed, " + skipped
                + " skipped");
        return failed == 0 && passed > 0 && phasesWithoutTests.isEmpty();
    }

    private static boolean has(Element test, String tag) {
        return test.getElementsByTagName(tag).getLength() > 0;
    }

    private static Element first(Element test, String tag) {
        return (Element) test.getElementsByTagName(tag).item(0);
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
