package io.peregrine.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The types in the comments of the page's scripts, checked by the TypeScript compiler of the system. */
@Timeout(120)
class PageTypesTest {
    private static final Path PROJECT = Path.of("tsconfig.json");

    @TempDir
    Path folder;

    /** What the compiler complains of. */
    private String check(Path project) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(compiler().toString(), "--pretty", "false", "-p", project.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int status = process.waitFor();
        String text = Files.readString(output);
        assertEquals(text.isEmpty(), status == 0, text);
        return text;
    }

    private static Path compiler() {
        return Needs.program("the types of the page; Debian has it as node-typescript", "tsc");
    }

    @Test
    void allTypesOfThePageAreRight() throws Exception {
        assertEquals("", check(PROJECT));
    }

    @Test
    void aWrongNameOfAPropertyIsFound() throws Exception {
        Path app = Path.of("src", "main", "resources", "META-INF", "web", "app").toAbsolutePath();
        Files.writeString(
                folder.resolve("wrong.js"),
                "/** @param {import('" + app + "/types').Camera} camera */\n"
                        + "export const name = (camera) => camera.nam;\n",
                StandardCharsets.UTF_8);
        Files.writeString(
                folder.resolve("tsconfig.json"),
                "{\"extends\": \"" + PROJECT.toAbsolutePath() + "\", \"include\": [\"wrong.js\"]}");
        assertTrue(check(folder.resolve("tsconfig.json")).contains("'nam' does not exist"));
    }
}
