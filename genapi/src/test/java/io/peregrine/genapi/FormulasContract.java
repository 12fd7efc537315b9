package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** What holds for any formula. */
@Timeout(300)
abstract class FormulasContract {
    private static final Pattern NAME =
            Pattern.compile("(?<![0-9A-Za-z_.])(?!0[xX])([A-Za-z_][A-Za-z0-9_.]*)(?!\\s*\\(|[A-Za-z0-9_.])");
    private static final int ROUNDS = 20;
    private static final String NO_VALUE = "no value";
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

    /**
     * A formula.
     *
     * @param text as a description has it
     * @param whole whether it calculates with whole numbers
     */
    record Written(String text, boolean whole) {}

    abstract List<Written> formulas();

    private static List<String> names(String formula) {
        Set<String> names = new LinkedHashSet<>();
        Matcher matcher = NAME.matcher(formula);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return List.copyOf(names);
    }

    private static Formula compile(String formula, List<String> names, boolean whole) {
        return Formula.compile(formula, names, Map.of(), whole, index -> false);
    }

    private static FormulaTree parse(String formula, List<String> names, boolean whole) {
        return FormulaParser.parse(FormulaParser.Grammar.C, formula, names, Map.of(), whole, index -> false);
    }

    @Test
    void everyFormulaCompilesPrintsAndCompilesToTheSame() {
        for (Written written : formulas()) {
            String text = written.text();
            FormulaTree tree = parse(text, names(text), written.whole());
            assertEquals(tree, parse(tree.toString(), names(text), written.whole()), text);
        }
    }

    @Test
    void valuesAreThoseOfASecondEvaluator() {
        Random random = new Random(4711);
        List<String> differences = new ArrayList<>();
        int values = 0;
        List<Written> formulas = formulas();
        for (Written written : formulas) {
            List<String> names = names(written.text());
            Formula formula = compile(written.text(), names, written.whole());
            for (int round = 0; round < ROUNDS; round++) {
                List<Number> numbers = new ArrayList<>();
                Map<String, Number> variables = new HashMap<>();
                for (String name : names) {
                    Number number = number(random, written.whole());
                    numbers.add(number);
                    variables.put(name, number);
                }
                String ours = ours(formula, new Values(numbers), written.whole());
                String theirs = theirs(written.text(), variables, written.whole());
                if (!ours.equals(theirs) && differences.size() < 20) {
                    differences.add(written.text() + " with " + variables + ": " + ours + " and " + theirs);
                }
                values += ours.equals(NO_VALUE) ? 0 : 1;
            }
        }
        assertEquals(List.of(), differences);
        assertTrue(values > formulas.size() * ROUNDS / 2, "formulas have values: " + values);
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
            return NO_VALUE;
        }
    }

    private static String theirs(String text, Map<String, Number> variables, boolean whole) {
        try {
            return whole
                    ? Long.toString(SlowEvaluator.whole(text, variables))
                    : Double.toString(SlowEvaluator.real(text, variables) + 0.0);
        } catch (SlowEvaluator.NoValue e) {
            return NO_VALUE;
        }
    }
}
