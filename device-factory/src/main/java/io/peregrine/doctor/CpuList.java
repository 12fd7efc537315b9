package io.peregrine.doctor;

import java.util.BitSet;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of processors as the kernel writes them, for example {@code 0-3,8} (kernel documentation, cputopology). */
final class CpuList {
    /** The most that a kernel is built for. */
    private static final int MOST = 8192;

    private static final Pattern RANGE = Pattern.compile("(\\d{1,4})(?:-(\\d{1,4}))?");

    private CpuList() {}

    /** The processors in a list; empty when it is none, or has none. */
    static Optional<BitSet> parse(String text) {
        BitSet cpus = new BitSet();
        for (String part : text.strip().split(",", -1)) {
            Matcher range = RANGE.matcher(part);
            if (!range.matches()) {
                return Optional.empty();
            }
            int first = Integer.parseInt(range.group(1));
            int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            if (last < first || last >= MOST) {
                return Optional.empty();
            }
            cpus.set(first, last + 1);
        }
        return Optional.of(cpus);
    }

    /** The list of processors. */
    static String text(BitSet cpus) {
        StringJoiner list = new StringJoiner(",");
        for (int first = cpus.nextSetBit(0); first >= 0; ) {
            int last = cpus.nextClearBit(first) - 1;
            list.add(first == last ? Integer.toString(first) : first + "-" + last);
            first = cpus.nextSetBit(last + 1);
        }
        return list.toString();
    }
}
