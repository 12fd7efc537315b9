package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.peregrine.testing.Needs;
import io.peregrine.testing.TestData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Real device descriptions of the optional test data. */
final class Corpus {
    private static Map<String, byte[]> unpacked = Map.of();

    private Corpus() {}

    private static Path file(String name) {
        return TestData.file("genicam-xml/" + name);
    }

    /** All descriptions by file name; unpacked once. */
    static synchronized Map<String, byte[]> descriptions() {
        if (unpacked.isEmpty()) {
            Path archive = file("corpus.tar.xz");
            try {
                unpacked = unpack(archive);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while " + archive + " was unpacked", e);
            }
            assertFalse(unpacked.isEmpty(), archive + " holds descriptions");
        }
        return unpacked;
    }

    private static Map<String, byte[]> unpack(Path archive) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("descriptions");
        try {
            Process tar = new ProcessBuilder("tar", "-xJf", archive.toString(), "-C", folder.toString())
                    .redirectErrorStream(true)
                    .start();
            tar.getInputStream().readAllBytes();
            Needs.that(tar.waitFor() == 0, "tar with xz");
            Map<String, byte[]> files = new TreeMap<>();
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path file : (Iterable<Path>) all::iterator) {
                    if (file.toString().endsWith(".xml")) {
                        files.put(file.getFileName().toString(), Files.readAllBytes(file));
                    }
                }
            }
            return files;
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Rows of a table, each a list of cells; cells can be quoted and can then hold line ends. */
    static List<List<String>> table(String name) {
        String text;
        try {
            text = Files.readString(file(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted) {
                if (c != '"') {
                    cell.append(c);
                } else if (i + 1 < text.length() && text.charAt(i + 1) == '"') {
                    cell.append(c);
                    i++;
                } else {
                    quoted = false;
                }
            } else if (c == '"') {
                quoted = true;
            } else if (c == ',' || c == '\n') {
                row.add(cell.toString());
                cell.setLength(0);
                if (c == '\n') {
                    rows.add(row);
                    row = new ArrayList<>();
                }
            } else if (c != '\r') {
                cell.append(c);
            }
        }
        return rows;
    }
}
