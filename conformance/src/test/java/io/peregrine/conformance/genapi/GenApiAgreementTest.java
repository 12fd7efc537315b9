package io.peregrine.conformance.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.Needs;
import io.peregrine.testing.TestData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Peregrine and the reference implementation of GenApi on the XML of real devices, over registers that are zero, one,
 * and hashed from their address: every property of every node, then writes to every feature. The counts are in
 * {@code target/genapi-agreement.txt}, differences that are not permitted in {@code target/genapi-differences.tsv}.
 */
@EnabledIfPeers({"g++", "tar", "xz"})
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class GenApiAgreementTest {
    private static final List<String> CONTENTS = List.of("zero", "one", "hash");

    /** The reference is slow to name properties: those of some nodes are enough. */
    private static final int PROPERTY_STEP = 97;

    private static final double LEAST_PERCENT = 99.99;
    private static final String PERMITTED = "permitted-differences.tsv";

    @TempDir
    private static Path directory;

    private static final Permitted PERMITTED_DIFFERENCES = Permitted.load(PERMITTED);
    private static final Agreement AGREEMENT = new Agreement(PERMITTED_DIFFERENCES);

    @BeforeAll
    static void compare() throws Exception {
        ReferenceGenApi reference = ReferenceGenApi.compile(directory);
        ExecutorService workers = Executors.newFixedThreadPool(2);
        try {
            List<Future<?>> files = new ArrayList<>();
            for (Path file : descriptions()) {
                files.add(workers.submit(() -> {
                    compare(reference, file);
                    return null;
                }));
            }
            for (Future<?> file : files) {
                file.get();
            }
        } finally {
            workers.shutdownNow();
        }
        Path target = Files.createDirectories(Path.of("target"));
        Files.write(target.resolve("genapi-agreement.txt"), AGREEMENT.table());
        Files.write(
                target.resolve("genapi-differences.tsv"),
                AGREEMENT.differences().stream()
                        .map(Difference::toString)
                        .sorted()
                        .toList());
    }

    /** Those that take longest come first, so that both workers end at the same time. */
    private static List<Path> descriptions() throws IOException, InterruptedException {
        Path archive = TestData.file("genicam-xml/corpus.tar.xz");
        Process tar = new ProcessBuilder("tar", "-xJf", archive.toString(), "-C", directory.toString())
                .redirectErrorStream(true)
                .start();
        tar.getInputStream().readAllBytes();
        Needs.that(tar.waitFor() == 0, "tar with xz");
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".xml"))
                    .sorted(Comparator.comparingLong(
                                    (Path file) -> file.toFile().length())
                            .reversed())
                    .toList();
        }
    }

    private static void compare(ReferenceGenApi reference, Path file) throws IOException {
        Peregrine ours = new Peregrine();
        List<String> commands = new ArrayList<>();
        List<Answer> answers = new ArrayList<>();
        obey(ours, "load " + file, commands, answers);
        for (String content : CONTENTS) {
            obey(ours, "port " + content, commands, answers);
            if (content.equals(CONTENTS.get(0))) {
                obey(ours, "properties " + PROPERTY_STEP, commands, answers);
            }
            obey(ours, "dump", commands, answers);
            for (String command : Writes.of(ours.nodes())) {
                obey(ours, command, commands, answers);
            }
        }
        Comparison comparison = new Comparison(file.getFileName().toString(), AGREEMENT);
        int[] next = {0};
        reference.obey(commands, (command, answer) -> comparison.next(command, answers.get(next[0]++), answer));
    }

    private static void obey(Peregrine ours, String command, List<String> commands, List<Answer> answers) {
        commands.add(command);
        answers.add(ours.obey(command));
    }

    /** Goes through the answers of both. */
    private static final class Comparison {
        private final String file;
        private final Agreement agreement;
        private String content = "";
        private boolean refused;

        Comparison(String file, Agreement agreement) {
            this.file = file;
            this.agreement = agreement;
        }

        void next(String command, Answer ours, Answer theirs) {
            String[] words = command.split(" ", 3);
            if (words[0].equals("load")) {
                agreement.compare("file", file, "", "", ours.text(), theirs.text());
                refused = theirs.refused();
            } else if (words[0].equals("port")) {
                content = words[1];
            }
            if (refused) {
                return;
            }
            if (!words[0].equals("set") && (ours.refused() || theirs.refused())) {
                throw new AssertionError(file + " " + command + ": " + ours.text() + ", " + theirs.text());
            }
            if (words[0].equals("dump")) {
                agreement.compareNodes(file, content, ours, theirs);
            } else if (words[0].equals("properties")) {
                agreement.compareProperties(file, ours, theirs);
            } else if (words[0].equals("set")) {
                String what = words[1] + " " + words[2];
                if (ours.refused() == theirs.refused()) {
                    agreement.compare("write.accepted", file, content, what, "same", "same");
                } else {
                    agreement.compare("write.accepted", file, content, what, ours.text(), theirs.text());
                }
                if (!ours.refused() && !theirs.refused()) {
                    agreement.compare("write.bytes", file, content, what, ours.text(), theirs.text());
                }
            }
        }
    }

    @Test
    void everyDifferenceIsPermitted() {
        List<Difference> differences = AGREEMENT.differences();
        assertEquals(
                0,
                differences.size(),
                () -> "differences in target/genapi-differences.tsv:\n"
                        + String.join("\n", AGREEMENT.table())
                        + "\n"
                        + String.join(
                                "\n",
                                differences.stream()
                                        .limit(20)
                                        .map(Difference::toString)
                                        .toList()));
    }

    @Test
    void everyPermittedDifferenceOccurs() {
        assertEquals(List.of(), PERMITTED_DIFFERENCES.unused());
    }

    /** Of values that both give, on all files. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "access",
                "caching",
                "selected",
                "selecting",
                "int.value",
                "int.min",
                "int.max",
                "int.inc",
                "float.value",
                "float.min",
                "float.max",
                "float.inc",
                "bool.value",
                "string.value",
                "enum.int",
                "enum.symbols",
                "done"
            })
    void whatBothGiveAgreesOnEveryContent(String property) {
        for (String content : CONTENTS) {
            assertTrue(AGREEMENT.compared(property, content) > 200, () -> String.join("\n", AGREEMENT.table()));
            double percent = AGREEMENT.percent(property, content);
            assertTrue(percent >= LEAST_PERCENT, () -> property + " on " + content + ": " + percent + " %");
        }
    }

    @Test
    void bothWriteTheSameBytes() {
        for (String content : CONTENTS) {
            assertTrue(AGREEMENT.compared("write.bytes", content) > 3000, () -> String.join("\n", AGREEMENT.table()));
            assertEquals(100.0, AGREEMENT.percent("write.bytes", content), content);
        }
    }
}
