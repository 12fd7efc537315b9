package io.peregrine.genapi.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Finds the names that are meant by a name that does not exist, for messages. */
public final class NearNames {
    private static final int MAX_NAMES = 3;
    /** Longer ones are not compared: the time that it takes grows with the square. */
    private static final int MAX_LENGTH = 100;

    private static final int MIN_PREFIX_LENGTH = 3;

    private NearNames() {}

    /**
     * The known names that are nearest to a wrong one, at most three: those with the fewest letters to add, drop,
     * change or swap, upper and lower case aside; or else those that begin with it.
     *
     * @param wrong the name that does not exist
     * @param known the names that do
     * @return the names in the order in which they are known; empty when none is near
     */
    public static List<String> of(String wrong, Collection<String> known) {
        List<String> nearest = new ArrayList<>();
        if (wrong.isEmpty() || wrong.length() > MAX_LENGTH) {
            return nearest;
        }
        String wanted = wrong.toLowerCase(Locale.ROOT);
        int least = Math.max(1, Math.min(4, wanted.length() / 3));
        for (String name : known) {
            if (Math.abs(name.length() - wanted.length()) <= least) {
                int distance = distance(wanted, name.toLowerCase(Locale.ROOT));
                if (distance < least) {
                    nearest.clear();
                    least = distance;
                }
                if (distance == least) {
                    nearest.add(name);
                }
            }
        }
        if (nearest.isEmpty() && wanted.length() >= MIN_PREFIX_LENGTH) {
            known.stream()
                    .filter(name -> name.toLowerCase(Locale.ROOT).startsWith(wanted))
                    .forEach(nearest::add);
        }
        return nearest.stream().distinct().limit(MAX_NAMES).toList();
    }

    /**
     * Asks for the nearest names, for example {@code Did you mean Width?}, and says so when only upper and lower case
     * differ.
     *
     * @param wrong the name that does not exist
     * @param known the names that do
     * @return whole sentences without a blank in front; empty text when none is near
     */
    public static String question(String wrong, Collection<String> known) {
        List<String> near = of(wrong, known);
        if (near.isEmpty()) {
            return "";
        }
        int last = near.size() - 1;
        String names = last == 0 ? near.get(0) : String.join(", ", near.subList(0, last)) + " or " + near.get(last);
        boolean caseOnly =
                last == 0 && near.get(0).equalsIgnoreCase(wrong) && !near.get(0).equals(wrong);
        return "Did you mean " + names + "?" + (caseOnly ? " Upper and lower case matter." : "");
    }

    /** Number of letters to add, drop or change, or of neighbours to swap. */
    private static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(Math.min(last[j] + 1, row[j - 1] + 1), last[j - 1] + change);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
        }
        return last[b.length()];
    }
}
