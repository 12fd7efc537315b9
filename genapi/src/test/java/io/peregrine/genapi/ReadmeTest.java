package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeTest {
    @Test
    void theExampleIsTheOneThatIsCompiled() throws IOException {
        String readme = between(Files.readString(Path.of("README.md")), "```java", "```");
        String source = between(
                Files.readString(Path.of("src/test/java/io/peregrine/genapi/ReadmeExample.java")),
                "// begin",
                "// end");
        assertEquals(readme, source);
    }

    /** Without regard to blanks, which the formatter of the sources decides on. */
    private static String between(String text, String begin, String end) {
        int first = text.indexOf(begin) + begin.length();
        return text.substring(first, text.indexOf(end, first))
                .replaceAll("\\s+", " ")
                .strip();
    }
}
