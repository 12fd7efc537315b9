import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Adds up the test reports below a folder: counts, and every skipped test with its reason. */
public final class Summary {
    public static void main(String[] arguments) throws Exception {
        int passed = 0;
        int failed = 0;
        int skipped = 0;
        Map<String, List<String>> reasons = new TreeMap<>();
        for (Path report : reports(Path.of(arguments[0]))) {
            Element suite = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getDocumentElement();
            NodeList cases = suite.getElementsByTagName("testcase");
            for (int i = 0; i < cases.getLength(); i++) {
                Element test = (Element) cases.item(i);
                String name = test.getAttribute("classname").replaceFirst(".*\\.", "") + "." + test.getAttribute("name");
                if (test.getElementsByTagName("flakyFailure").getLength() > 0
                        || test.getElementsByTagName("flakyError").getLength() > 0) {
                    System.out.println("FLAKY   " + name);
                }
                NodeList skip = test.getElementsByTagName("skipped");
                if (test.getElementsByTagName("failure").getLength() > 0
                        || test.getElementsByTagName("error").getLength() > 0) {
                    failed++;
                    System.out.println("FAILED  " + name);
                } else if (skip.getLength() > 0) {
                    skipped++;
                    String reason = ((Element) skip.item(0)).getAttribute("message");
                    if (reason.isEmpty()) {
                        reason = skip.item(0).getTextContent().lines().findFirst().orElse("").replaceFirst("^[\\w.]+: ", "");
                    }
                    reasons.computeIfAbsent(reason, key -> new ArrayList<>())
                            .add(report.getParent().getFileName() + " " + name);
                } else {
                    passed++;
                }
            }
        }
        reasons.forEach((reason, tests) -> {
            System.out.println("skipped because: " + reason);
            tests.forEach(test -> System.out.println("    " + test));
        });
        System.out.println(passed + " passed, " + failed + " failed, " + skipped + " skipped");
        if (failed > 0 || passed == 0) {
            System.exit(1);
        }
    }

    private static List<Path> reports(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".xml")).sorted().toList();
        }
    }
}
