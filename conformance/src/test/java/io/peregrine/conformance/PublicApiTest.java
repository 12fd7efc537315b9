package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** What users may depend on: the public types of the packages that are exported to everyone. */
class PublicApiTest {
    private static final Path LISTED = Path.of("src", "test", "resources", "public-api.txt");
    private static final String UPDATE = "peregrine.updatePublicApi";
    private static final int MAX_TYPES = 161;

    @Test
    void theApiIsTheListedOne() throws IOException {
        String found = String.join("\n", api()) + "\n";
        if (Boolean.getBoolean(UPDATE)) {
            Files.writeString(LISTED, found);
        }
        assertEquals(
                Files.readString(LISTED),
                found,
                "The public API differs from conformance/" + LISTED + ". If that is meant, update it by: mvn -o test"
                        + " -pl conformance -am -Dtest=PublicApiTest -Dsurefire.failIfNoSpecifiedTests=false -D"
                        + UPDATE + "=true");
    }

    @Test
    void theApiIsSmallEnoughToLearn() throws IOException {
        int types = 0;
        for (String name : exportedPackages()) {
            types += topLevelTypes(name).size();
        }
        int count = types;
        assertTrue(count <= MAX_TYPES, () -> count + " public types, at most " + MAX_TYPES);
    }

    @Test
    void everyExportedPackageSaysWhatMayBeNull() throws IOException, ClassNotFoundException {
        Set<String> unmarked = new TreeSet<>();
        for (String name : exportedPackages()) {
            Class<?> info = Class.forName(name + ".package-info", false, PublicApiTest.class.getClassLoader());
            if (!info.isAnnotationPresent(NullMarked.class)) {
                unmarked.add(name);
            }
        }
        assertEquals(Set.of(), unmarked, "not @NullMarked");
    }

    @Test
    void everyPublicTypeHasJavadoc() throws IOException {
        Set<String> bare = new TreeSet<>();
        for (String name : exportedPackages()) {
            for (Class<?> type : topLevelTypes(name)) {
                // The sources of generated types are elsewhere.
                boolean written = Sources.main().containsKey(type.getName());
                for (Class<?> each : withNested(type)) {
                    if (written && !hasJavadoc(type, each)) {
                        bare.add(each.getName());
                    }
                }
            }
        }
        assertEquals(Set.of(), bare, "without Javadoc");
    }

    @Test
    void whatNeedsTypesThatUsersDoNotSeeIsNotInTheJavadoc() throws IOException {
        Set<String> exported = exportedPackages();
        Set<String> shown = new TreeSet<>();
        for (String name : exported) {
            for (Class<?> type : topLevelTypes(name)) {
                for (Method method : type.getDeclaredMethods()) {
                    boolean usable = Arrays.stream(method.getParameterTypes())
                            .noneMatch(each -> each.getName().startsWith("io.peregrine.")
                                    && !exported.contains(each.getPackageName()));
                    if (listed(method) && !usable && !hidden(type, method)) {
                        shown.add(type.getName() + "." + method.getName());
                    }
                }
            }
        }
        assertEquals(Set.of(), shown, "without @hidden");
    }

    private static boolean hidden(Class<?> topLevel, Method method) {
        String text = Sources.text(Sources.main().get(topLevel.getName()));
        return Pattern.compile("@hidden [^@/]*\\*/\\s+([@/].*\\s+)*public [^;{=]*\\b" + method.getName() + "\\(")
                .matcher(text)
                .find();
    }

    private static boolean hasJavadoc(Class<?> topLevel, Class<?> type) {
        String text = Sources.text(Sources.main().get(topLevel.getName()));
        Pattern declaration = Pattern.compile("\\b(?:class|@?interface|enum|record) " + type.getSimpleName() + "\\b");
        return declaration.matcher(text).results().anyMatch(found -> followsJavadoc(text.substring(0, found.start())));
    }

    /** Whether between the last comment and the end are only modifiers and annotations. */
    private static boolean followsJavadoc(String before) {
        int end = before.lastIndexOf("*/");
        int start = before.lastIndexOf("/*");
        return end > start
                && before.startsWith("/**", start)
                && before.substring(end + 2)
                        .lines()
                        .map(String::strip)
                        .allMatch(line -> line.startsWith("@") || line.matches("[a-z @-]*"));
    }

    /** Packages of the project that are exported to everyone. */
    private static Set<String> exportedPackages() throws IOException {
        Set<String> packages = new TreeSet<>();
        for (URL url : Collections.list(PublicApiTest.class.getClassLoader().getResources("module-info.class"))) {
            try (InputStream in = url.openStream()) {
                ModuleDescriptor module = ModuleDescriptor.read(in);
                if (module.name().startsWith("io.peregrine.") && !module.name().equals("io.peregrine.samples")) {
                    module.exports().stream()
                            .filter(export -> !export.isQualified())
                            .map(ModuleDescriptor.Exports::source)
                            .forEach(packages::add);
                }
            }
        }
        return packages;
    }

    /** The public types of a package, generated ones included, by name. */
    private static List<Class<?>> topLevelTypes(String packageName) {
        return Sources.classes().stream()
                .filter(type -> type.getPackageName().equals(packageName))
                .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getFullName)
                .sorted()
                .<Class<?>>map(PublicApiTest::load)
                .toList();
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, PublicApiTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Class<?>> withNested(Class<?> type) {
        List<Class<?>> types = new ArrayList<>();
        types.add(type);
        Arrays.stream(type.getDeclaredClasses())
                .filter(nested -> visible(nested.getModifiers()))
                .sorted((a, b) -> a.getName().compareTo(b.getName()))
                .forEach(nested -> types.addAll(withNested(nested)));
        return types;
    }

    private static boolean visible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static List<String> api() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String name : exportedPackages()) {
            for (Class<?> top : topLevelTypes(name)) {
                for (Class<?> type : withNested(top)) {
                    lines.add(kind(type) + " " + type.getName().replace('$', '.') + heritage(type));
                    members(type).values().forEach(member -> lines.add("  " + member));
                }
            }
        }
        return lines;
    }

    private static String kind(Class<?> type) {
        if (type.isAnnotation()) {
            return "annotation";
        }
        if (type.isRecord()) {
            return "record";
        }
        if (type.isEnum()) {
            return "enum";
        }
        String kind = type.isInterface() ? "interface" : "class";
        if (type.isSealed()) {
            return "sealed " + kind;
        }
        if (Modifier.isFinal(type.getModifiers())) {
            return "final " + kind;
        }
        return Modifier.isAbstract(type.getModifiers()) && !type.isInterface() ? "abstract " + kind : kind;
    }

    private static String heritage(Class<?> type) {
        List<String> parents = new ArrayList<>();
        Class<?> parent = type.getSuperclass();
        if (parent != null && parent != Object.class && parent != Enum.class && parent != Record.class) {
            parents.add(parent.getTypeName());
        }
        Arrays.stream(type.getInterfaces()).map(Class::getTypeName).sorted().forEach(parents::add);
        return parents.isEmpty() ? "" : " extends " + String.join(", ", parents);
    }

    /** Members by what they are sorted by: constants and fields, constructors, methods. */
    private static Map<String, String> members(Class<?> type) {
        Map<String, String> members = new TreeMap<>();
        for (Field field : type.getDeclaredFields()) {
            if (listed(field)) {
                members.put("1" + field.getName(), (type.isEnum() ? "" : typeName(field)) + field.getName());
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (listed(constructor)) {
                String text = "new(" + parameters(constructor.getGenericParameterTypes()) + ")";
                members.put("2" + text, text);
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (listed(method) && !implied(type, method)) {
                String text = method.getName() + "(" + parameters(method.getGenericParameterTypes()) + ")";
                String prefix = Modifier.isStatic(method.getModifiers()) ? "static " : "";
                members.put("3" + text, prefix + method.getGenericReturnType().getTypeName() + " " + text);
            }
        }
        return members;
    }

    private static boolean listed(Member member) {
        return visible(member.getModifiers()) && !member.isSynthetic();
    }

    /** What every object, enum or comparable has. */
    private static boolean implied(Class<?> type, Method method) {
        String name = method.getName();
        return Set.of("equals", "hashCode", "toString").contains(name)
                || (type.isEnum() && Set.of("values", "valueOf").contains(name));
    }

    private static String typeName(Field field) {
        return (Modifier.isStatic(field.getModifiers()) ? "static " : "")
                + field.getGenericType().getTypeName() + " ";
    }

    private static String parameters(java.lang.reflect.Type... types) {
        return Stream.of(types).map(java.lang.reflect.Type::getTypeName).collect(Collectors.joining(", "));
    }
}
