package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The limits of what one file and one line may hold. */
class SourceSizeTest {
    private static final int MAX_LINES = 600;
    private static final int MAX_COLUMNS = 120;

    /** Classes that are longer, and why. */
    private static final Map<String, String> LONG_CLASSES =
            Map.of("io.peregrine.pfnc.PfncCodes", "nothing but the published list, one constant for each format");

    @Test
    void noMainClassIsLongerThanTheLimitWithoutAReason() {
        Map<String, Long> tooLong = new TreeMap<>();
        longClasses().forEach(name -> {
            if (!LONG_CLASSES.containsKey(name)) {
                tooLong.put(name, Sources.lines(Sources.main().get(name)));
            }
        });
        assertEquals(Map.of(), tooLong, "more than " + MAX_LINES + " lines");
    }

    @Test
    void everyReasonForALongClassIsNeeded() {
        Set<String> needless = new TreeSet<>(LONG_CLASSES.keySet());
        needless.removeAll(longClasses());
        assertEquals(Set.of(), needless);
    }

    @Test
    void noLineIsWiderThanTheFormat() {
        List<String> tooWide =
                Sources.all().stream().flatMap(SourceSizeTest::wideLines).toList();
        assertEquals(List.of(), tooWide, "more than " + MAX_COLUMNS + " columns");
    }

    private static Set<String> longClasses() {
        return Sources.main().entrySet().stream()
                .filter(source -> Sources.lines(source.getValue()) > MAX_LINES)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static Stream<String> wideLines(Path file) {
        List<String> lines = Sources.text(file).lines().toList();
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).length() > MAX_COLUMNS)
                .mapToObj(i -> file + ":" + (i + 1));
    }
}
