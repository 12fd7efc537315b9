package io.peregrine.conformance;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Java sources of the project, for rules that class files cannot answer. */
final class Sources {
    private static final Path PROJECT = Path.of("..");
    private static final Pattern COMMENT_OR_TEXT = Pattern.compile(
            "/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)+'", Pattern.DOTALL);
    private static final Pattern TYPE_NAME = Pattern.compile("\\bio\\.peregrine(?:\\.[a-z]\\w*)+(?:\\.[A-Z]\\w*)+");
    private static final Pattern TOP_LEVEL = Pattern.compile("^[a-z.\\d]+\\.[A-Z]\\w*");
    private static final Map<String, Path> MAIN = mainFiles();
    private static final Map<String, Set<JavaClass>> NAMED = new ConcurrentHashMap<>();

    private Sources() {}

    /** All Java files of the project. */
    static List<Path> all() {
        return files(PROJECT);
    }

    /** The main sources of all modules, by the full name of their top-level class. Benchmarks are no module. */
    static Map<String, Path> main() {
        return MAIN;
    }

    /** The compiled classes of the project without tests, generated ones included. */
    static JavaClasses classes() {
        return Classes.ALL;
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Number of lines of a file. */
    static long lines(Path file) {
        return text(file).lines().count();
    }

    /**
     * The classes of the project that the source of a top-level class imports or names in full, outside of comments and
     * texts. The compiler copies constants, so that a class file does not show where they come from.
     */
    static Set<JavaClass> named(JavaClass type) {
        Path file = MAIN.get(type.getFullName());
        return file == null ? Set.of() : NAMED.computeIfAbsent(type.getFullName(), name -> read(text(file)));
    }

    private static Set<JavaClass> read(String text) {
        Set<JavaClass> classes = new TreeSet<>((a, b) -> a.getFullName().compareTo(b.getFullName()));
        Matcher names = TYPE_NAME.matcher(COMMENT_OR_TEXT.matcher(text).replaceAll(" "));
        while (names.find()) {
            JavaClass found = find(names.group());
            if (found != null) {
                classes.add(found);
            }
        }
        return classes;
    }

    /** The class of a name whose last parts may be members; null for what is no class. */
    private static JavaClass find(String name) {
        for (String shorter = name; shorter.contains("."); shorter = shorter.substring(0, shorter.lastIndexOf('.'))) {
            String binary = binaryName(shorter);
            if (Classes.ALL.contain(binary)) {
                return Classes.ALL.get(binary);
            }
        }
        return null;
    }

    /** The name with a dollar before each nested class. */
    private static String binaryName(String name) {
        Matcher top = TOP_LEVEL.matcher(name);
        return top.find()
                ? name.substring(0, top.end()) + name.substring(top.end()).replace('.', '$')
                : name;
    }

    private static Map<String, Path> mainFiles() {
        Map<String, Path> found = new ConcurrentHashMap<>();
        for (Path file : files(PROJECT)) {
            String path = file.toString().replace('\\', '/');
            int root = path.indexOf("/src/main/java/");
            if (root > 0 && !path.endsWith("-info.java") && !path.contains("/benchmarks/src/")) {
                String name = path.substring(root + "/src/main/java/".length(), path.length() - ".java".length());
                found.put(name.replace('/', '.'), file);
            }
        }
        return found;
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().flatMap(Sources::filesOf).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> filesOf(Path entry) {
        String name = entry.getFileName().toString();
        if (Files.isDirectory(entry)) {
            return name.equals("target") || name.startsWith(".") ? Stream.empty() : files(entry).stream();
        }
        return name.endsWith(".java") ? Stream.of(entry) : Stream.empty();
    }

    /** Imported when first needed. */
    private static final class Classes {
        private static final JavaClasses ALL = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.peregrine");

        private Classes() {}
    }
}
