package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Formulas that use every operator and function at random, the same in each run. */
class RandomFormulasTest extends FormulasContract {
    private static final int FORMULAS = 400;
    private static final int DEPTH = 4;
    private static final List<String> OPERATORS = List.of(
            "+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^", "&&", "||", "=", "==", "<>", "!=", "<", "<=", ">",
            ">=");
    private static final List<String> SIGNS = List.of("-", "+", "~");
    private static final List<String> FUNCTIONS_OF_BOTH = List.of("NEG", "ABS", "TRUNC", "ROUND");
    private static final List<String> FUNCTIONS_OF_REALS = List.of("LN", "LG", "EXP");
    private static final List<String> OPERANDS =
            List.of("A", "B", "C", "0", "1", "2", "7", "010", "0x10", "0xFFFFFFFF", "2147483648", "0.5", ".25", "1e3");

    @Override
    List<Written> formulas() {
        Random random = new Random(4711);
        List<Written> formulas = new ArrayList<>();
        for (int i = 0; i < FORMULAS; i++) {
            boolean whole = random.nextBoolean();
            formulas.add(new Written(formula(random, whole, DEPTH), whole));
        }
        return formulas;
    }

    private static String formula(Random random, boolean whole, int depth) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return any(random, OPERANDS);
        }
        String one = formula(random, whole, depth - 1);
        return switch (random.nextInt(8)) {
            case 0 -> "(" + one + ")";
            case 1 -> any(random, SIGNS) + one;
            case 2 -> one + " ? " + formula(random, whole, depth - 1) + " : " + formula(random, whole, depth - 1);
            case 3 -> any(random, whole ? FUNCTIONS_OF_BOTH : functionsOfReals()) + "(" + one + ")";
            default -> one + " " + any(random, OPERATORS) + " " + formula(random, whole, depth - 1);
        };
    }

    private static List<String> functionsOfReals() {
        List<String> all = new ArrayList<>(FUNCTIONS_OF_BOTH);
        all.addAll(FUNCTIONS_OF_REALS);
        return all;
    }

    private static String any(Random random, List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
