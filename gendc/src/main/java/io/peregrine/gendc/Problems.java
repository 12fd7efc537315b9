package io.peregrine.gendc;

import io.peregrine.gendc.GenDcProblem.Severity;
import io.peregrine.pfnc.PixelFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Collects problems. Only the first of each severity are kept: bytes made to be wrong everywhere would take many times
 * their own size otherwise. Texts are only written for those.
 */
final class Problems {
    static final int MAX_OF_A_SEVERITY = 100;

    private static final Severity[] SEVERITIES = Severity.values();

    private final List<GenDcProblem> kept = new ArrayList<>();
    private final List<GenDcProblem> readOnly = Collections.unmodifiableList(kept);
    private final int[] counts = new int[SEVERITIES.length];

    void clear() {
        kept.clear();
        Arrays.fill(counts, 0);
    }

    /**
     * Notes a problem.
     *
     * @param text with {@code {}} for a signed number, {@code {u}} unsigned, {@code {x}} 16 bits in hexadecimal,
     *     {@code {l}} 64 bits in hexadecimal, {@code {f}} a pixel format, in the order of the numbers
     */
    void note(Severity severity, int component, int part, String text, long... numbers) {
        int count = ++counts[severity.ordinal()];
        if (count <= MAX_OF_A_SEVERITY) {
            kept.add(new GenDcProblem(severity, component, part, fill(text, numbers)));
        }
    }

    /** Notes deviations from the standard, but readable. */
    void warn(int component, int part, String text, long... numbers) {
        note(Severity.WARNING, component, part, text, numbers);
    }

    /** Rejects a part, and notes why. */
    void reject(int component, int part, GenDcPart rejected, String text, long... numbers) {
        rejected.reject();
        note(Severity.PART_REJECTED, component, part, text, numbers);
    }

    /** Says how many are not listed. To be called once, at the end. */
    void close() {
        for (Severity severity : SEVERITIES) {
            int more = counts[severity.ordinal()] - MAX_OF_A_SEVERITY;
            if (more > 0) {
                kept.add(new GenDcProblem(severity, -1, -1, "and " + more + " more that are not listed"));
            }
        }
    }

    int count(Severity severity) {
        return counts[severity.ordinal()];
    }

    List<GenDcProblem> list() {
        return readOnly;
    }

    private static String fill(String text, long... numbers) {
        if (numbers.length == 0) {
            return text;
        }
        StringBuilder filled = new StringBuilder(text.length() + 16 * numbers.length);
        int next = 0;
        int from = 0;
        for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', from)) {
            int close = text.indexOf('}', open);
            filled.append(text, from, open).append(write(text.substring(open + 1, close), numbers[next++]));
            from = close + 1;
        }
        return filled.append(text, from, text.length()).toString();
    }

    private static String write(String how, long number) {
        return switch (how) {
            case "" -> Long.toString(number);
            case "u" -> Long.toUnsignedString(number);
            case "x" -> Hex.of16((int) number);
            case "l" -> "0x" + Long.toHexString(number);
            case "f" -> PixelFormat.of((int) number).name();
            default -> throw new IllegalArgumentException("{" + how + "}");
        };
    }
}
