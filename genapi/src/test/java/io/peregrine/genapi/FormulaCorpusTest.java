package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Formulas of real camera descriptions; skipped where these are not. */
@Timeout(300)
class FormulaCorpusTest {
    private static final Pattern NAME =
            Pattern.compile("(?<![0-9A-Za-z_.])(?!0[xX])([A-Za-z_][A-Za-z0-9_.]*)(?!\\s*\\(|[A-Za-z0-9_.])");
    private static final long[] VALUES = {0, 1, 2, 3, 7, 255, 1000, 65535, 0xFFFFFFFFL, 1L << 40, -1, -5, Long.MAX_VALUE
    };

    private static final class Values implements Formula.Variables {
        private final List<? extends Number> numbers;

        Values(List<? extends Number> numbers) {
            this.numbers = numbers;
        }

        @Override
        public long longValue(int index) {
            return numbers.get(index).longValue();
        }

        @Override
        public double doubleValue(int index) {
            return numbers.get(index).doubleValue();
        }
    }

    private static List<List<String>> formulas() throws IOException {
        List<List<String>> rows = Corpus.table("formulas.csv");
        return rows.subList(1, rows.size());
    }

    private static List<String> names(String formula) {
        Set<String> names = new LinkedHashSet<>();
        Matcher matcher = NAME.matcher(formula);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return List.copyOf(names);
    }

    private static List<Boolean> domains(List<String> row) {
        List<Boolean> domains = new ArrayList<>();
        if (row.get(3).contains("Int")) {
            domains.add(true);
        }
        if (Pattern.compile("(^|;)(SwissKnife|Converter)").matcher(row.get(3)).find()) {
            domains.add(false);
        }
        return domains;
    }

    private static Formula compile(String formula, List<String> names, boolean whole) {
        return Formula.compile(formula, names, Map.of(), whole, index -> false);
    }

    @Test
    void everyFormulaCompilesPrintsAndCompilesToTheSame() throws IOException {
        int count = 0;
        for (List<String> row : formulas()) {
            String text = row.get(0);
            for (boolean whole : domains(row)) {
                Formula formula = compile(text, names(text), whole);
                assertEquals(formula, compile(formula.toString(), names(text), whole), text);
                count++;
            }
        }
        assertTrue(count > 1000, "formulas were compiled: " + count);
    }

    @Test
    void valuesAreThoseOfASecondEvaluator() throws IOException {
        Random random = new Random(4711);
        int agreed = 0;
        List<String> differences = new ArrayList<>();
        for (List<String> row : formulas()) {
            String text = row.get(0);
            List<String> names = names(text);
            for (boolean whole : domains(row)) {
                Formula formula = compile(text, names, whole);
                for (int round = 0; round < 20; round++) {
                    List<Number> numbers = new ArrayList<>();
                    Map<String, Number> variables = new HashMap<>();
                    for (String name : names) {
                        Number number = number(random, whole);
                        numbers.add(number);
                        variables.put(name, number);
                    }
                    String ours = ours(formula, new Values(numbers), whole);
                    String theirs = theirs(text, variables, whole);
                    if (ours.equals(theirs)) {
                        agreed++;
                    } else if (differences.size() < 20) {
                        differences.add(text + " with " + variables + ": " + ours + " and " + theirs);
                    }
                }
            }
        }
        assertEquals(List.of(), differences);
        System.out.println("Formula values compared: " + agreed);
    }

    private static Number number(Random random, boolean whole) {
        long picked = random.nextInt(4) == 0 ? random.nextLong() : VALUES[random.nextInt(VALUES.length)];
        if (whole) {
            return picked;
        }
        return random.nextBoolean() ? (double) (int) picked : random.nextGaussian() * 1000;
    }

    private static String ours(Formula formula, Formula.Variables variables, boolean whole) {
        try {
            return whole
                    ? Long.toString(formula.longValue(variables))
                    : Double.toString(formula.doubleValue(variables) + 0.0);
        } catch (GenApiException e) {
            return "no value";
        }
    }

    private static String theirs(String text, Map<String, Number> variables, boolean whole) {
        try {
            return whole
                    ? Long.toString(SlowEvaluator.whole(text, variables))
                    : Double.toString(SlowEvaluator.real(text, variables) + 0.0);
        } catch (SlowEvaluator.NoValue e) {
            return "no value";
        }
    }
}
