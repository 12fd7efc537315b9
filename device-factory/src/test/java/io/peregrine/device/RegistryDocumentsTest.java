package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.StreamingMode.Protocol;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamStatistics.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Documents have every parameter, setting and counter as the registries have them. With
 * {@code -Dperegrine.docs.write=true} the generated sections are written instead.
 */
class RegistryDocumentsTest {
    private static final Path ROOT = root();
    private static final Path SOURCES = ROOT.resolve("device-factory/src/main/java/io/peregrine/device");

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/adr"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    @Test
    void parametersAreDocumentedAsRegistered() throws IOException {
        StringBuilder tables = new StringBuilder();
        OpenParameter.GROUPS.forEach((group, parameters) -> {
            tables.append("\n## ").append(group).append("\n\n");
            tables.append("| parameter | type | values | default | unit | transports | since | effect |\n");
            tables.append("|---|---|---|---|---|---|---|---|\n");
            parameters.forEach(parameter -> tables.append("| ")
                    .append(String.join(
                            " | ",
                            "`" + parameter.name() + "`",
                            parameter.type().kind().text(),
                            parameter.values(),
                            code(parameter.defaultValue()),
                            parameter.unit(),
                            transports(parameter),
                            parameter.since(),
                            parameter.description()))
                    .append(" |\n"));
        });
        assertGenerated("docs/parameters.md", tables.toString());
    }

    @Test
    void pagesHaveTheParametersOfTheirSubjectAsRegistered() throws IOException {
        Pattern table = Pattern.compile("(<!-- parameters ([\\w, ]+) -->\n)(.*?)(<!-- end -->)", Pattern.DOTALL);
        Set<String> pages = new TreeSet<>();
        for (Path page : pages()) {
            String text = Files.readString(page);
            String expected = table.matcher(text)
                    .replaceAll(found -> Matcher.quoteReplacement(
                            found.group(1) + someParameters(found.group(2).split(", ")) + found.group(4)));
            if (table.matcher(text).find()) {
                pages.add(page.getFileName().toString());
            }
            if (writes()) {
                Files.writeString(page, expected);
            } else {
                assertEquals(expected, text, page.toString());
            }
        }
        assertEquals(Set.of("addresses.md", "rdma.md"), pages);
    }

    private static String someParameters(String... names) {
        StringBuilder table = new StringBuilder("\n| parameter | setting | values | default | effect |\n");
        table.append("|---|---|---|---|---|\n");
        for (String name : names) {
            OpenParameter parameter = OpenParameter.named(name);
            table.append("| ")
                    .append(String.join(
                            " | ",
                            code(parameter.name()),
                            code(parameter.settingsKey()),
                            parameter.values(),
                            code(parameter.defaultValue()),
                            parameter.description()))
                    .append(" |\n");
        }
        return table.append("\n").toString();
    }

    @Test
    void settingsAreDocumentedAsRegistered() throws IOException {
        StringBuilder table =
                new StringBuilder("\n| key | environment variable | values | default | unit | effect |\n");
        table.append("|---|---|---|---|---|---|\n");
        for (Setting setting : Setting.all()) {
            table.append("| ")
                    .append(String.join(
                            " | ",
                            "`" + setting.key() + "`",
                            "`" + Setting.environmentName(setting.key()) + "`",
                            setting.type().expected(),
                            code(setting.defaultValue()),
                            setting.unit(),
                            setting.description()))
                    .append(" |\n");
        }
        assertGenerated("docs/settings.md", table.toString());
    }

    @Test
    void javadocOfSetParameterHasEveryParameter() throws IOException {
        String items = OpenParameter.all().stream()
                .map(parameter -> "<li>{@code " + parameter.name() + "}: " + parameter.values()
                        + (parameter.defaultValue().isEmpty() ? "" : " (" + parameter.defaultValue() + ")") + ". "
                        + parameter.description() + ".")
                .collect(Collectors.joining("\n"));
        Path file = SOURCES.resolve("DiscoveryInformation.java");
        Pattern list = Pattern.compile("(whatever its case:\\s+\\*\\s+\\*\\s+<ul>)(.*?)(</ul>)", Pattern.DOTALL);
        String source = Files.readString(file);
        Matcher matcher = list.matcher(source);
        assertTrue(matcher.find());
        if (writes()) {
            Files.writeString(
                    file,
                    source.substring(0, matcher.end(1))
                            + items.lines().map(line -> "\n     *   " + line).collect(Collectors.joining())
                            + "\n     * " + source.substring(matcher.start(3)));
            return;
        }
        assertEquals(words(items), words(matcher.group(2)));
    }

    @Test
    void everyParameterHasATypedOptionThatIsDescribedAsRegistered() throws IOException {
        String source = words(Files.readString(SOURCES.resolve("OpenOptions.java")));
        List<String> missing = new ArrayList<>();
        for (OpenParameter parameter : OpenParameter.all()) {
            String method = parameter.name().substring(0, 1).toLowerCase(java.util.Locale.ROOT)
                    + parameter.name().substring(1);
            if (!source.contains("/** " + parameter.description() + ". / public Builder " + method + "(")) {
                missing.add(parameter.name());
            }
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void everyCounterIsDocumentedWithWhatToDo() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/counters.md"))) {
            Matcher row =
                    Pattern.compile("\\| `([A-Z_]+)` \\| (.+) \\| (.+) \\|").matcher(line);
            if (row.matches()) {
                rows.put(row.group(1), row.group(3));
            }
        }
        assertEquals(
                new TreeSet<>(
                        Stream.<Enum<?>>concat(Arrays.stream(Counter.values()), Arrays.stream(IncompleteCause.values()))
                                .map(Enum::name)
                                .toList()),
                new TreeSet<>(rows.keySet()));
    }

    @Test
    void readmeNamesOnlyParametersThatExist() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        assertTrue(readme.contains("(docs/parameters.md)"));
        Matcher named = Pattern.compile("setParameter\\(\"(\\w+)\"").matcher(readme);
        int count = 0;
        while (named.find()) {
            assertEquals(named.group(1), OpenParameter.named(named.group(1)).name());
            count++;
        }
        assertFalse(count == 0);
    }

    @Test
    void documentsNameOnlySettingsThatExist() throws IOException {
        Set<String> known = new TreeSet<>();
        Setting.all().forEach(setting -> known.addAll(List.of(setting.key(), Setting.environmentName(setting.key()))));
        Set<String> unknown = new TreeSet<>();
        for (Path page : pages()) {
            Pattern.compile("(?<![\\w.])peregrine\\.[a-z]+\\.\\w+|PEREGRINE_[A-Z_]+")
                    .matcher(Files.readString(page))
                    .results()
                    .map(MatchResult::group)
                    .filter(name -> !known.contains(name))
                    .forEach(name -> unknown.add(page.getFileName() + ": " + name));
        }
        assertEquals(Set.of(), unknown);
    }

    /** README and the pages of the documentation. */
    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    private static String code(String text) {
        return text.isEmpty() ? "" : "`" + text + "`";
    }

    private static String transports(OpenParameter parameter) {
        return Arrays.stream(Protocol.values())
                .filter(parameter.transports()::contains)
                .map(protocol -> protocol == Protocol.FILE
                        ? "recording"
                        : protocol == Protocol.PUBLISHED ? "published" : protocol.name())
                .collect(Collectors.joining(", "));
    }

    /** Without the stars of comments and the line breaks of the formatter. */
    private static String words(String text) {
        return text.replace("*/", "/")
                .replaceAll("(?m)^\\s*\\*", " ")
                .replaceAll("\\s+", " ")
                .strip();
    }

    private static boolean writes() {
        return Boolean.getBoolean("peregrine.docs.write");
    }

    private static void assertGenerated(String path, String expected) throws IOException {
        Path file = ROOT.resolve(path);
        String text = Files.readString(file);
        Matcher section = Pattern.compile("(<!-- generated[^>]*-->\n)(.*)(\n<!-- end -->)", Pattern.DOTALL)
                .matcher(text);
        assertTrue(section.find(), path);
        if (writes()) {
            Files.writeString(file, text.substring(0, section.end(1)) + expected + text.substring(section.start(3)));
            return;
        }
        assertEquals(expected, section.group(2));
    }
}
