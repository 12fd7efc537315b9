package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormulaTest {

    /** Named values, all whole. */
    private static final class Whole implements Formula.Variables {
        private final long[] values;

        Whole(long... values) {
            this.values = values;
        }

        @Override
        public long longValue(int index) {
            return values[index];
        }

        @Override
        public double doubleValue(int index) {
            return values[index];
        }
    }

    private static long integer(String formula) {
        return Formula.compile(formula, List.of(), Map.of(), true, index -> false)
                .longValue(new Whole());
    }

    private static double real(String formula) {
        return Formula.compile(formula, List.of(), Map.of(), false, index -> false)
                .doubleValue(new Whole());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "10/4; 2",
                "2**3**2; 512",
                "1<<2+2>>1; 8",
                "1||1&&0; 1",
                "-1**2; 1",
                "4*-3; -12",
                "0xA+010; 20",
                "2.5*4; 10",
                "2.1=2; 0",
                "1<>2; 1",
                "1==1; 1",
                "1!=1; 0",
                "(~(~0xC2000221|0xFEFFFFFF)) ? 2:0; 0",
                "(0=0)?(7):(1000000/0); 7",
                "NEG(3); -3",
                "ROUND(2.5); 3",
                "0xFFFFFFFFFFFFFFFF; -1",
                "2147483648; 2147483648",
                "1<<64; 1",
                "-8>>64; -8",
                "7%4; 3",
                "ABS(-4); 4"
            })
    void integerDomain(String formula, long expected) {
        assertEquals(expected, integer(formula));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "10/4; 2.5",
                "ROUND(-2.345,2); -2.35",
                "10.2+10+0x10+010; 46.2",
                "1e+05; 100000",
                ".5; 0.5",
                "TRUNC(-1.7); -1",
                "(3.9 & 2) + 1; 3",
                "LG(1000); 3",
                "sqrt(16); 4"
            })
    void floatingPointDomain(String formula, double expected) {
        assertEquals(expected, real(formula), 1e-9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1+", "(1", "FOO(1)", "1 $ 2", "X", "1 2", "ROUND(1", "? 1 : 2"})
    void malformedFormulaIsRefused(String formula) {
        assertThrows(GenApiException.class, () -> integer(formula));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1/0", "1%0"})
    void divisionByZeroIsAnError(String formula) {
        assertThrows(GenApiException.class, () -> integer(formula));
        assertThrows(GenApiException.class, () -> real(formula));
    }

    @Test
    void declaredVariableHidesConstantAndFunction() {
        Formula formula = Formula.compile("E + EXP", List.of("E", "EXP"), Map.of(), true, index -> false);
        assertEquals(12, formula.longValue(new Whole(5, 7)));
    }

    @Test
    void wideShiftKeepsEveryBit() {
        Formula formula = Formula.compile("(P1<<32)|P2", List.of("P1", "P2"), Map.of(), true, index -> false);
        assertEquals(0x12345678_9ABCDEF0L, formula.longValue(new Whole(0x12345678L, 0x9ABCDEF0L)));
    }

    @Test
    void namedExpressionIsPutIn() {
        Formula formula = Formula.compile("HALF * 2", List.of("A"), Map.of("HALF", "A / 2"), true, index -> false);
        assertEquals(8, formula.longValue(new Whole(9)));
    }

    @Test
    void expressionThatRefersToItselfIsRefused() {
        assertThrows(
                GenApiException.class,
                () -> Formula.compile("A", List.of(), Map.of("A", "A + 1"), true, index -> false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "-(-A) ? ~B : 2; --A ? ~B : 2",
                "((A + B)) * 2; (A + B) * 2",
                "A - (B - 1); A - (B - 1)",
                "(A ** B) ** 2; (A ** B) ** 2",
                "A ** (B ** 2); A ** B ** 2",
                "(A ? B : 1) ? 2 : A ? 3 : 4; (A ? B : 1) ? 2 : A ? 3 : 4",
                "round((A || B) && 1, 0x2); ROUND((A || B) && 1, 0x2)"
            })
    void isPrintedWithTheBracketsItNeeds(String formula, String printed) {
        assertEquals(
                printed,
                FormulaParser.parse(FormulaParser.Grammar.C, formula, List.of("A", "B"), Map.of(), false, index -> true)
                        .toString());
    }

    @Test
    void endlessNestingIsRefused() {
        assertThrows(GenApiException.class, () -> integer("(".repeat(100_000)));
    }
}
