package io.peregrine.cli;

import java.util.Locale;
import java.util.function.IntFunction;

/**
 * Texts from cameras and files as a terminal may see them. What would move its cursor, change its state, begin a line
 * or turn the order of characters round is replaced.
 */
final class TerminalText {
    private static final String REPLACEMENT = "\uFFFD";

    private TerminalText() {}

    /** One line: line ends and tabs are replaced, too. */
    static String line(String text) {
        return replaced(text, false, c -> REPLACEMENT);
    }

    /** Several lines: line ends and tabs stay. */
    static String lines(String text) {
        return replaced(text.replace("\r\n", "\n"), true, c -> REPLACEMENT);
    }

    /** JSON that means the same; only in its strings can there be something to replace. */
    static String json(String json) {
        return replaced(json.replace("\r\n", "\n"), true, c -> String.format(Locale.ROOT, "\\u%04X", c));
    }

    private static String replaced(String text, boolean manyLines, IntFunction<String> replacement) {
        StringBuilder clean = null;
        int done = 0;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            int next = i + Character.charCount(c);
            if (hostile(c) && !(manyLines && (c == '\n' || c == '\t'))) {
                clean = clean == null ? new StringBuilder(text.length()) : clean;
                clean.append(text, done, i).append(replacement.apply(c));
                done = next;
            }
            i = next;
        }
        return clean == null ? text : clean.append(text, done, text.length()).toString();
    }

    /** Control characters, separators of lines and paragraphs, bidirectional controls, half surrogate pairs. */
    private static boolean hostile(int c) {
        return Character.isISOControl(c)
                || c == 0x061C
                || c == 0x200E
                || c == 0x200F
                || (c >= 0x2028 && c <= 0x202E)
                || (c >= 0x2066 && c <= 0x2069)
                || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }
}
