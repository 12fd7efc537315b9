package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@link PublishedFramesMain} and {@code peregrine publish} have said at their end. */
final class PublishedFramesReport {
    private PublishedFramesReport() {}

    /** The last line of a consumer that lost nothing. */
    static String allOf(String frames) {
        return "whole " + frames
                + ", bad bytes 0, incomplete 0, gaps 0, no flow set 0, missing 0, lost 0, joins 0, malformed 0";
    }

    /** The last line of a consumer; all that it said when it is not there. */
    static String result(String output) {
        return output.lines()
                .filter(line -> line.startsWith("whole "))
                .findFirst()
                .orElse(output);
    }

    /** A number and what it counts, which stands before it. */
    static long count(String output, String what) {
        Matcher matcher = Pattern.compile(Pattern.quote(what) + " +(\\d+)").matcher(output);
        assertTrue(matcher.find(), output);
        return Long.parseLong(matcher.group(1));
    }
}
