package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Java on the pages of the documentation compiles, calls that they name exist, and so do pages and headings they link
 * to.
 */
class DocumentedCodeTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> PACKAGES = Stream.of(
                    "browser",
                    "composite",
                    "device",
                    "discovery",
                    "distribution",
                    "export",
                    "genapi",
                    "gendc",
                    "gvcp",
                    "pfnc",
                    "pvaccess",
                    "rdma",
                    "recording",
                    "stream",
                    "virtualcamera",
                    "virtualcamera.junit")
            .map("io.peregrine."::concat)
            .toList();

    /** Blocks marked with more than "java" need what the project does not depend on. */
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```");

    private static final Pattern IMPORTS = Pattern.compile("(import [^;]+;\n)+");
    private static final Pattern MEMBERS = Pattern.compile("(?s)(/\\*\\*.*?\\*/\\s*)?(@\\w+.*?\\s+)?(class|static) .*");
    private static final Pattern CALL = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w*)\\(");
    private static final Pattern LINK = Pattern.compile("\\[[^]\n]*]\\(([^)\\s]+)\\)");

    /** What the blocks use without declaring it. */
    private static final String BEFORE = imports() + """
            import static io.peregrine.virtualcamera.DeviceFeature.*;
            import java.io.*;
            import java.net.*;
            import java.nio.ByteBuffer;
            import java.nio.file.*;
            import java.time.Duration;
            import java.util.*;
            import org.junit.jupiter.api.Test;

            class %s {
                interface Driver {
                    void brightness(int lamp, double percent);
                    double power();
                    void strobe();
                    void readInto(ByteBuffer frame);
                }
                static Driver driver;
                static Devices factory;
                static DiscoveryInformation info;
                static List<DiscoveryInformation> cameras;
                static Device device, left, right;
                static Composite composite;
                static Item item;
                static Coordinates coordinates;
                static long ticks;
                static Inet4Address local;
                static Duration timeout;
            """;

    private static final String STATEMENTS = "    static void run() throws Exception {\n";

    private static String imports() {
        StringBuilder imports = new StringBuilder();
        PACKAGES.forEach(name -> imports.append("import ").append(name).append(".*;\n"));
        return imports.toString();
    }

    private record Page(Path file, String text) {
        int line(int offset) {
            return (int) text.substring(0, offset)
                            .chars()
                            .filter(c -> c == '\n')
                            .count()
                    + 1;
        }
    }

    private static List<Page> pages() throws IOException {
        List<Page> pages = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .toList()) {
                pages.add(new Page(file, Files.readString(file)));
            }
        }
        assertFalse(pages.isEmpty());
        return pages;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;
        private final String where;
        private final int linesBefore;

        Source(String name, String block, String where) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            Matcher imports = IMPORTS.matcher(block);
            String own = imports.lookingAt() ? imports.group() : "";
            String code = block.substring(own.length());
            boolean members = MEMBERS.matcher(code).matches();
            String before = BEFORE.formatted(name) + (members ? "" : STATEMENTS);
            this.text = own + before + code + (members ? "}\n" : "}\n}\n");
            this.where = where;
            this.linesBefore = (int) before.lines().count();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    @Test
    void javaBlocksCompile(@TempDir Path classes) throws IOException {
        List<Source> sources = new ArrayList<>();
        for (Page page : pages()) {
            Matcher matcher = BLOCK.matcher(page.text());
            while (matcher.find()) {
                String where = ROOT.relativize(page.file()) + ":" + page.line(matcher.start());
                sources.add(new Source("Block" + sources.size(), matcher.group(1), where));
            }
        }
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, null)) {
            String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            compiler.getTask(
                            null,
                            files,
                            found,
                            List.of("-proc:none", "-cp", classPath, "-d", classes.toString()),
                            null,
                            sources)
                    .call();
        }
        List<String> errors = found.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(DocumentedCodeTest::describe)
                .toList();
        assertFalse(sources.isEmpty());
        assertEquals(List.of(), errors);
    }

    private static String describe(Diagnostic<? extends JavaFileObject> diagnostic) {
        Source source = (Source) diagnostic.getSource();
        return source.where + ", line " + (diagnostic.getLineNumber() - source.linesBefore) + " of the block: "
                + diagnostic.getMessage(null);
    }

    private static boolean isMethod(String type, String method) {
        return PACKAGES.stream()
                .map(name -> find(name + "." + type))
                .flatMap(Optional::stream)
                .flatMap(found -> Arrays.stream(found.getMethods()))
                .anyMatch(each -> each.getName().equals(method));
    }

    private static Optional<Class<?>> find(String name) {
        try {
            return Optional.of(Class.forName(name));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Of tables only the last column is looked at: the others are about other libraries. */
    @Test
    void callsOfOursInTheTablesForNewcomersExist() throws IOException {
        List<String> missing = new ArrayList<>();
        int calls = 0;
        for (String line : Files.readAllLines(ROOT.resolve("docs/coming-from.md"))) {
            String last = line.replaceFirst("^.*\\|(?=[^|]+\\|$)", "");
            Matcher matcher = CALL.matcher(last);
            while (matcher.find()) {
                calls++;
                if (!isMethod(matcher.group(1), matcher.group(2))) {
                    missing.add(matcher.group());
                }
            }
        }
        assertFalse(calls == 0);
        assertEquals(List.of(), missing);
    }

    @TestFactory
    Stream<DynamicTest> linksLeadSomewhere() throws IOException {
        return pages().stream()
                .map(page -> dynamicTest(ROOT.relativize(page.file()).toString(), () -> {
                    Map<String, String> broken = new TreeMap<>();
                    Matcher matcher = LINK.matcher(page.text());
                    while (matcher.find()) {
                        String target = matcher.group(1);
                        if (!target.contains("://") && !leadsSomewhere(page, target)) {
                            broken.put("line " + page.line(matcher.start()), target);
                        }
                    }
                    assertEquals(Map.of(), broken);
                }));
    }

    private static boolean leadsSomewhere(Page page, String target) throws IOException {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page.file() : page.file().resolveSibling(parts[0]);
        if (!Files.exists(file)) {
            return false;
        }
        return parts.length == 1
                || Files.readString(file)
                        .lines()
                        .filter(line -> line.startsWith("#"))
                        .map(DocumentedCodeTest::anchor)
                        .anyMatch(parts[1]::equals);
    }

    /** As code hosts make anchors of headings. */
    private static String anchor(String heading) {
        return heading.replaceFirst("^#+ +", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\w\\- ]", "")
                .replace(' ', '-');
    }
}
