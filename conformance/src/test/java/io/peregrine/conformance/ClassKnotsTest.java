package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Classes that all know each other, directly or through others, can only be understood and changed together. */
class ClassKnotsTest {
    private static final int MOST_CLASSES = 8;

    /** Which other classes of its package each class depends on; nested classes count as the class around them. */
    private static Map<String, Set<String>> dependencies(String name) {
        Map<String, Set<String>> dependencies = new HashMap<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(name)) {
            Set<String> targets = dependencies.computeIfAbsent(outer(type), key -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (target.getPackageName().equals(name) && !outer(target).equals(outer(type))) {
                    targets.add(outer(target));
                }
            }
        }
        return dependencies;
    }

    private static String outer(JavaClass type) {
        String name = type.getName().substring(type.getPackageName().length() + 1);
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static Set<String> reached(String start, Map<String, Set<String>> dependencies) {
        Set<String> found = new HashSet<>();
        List<String> open = new ArrayList<>(List.of(start));
        while (!open.isEmpty()) {
            for (String next : dependencies.getOrDefault(open.remove(open.size() - 1), Set.of())) {
                if (found.add(next)) {
                    open.add(next);
                }
            }
        }
        return found;
    }

    /** The largest set of classes of which each reaches each. */
    private static Set<String> largestKnot(Map<String, Set<String>> dependencies) {
        Map<String, Set<String>> reached = new HashMap<>();
        dependencies.keySet().forEach(name -> reached.put(name, reached(name, dependencies)));
        Set<String> largest = Set.of();
        for (String name : dependencies.keySet()) {
            Set<String> knot = new TreeSet<>(reached.get(name));
            knot.removeIf(other -> !reached.getOrDefault(other, Set.of()).contains(name));
            largest = knot.size() > largest.size() ? knot : largest;
        }
        return largest;
    }

    @Test
    void knotsAreFound() {
        assertEquals(
                Set.of("A", "B", "C"),
                largestKnot(Map.of(
                        "A", Set.of("B"), "B", Set.of("C", "D"), "C", Set.of("A"), "D", Set.of("E"), "E", Set.of())));
    }

    @Test
    void genapiHasNoLargeKnot() {
        Map<String, Set<String>> dependencies = dependencies("io.peregrine.genapi");
        assertTrue(dependencies.size() > 50, "classes are seen: " + dependencies.size());
        Set<String> knot = largestKnot(dependencies);
        assertTrue(knot.size() <= MOST_CLASSES, "classes that all depend on each other: " + knot);
    }
}
