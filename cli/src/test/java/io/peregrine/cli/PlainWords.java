package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.regex.Pattern;

/** What no user is to read: stack traces, and names of classes of Java or of a library. */
final class PlainWords {
    private static final Pattern CLASS = Pattern.compile(
            "\\b(java|javax|jdk|sun|com|org|io|picocli)(\\.\\w+)*\\.[A-Z]\\w+"
                    + "|\\b[A-Z]\\w*(Exception|Error)\\b|StreamReadFeature|^\\s+at \\w+[.\\w$]+\\(|Exception in thread",
            Pattern.MULTILINE);

    private PlainWords() {}

    static void check(String said) {
        assertFalse(CLASS.matcher(said).find(), said);
    }
}
