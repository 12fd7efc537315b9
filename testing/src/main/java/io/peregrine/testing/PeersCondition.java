package io.peregrine.testing;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides for {@link EnabledIfPeers}. */
final class PeersCondition implements ExecutionCondition {
    private static final Map<String, String> DEBIAN_PACKAGES = Map.of(
            "ip", "iproute2",
            "arv-tool-0.8", "aravis-tools-cli",
            "arv-camera-test-0.8", "aravis-tools",
            "arv-fake-gv-camera-0.8", "aravis-tools",
            "arv-test-0.8", "aravis-tools",
            "tshark", "tshark");

    private static Optional<String> namespaceObstacle;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), EnabledIfPeers.class)
                .flatMap(peers -> obstacle(List.of(peers.value())))
                .map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("namespaces and programs are there"));
    }

    private static Optional<String> obstacle(List<String> programs) {
        if (!System.getProperty("os.name").equals("Linux")) {
            return Optional.of("needs Linux, for network namespaces");
        }
        List<String> needed = new ArrayList<>(List.of("ip"));
        needed.addAll(programs);
        List<String> missing = needed.stream().filter(name -> !installed(name)).toList();
        if (!missing.isEmpty()) {
            TreeSet<String> packages = new TreeSet<>();
            missing.forEach(name -> packages.add(DEBIAN_PACKAGES.getOrDefault(name, name)));
            return Optional.of("needs " + String.join(", ", missing) + ": apt-get install -y --no-install-recommends "
                    + String.join(" ", packages));
        }
        return namespacesObstacle();
    }

    private static boolean installed(String program) {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            if (Files.isExecutable(Path.of(directory, program))) {
                return true;
            }
        }
        return false;
    }

    /** Tries once; the answer holds for the run. */
    private static synchronized Optional<String> namespacesObstacle() {
        if (namespaceObstacle == null) {
            namespaceObstacle = tryNamespace();
        }
        return namespaceObstacle;
    }

    private static Optional<String> tryNamespace() {
        if (!System.getProperty("user.name").equals("root")) {
            return Optional.of("needs root, to make network namespaces");
        }
        try {
            NetworkNamespace.withLoopback().close();
            return Optional.empty();
        } catch (AssertionError e) {
            return Optional.of("needs network namespaces: " + e.getMessage());
        }
    }
}
