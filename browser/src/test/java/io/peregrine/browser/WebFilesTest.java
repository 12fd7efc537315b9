package io.peregrine.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files of the page are shipped as they are written: nothing is built, and nothing is loaded from elsewhere. */
class WebFilesTest {
    private static final Path WEB = Path.of("src", "main", "resources", "META-INF", "web");
    private static final Pattern IMPORT = Pattern.compile("(?:from|import)\\s*\\(?'([^']+)'");
    private static final Pattern ELSEWHERE = Pattern.compile("(?:src|href|url\\()=?[\"']?(?:https?:)?//");

    private static List<Path> files(String folder, String end) {
        try (Stream<Path> files = Files.walk(WEB.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(end)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyImportNamesAFileOfThePage() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Path file : files("app", ".js")) {
            Matcher imports = IMPORT.matcher(Files.readString(file).replaceAll("(?s)/\\*.*?\\*/", ""));
            while (imports.find()) {
                if (!Files.isRegularFile(file.resolveSibling(imports.group(1)))) {
                    missing.add(file.getFileName() + " imports " + imports.group(1));
                }
            }
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void nothingIsLoadedFromAnotherServer() throws IOException {
        List<Path> loading = new ArrayList<>();
        for (Path file : files(".", "")) {
            if (Files.isRegularFile(file)
                    && !file.toString().endsWith(".svg")
                    && ELSEWHERE.matcher(Files.readString(file)).find()) {
                loading.add(file);
            }
        }
        assertEquals(List.of(), loading);
    }

    @Test
    void litIsTheOneThatTheNoticeNames() throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(WEB.resolve("lib/lit.js")));
        assertEquals(
                "f78fa880b0a0194d93383fa7e67579dd3b0c66c9666f031458b18f86af5ee4f3",
                HexFormat.of().formatHex(hash),
                "lib/lit.js is not Lit 3.3.3 as NOTICE says it is made");
    }
}
