package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users read uses the words of the field: pages, Javadoc, and texts in programs. */
class WordsTest {
    private static final Path ROOT = Path.of("..");

    /** What to avoid, and what to write instead. */
    private static final Map<Pattern, String> AVOIDED = avoided();

    private static Map<Pattern, String> avoided() {
        Map<Pattern, String> avoided = new LinkedHashMap<>();
        String[][] words = {
            {
                "tells|(does|do|did|can|will) not tell|tell(s|ing)? (of|how|which|whether|what|where)",
                "reports, says, shows"
            },
            {
                "(is|are|was|were|be|been|gets|being) (also |not |then |never )?told(?! apart)",
                "is notified, is reported, unknown"
            },
            {"for want of", "for lack of"},
            {"for ever", "indefinitely"},
            {"anew", "again"},
            {"(cannot|can't|could not|can not) be had", "unavailable"},
            {"hardware address(es)?", "MAC address"},
            {"what (came|comes|became|becomes) of", "the outcome, the result"},
            {"lately", "recently"},
            {"of (its|his|their|one's) own", "its own ..., separate, custom"},
            {"gravest", "most severe"},
            {"(made|makes|make) no sense", "malformed, invalid"},
            {"lost on the way", "lost in the network"},
            {"mend(s|ed|ing)?", "fix"},
            {"nobody|whoever", "no one, the caller, any host: name it"},
            {"so many", "that many"},
            {
                "(was|were|is|are|been|being) (left out|kept out|let in)|(leaves?|leaving) out|keeps? out|lets? in",
                "shed, dropped, filtered, admitted"
            },
            {"(goes|go|went|comes|come|came|arrives?|travels?) by (gvsp|rdma|udp)", "uses GVSP, over RDMA"},
            {"told to (end|stop)", "asked to terminate"},
            {"what (a|the|this) (device|camera|host) can(?! \\w)", "what the device supports"},
            {"(camera|cameras') descriptions?|descriptions? of (a|the) cameras?", "GenICam XML, device description"},
            {"stands? at|lies? at", "is at"},
            {"heads? of (a|the|each|every) packets?|packets?' heads?|packet's head", "header"},
            {"(?<!\")(?<!@param\\s)pictures?", "image"},
            {"in vain", "without effect"},
            {"without a word", "silently"},
        };
        for (String[] pair : words) {
            avoided.put(
                    Pattern.compile("\\b(?<!-)(" + pair[0].replace(" ", "\\s+(?:\\*\\s+)?") + ")\\b(?!-)"), pair[1]);
        }
        return avoided;
    }

    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```|^ {4,}\\S.*?$");
    private static final Pattern INLINE = Pattern.compile("`[^`\n]*`");

    /** Javadoc, text blocks, string literals; the rest of Java is skipped, other comments and characters as wholes. */
    private static final Pattern JAVA =
            Pattern.compile("(?s)(?<text>/\\*\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\")"
                    + "|/\\*.*?\\*/|//[^\n]*|'(?:[^'\\\\]|\\\\.)+'");

    private static final Pattern CODE_TAG =
            Pattern.compile("(?s)\\{@(code|link|linkplain|value)\\b[^}]*}|<pre>.*?</pre>");

    private static List<String> complaints(String name, String text) {
        List<String> found = new ArrayList<>();
        String lowerCase = text.toLowerCase(Locale.ROOT);
        AVOIDED.forEach((pattern, instead) -> {
            Matcher matcher = pattern.matcher(lowerCase);
            while (matcher.find()) {
                long line = 1
                        + lowerCase
                                .substring(0, matcher.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count();
                found.add(name + ":" + line + ": \"" + matcher.group().replaceAll("\\s+(\\*\\s+)?", " ")
                        + "\", better: " + instead);
            }
        });
        return found;
    }

    /** The same text with all but what a pattern matches, or all that it matches, made blank; lines stay. */
    private static String blank(String text, Pattern pattern) {
        return pattern.matcher(text).replaceAll(match -> blank(match.group()));
    }

    private static String blank(String text) {
        return text.replaceAll("[^\n]", " ").replace("$", "\\$");
    }

    static String prose(String markdown) {
        return blank(blank(markdown, FENCED), INLINE);
    }

    static String textsOfJava(String source) {
        StringBuilder texts = new StringBuilder(blank(source));
        Matcher matcher = JAVA.matcher(source);
        while (matcher.find()) {
            if (matcher.group("text") != null) {
                MatchResult match = matcher.toMatchResult();
                texts.replace(match.start(), match.end(), match.group());
            }
        }
        return blank(texts.toString(), CODE_TAG);
    }

    private static String complaints(Path file) {
        try {
            String text = Files.readString(file);
            return String.join(
                    "\n",
                    complaints(
                            ROOT.relativize(file).toString(),
                            file.toString().endsWith(".java") ? textsOfJava(text) : prose(text)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String complaints(Stream<Path> files) {
        return files.map(WordsTest::complaints)
                .filter(complaints -> !complaints.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    private static List<Path> files(Path folder, String suffix) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(suffix))
                    .filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .toList();
            assertTrue(!found.isEmpty(), () -> "no files " + suffix + " in " + folder);
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void pagesUseTheWordsOfTheField() {
        assertEquals("", complaints(files(ROOT, ".md").stream()));
    }

    @Test
    void programsUseTheWordsOfTheField() {
        assertEquals(
                "",
                complaints(files(ROOT, ".java").stream()
                        .filter(file -> file.toString().contains("/src/main/java/"))));
    }

    @Test
    void findsWordsAcrossLinesAndInTextsOnly() {
        assertEquals(
                List.of("page:2: \"for want of\", better: for lack of"),
                complaints("page", prose("a\nfor\nwant of `for ever`\n")));
        String source =
                "/** Mends\n * for\n * ever. */ // anew\nint mends = \"it \\\" tells\" + '\"' + 1; /* lately */";
        assertEquals(3, complaints("source", textsOfJava(source)).size());
    }
}
