package io.peregrine.genapi;

import io.peregrine.testing.Needs;
import io.peregrine.testing.TestData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Real device descriptions of the optional test data. */
final class Corpus {
    private Corpus() {}

    private static Path file(String name) {
        return TestData.file("genicam-xml/" + name);
    }

    /** All descriptions, unpacked into a folder. */
    static List<Path> files(Path folder) throws IOException, InterruptedException {
        Process tar = new ProcessBuilder("tar", "-xJf", file("corpus.tar.xz").toString(), "-C", folder.toString())
                .redirectErrorStream(true)
                .start();
        tar.getInputStream().readAllBytes();
        Needs.that(tar.waitFor() == 0, "tar with xz");
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".xml")).sorted().toList();
        }
    }

    /** Rows of a table, each a list of cells; cells can be quoted and can then hold line ends. */
    static List<List<String>> table(String name) throws IOException {
        String text = Files.readString(file(name));
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
