package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.samples.LightingController;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All features of a camera as the library and Aravis read them, one after the other from the same camera: which there
 * are, of which kind, what may be done with them, values, units, ranges, and what selectors select.
 */
@EnabledIfPeers({"arv-tool-0.8", "arv-fake-gv-camera-0.8"})
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class FeatureAgreementTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ADDRESS = "127.0.0.1";

    /** Values that differ by themselves, with the reason. */
    private static final Map<String, String> CHANGING =
            Map.of("GevPrimaryApplicationSocket", "the port of whoever asks, each time another");

    /** Aravis prints six digits. */
    private static final double TOLERANCE = 1e-5;

    private static final Pattern FEATURE = Pattern.compile("\\s+(\\w+)\\s*: \\[(..)] '([^']+)'(?: = (.*))?");
    private static final Pattern SELECTED = Pattern.compile("\\s+\\* (\\w+)");
    private static final Pattern LIMIT_TEXT = Pattern.compile(" (min|max|inc):(\\S+)");

    /** A feature as one of both sees it; empty text for what it does not say. */
    private record Seen(
            String kind, String access, String value, String unit, Map<String, String> limits, Set<String> selected) {}

    @Test
    void featuresOfTheFakeCameraAgree() {
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback()) {
            CameraProcess.aravis(namespace, ADDRESS, "GV01");
            int features = assertAgreement(namespace, 10);
            assertTrue(features > 20, () -> features + " features");
        }
    }

    @Test
    void featuresOfTheVirtualCameraAgree() {
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback()) {
            CameraProcess.virtual(namespace, ADDRESS);
            int features = assertAgreement(namespace, 10);
            assertTrue(features > 120, () -> features + " features");
        }
    }

    @Test
    void featuresOfADeviceOfOnesOwnAgree() {
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback()) {
            ChildProcess controller = namespace.startJava(LightingController.class, ADDRESS);
            controller.awaitLine("address of the device", LIMIT, line -> line.contains(ADDRESS + ":"));
            String set = namespace.run(
                    LIMIT,
                    "arv-tool-0.8",
                    "-a",
                    ADDRESS,
                    "control",
                    "LightControllerSelector=Right",
                    "LightBrightness=30",
                    "LightEnable=true",
                    "LightPower",
                    "LightStrobe");
            assertTrue(set.contains("LightPower = 6 W"), set);
            controller.awaitLine("flash", LIMIT, "flash 0.0 30.0"::equals);
            int features = assertAgreement(namespace, 1);
            assertEquals(30, features);
        }
    }

    /** Compares, and gives the number of features. */
    private static int assertAgreement(NetworkNamespace namespace, int leastLimits) {
        Map<String, Seen> all = arvTool(namespace.run(LIMIT, "arv-tool-0.8", "-a", ADDRESS, "features"));
        Map<String, Seen> available = arvTool(namespace.run(LIMIT, "arv-tool-0.8", "-a", ADDRESS, "values"));
        Map<String, Map<String, String>> limits = limits(namespace, available, leastLimits);
        Map<String, Seen> own = own(namespace.runJava(LIMIT, ReadFeaturesMain.class, ADDRESS));

        assertEquals(new TreeSet<>(all.keySet()), new TreeSet<>(own.keySet()));
        List<Runnable> checks = new ArrayList<>();
        all.forEach((name, theirs) -> {
            checks.add(() -> assertEquals(theirs.kind, own.get(name).kind, name));
            if (!available.containsKey(name)) {
                // A port of events has no memory before its first event.
                String access = name.startsWith("Event") ? "NI" : "NA";
                checks.add(
                        () -> assertEquals(access, own.get(name).access, name + ", which Aravis cannot read either"));
            }
        });
        available.forEach((name, theirs) -> {
            Seen ours = own.get(name);
            checks.add(() -> assertEquals(theirs.access, ours.access, "access of " + name));
            checks.add(() -> assertEquals(theirs.selected, ours.selected, "selected by " + name));
            if (ours.access.equals("WO")) {
                return; // Aravis reads what can only be written.
            }
            if (!theirs.value.isEmpty() && !CHANGING.containsKey(name)) {
                checks.add(() -> assertSame("value of " + name, theirs.value, ours.value));
                checks.add(() -> assertEquals(theirs.unit, ours.unit, "unit of " + name));
            }
            limits.getOrDefault(name, Map.of())
                    .forEach((limit, value) ->
                            checks.add(() -> assertSame(limit + " of " + name, value, ours.limits.get(limit))));
        });
        assertAll(checks.stream().map(check -> check::run));
        return all.size();
    }

    private static void assertSame(String what, String theirs, String ours) {
        if (theirs.equals(ours)) {
            return;
        }
        double expected;
        double actual;
        try {
            expected = Double.parseDouble(theirs);
            actual = Double.parseDouble(ours);
        } catch (NumberFormatException e) {
            throw new AssertionError(what + ": Aravis reads " + theirs + ", we " + ours, e);
        }
        boolean bothWhole = theirs.matches("-?\\d+") && ours.matches("-?\\d+");
        assertTrue(
                !bothWhole && Math.abs(expected - actual) <= TOLERANCE * Math.abs(expected),
                () -> what + ": Aravis reads " + theirs + ", we " + ours);
    }

    private static Map<String, Seen> arvTool(String output) {
        Map<String, Seen> features = new LinkedHashMap<>();
        Seen last = null;
        for (String line : output.lines().toList()) {
            Matcher feature = FEATURE.matcher(line);
            Matcher selected = SELECTED.matcher(line);
            if (feature.matches()) {
                String text = feature.group(4) == null ? "" : feature.group(4);
                boolean quoted = text.startsWith("'");
                int space = quoted ? -1 : text.indexOf(' ');
                last = new Seen(
                        feature.group(1),
                        feature.group(2),
                        space < 0 ? text : text.substring(0, space),
                        space < 0 ? "" : text.substring(space + 1),
                        Map.of(),
                        new TreeSet<>());
                features.put(feature.group(3), last);
            } else if (selected.matches()) {
                last.selected.add(selected.group(1));
            }
        }
        return features;
    }

    /** What {@code arv-tool control} prints besides: {@code Width = 640 px min:16 max:1280 inc:2}. */
    private static Map<String, Map<String, String>> limits(
            NetworkNamespace namespace, Map<String, Seen> available, int least) {
        List<String> command = new ArrayList<>(List.of("arv-tool-0.8", "-a", ADDRESS, "control"));
        available.forEach((name, seen) -> {
            // It would execute commands.
            if (!seen.kind.equals("Command") && !seen.kind.equals("Register")) {
                command.add(name);
            }
        });
        Map<String, Map<String, String>> limits = new LinkedHashMap<>();
        int numbers = 0;
        for (String line : namespace.run(LIMIT, command).lines().toList()) {
            int end = line.indexOf(" = ");
            if (end > 0) {
                Map<String, String> found = new LinkedHashMap<>();
                Matcher limit = LIMIT_TEXT.matcher(line);
                while (limit.find()) {
                    found.put(limit.group(1), limit.group(2));
                    numbers++;
                }
                limits.put(line.substring(0, end), found);
            }
        }
        int seen = numbers;
        assertTrue(seen > least, () -> "only " + seen + " limits");
        return limits;
    }

    private static Map<String, Seen> own(String output) {
        Map<String, Seen> features = new LinkedHashMap<>();
        for (String line : output.lines().toList()) {
            String[] cells = line.split("\t", -1);
            if (!cells[0].equals("feature")) {
                throw new AssertionError("unexpected: " + line);
            }
            features.put(
                    cells[1],
                    new Seen(
                            cells[2],
                            cells[3],
                            cells[4],
                            cells[5],
                            Map.of("min", cells[6], "max", cells[7], "inc", cells[8]),
                            cells[9].isEmpty() ? Set.of() : new TreeSet<>(List.of(cells[9].split(" ", -1)))));
        }
        return features;
    }
}
