package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * How many classes of a package know each other in a circle. Such a knot can only be understood, tested and changed as
 * a whole, so it has to be small.
 */
@AnalyzeClasses(
        packages = "io.peregrine",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.WithoutTestSupport.class})
class ClassKnotsTest {
    private static final int MAX_CLASSES = 8;

    /** Packages whose largest knot has more classes. A package without such a knot does not belong here. */
    private static final Map<String, Knot> EXCEPTIONS = Map.of();

    /**
     * A knot that is too large.
     *
     * @param classes number of its classes, at most
     * @param reason why it is there
     */
    private record Knot(int classes, String reason) {}

    @ArchTest
    static void knotsOfClassesAreSmall(JavaClasses imported) {
        Map<String, List<Set<String>>> large = new TreeMap<>();
        for (Set<String> knot : knots(imported)) {
            String packageName = packageOf(knot.iterator().next());
            Knot exception = EXCEPTIONS.get(packageName);
            if (knot.size() > (exception == null ? MAX_CLASSES : exception.classes())) {
                large.computeIfAbsent(packageName, name -> new ArrayList<>()).add(knot);
            }
        }
        assertTrue(large.isEmpty(), () -> "knots of more than " + MAX_CLASSES + " classes: " + large);
    }

    @ArchTest
    static void everyExceptionIsNeeded(JavaClasses imported) {
        Map<String, Integer> largest = new TreeMap<>();
        for (Set<String> knot : knots(imported)) {
            largest.merge(packageOf(knot.iterator().next()), knot.size(), Math::max);
        }
        assertAll(EXCEPTIONS.entrySet().stream()
                .map(exception -> () -> assertTrue(
                        largest.getOrDefault(exception.getKey(), 0) > MAX_CLASSES,
                        () -> exception.getKey() + ", " + exception.getValue().reason())));
    }

    @ArchTest
    static void aKnotIsFoundAcrossTheMembersOfAFamily(JavaClasses imported) {
        Map<String, Set<String>> graph = Map.of(
                "p.A", Set.of("p.B"),
                "p.B", Set.of("p.C", "p.D"),
                "p.C", Set.of("p.A"),
                "p.D", Set.of("p.D"));
        assertEquals(Set.of(Set.of("p.A", "p.B", "p.C"), Set.of("p.D")), Set.copyOf(new Components(graph).found()));
    }

    /** Knots among the top-level classes of each package. The members of a sealed family count as one. */
    private static List<Set<String>> knots(JavaClasses imported) {
        Map<String, String> family = new HashMap<>();
        Map<String, Set<String>> graph = new TreeMap<>();
        for (JavaClass type : imported) {
            sealedMembers(type).forEach(member -> family.put(member, type.getFullName()));
            String from = topLevel(type);
            Set<String> targets = graph.computeIfAbsent(from, name -> new TreeSet<>());
            Stream.concat(
                            type.getDirectDependenciesFromSelf().stream()
                                    .map(dependency ->
                                            dependency.getTargetClass().getBaseComponentType()),
                            Sources.named(type).stream())
                    .filter(target -> target.getPackageName().equals(type.getPackageName()))
                    .map(ClassKnotsTest::topLevel)
                    .filter(target -> !target.equals(from))
                    .forEach(targets::add);
        }
        List<Set<String>> knots = new ArrayList<>();
        for (Set<String> component : new Components(graph).found()) {
            Set<String> knot = new TreeSet<>();
            component.forEach(member -> knot.add(root(member, family)));
            knots.add(knot);
        }
        return knots;
    }

    private static Stream<String> sealedMembers(JavaClass type) {
        if (type.getEnclosingClass().isPresent()) {
            return Stream.empty();
        }
        try {
            Class<?> loaded = Class.forName(type.getFullName(), false, ClassKnotsTest.class.getClassLoader());
            return loaded.isSealed()
                    ? Arrays.stream(loaded.getPermittedSubclasses())
                            .filter(member -> member.getEnclosingClass() == null)
                            .map(Class::getName)
                    : Stream.empty();
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static String topLevel(JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer.getFullName();
    }

    /** The outermost sealed class that a class belongs to. */
    private static String root(String name, Map<String, String> family) {
        String root = name;
        while (family.containsKey(root)) {
            root = family.get(root);
        }
        return root;
    }

    private static String packageOf(String className) {
        return className.substring(0, className.lastIndexOf('.'));
    }

    /** The strongly connected components of a graph, by Tarjan's algorithm. */
    private static final class Components {
        private final Map<String, Set<String>> graph;
        private final Map<String, Integer> index = new HashMap<>();
        private final Map<String, Integer> low = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final List<Set<String>> found = new ArrayList<>();

        Components(Map<String, Set<String>> graph) {
            this.graph = graph;
            graph.keySet().stream()
                    .sorted()
                    .filter(node -> !index.containsKey(node))
                    .forEach(this::visit);
        }

        List<Set<String>> found() {
            return found;
        }

        private void visit(String node) {
            index.put(node, index.size());
            low.put(node, index.get(node));
            open.push(node);
            for (String next : graph.getOrDefault(node, Set.of())) {
                if (!index.containsKey(next)) {
                    visit(next);
                    low.merge(node, low.get(next), Math::min);
                } else if (open.contains(next)) {
                    low.merge(node, index.get(next), Math::min);
                }
            }
            if (low.get(node).equals(index.get(node))) {
                Set<String> component = new TreeSet<>();
                String member;
                do {
                    member = open.pop();
                    component.add(member);
                } while (!member.equals(node));
                found.add(component);
            }
        }
    }
}
