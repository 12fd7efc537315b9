package io.peregrine.cli;

import java.nio.charset.Charset;
import java.util.List;

/** The encoding of what is printed: that of the terminal, which is not always that of files. */
final class OutputCharset {
    private OutputCharset() {}

    static Charset get() {
        for (String property : List.of("stdout.encoding", "sun.stdout.encoding", "native.encoding")) {
            String name = System.getProperty(property, "");
            if (!name.isEmpty() && Charset.isSupported(name)) {
                return Charset.forName(name);
            }
        }
        return Charset.defaultCharset();
    }

    /** Whether it has all characters of a text. */
    static boolean encodes(String text) {
        return get().newEncoder().canEncode(text);
    }
}
