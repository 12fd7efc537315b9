package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Formulas that the reference implementation of GenApi, version 3.4, understands otherwise; the values are its own. */
class LintTest {
    private static FormulaTree parse(FormulaParser.Grammar grammar, String formula) {
        return FormulaParser.parse(grammar, formula, List.of("A"), Map.of(), false, index -> true);
    }

    private static double value(FormulaTree tree) {
        return FormulaCompiler.compile(tree, false).doubleValue(new Formula.Variables() {
            @Override
            public long longValue(int index) {
                return 2;
            }

            @Override
            public double doubleValue(int index) {
                return 2;
            }
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1+2<<3; 17",
                "1|2&4; 0",
                "2**3**2; 64",
                "6&3*2; 4",
                "2*6&3; 4",
                "1||1&&0; 0",
                "1&&0=0; 1",
                "1||0=0; 0",
                "1||3<2; 1",
                "5>3=1; 1",
                "1<>0<>1; 0",
                "1?2:3?4:5; 4",
                "0?2:0?4:5; 5",
                "1?2:3=3; 0",
                "1?2:0||5; 1",
                "1?2:3+4; 2",
                "0=1?2:1=1?4:5; 4",
                "1=1?2:1=1?4:5; 5",
                "5>3?7:4>3; 1",
                "7>5?0:2&&1; 0",
                "1 ? 2=2 : 3; 1",
                "-A**2; 4",
                "-(A)**2; -4",
                "-(A)&3; -2",
                "~A**2; 9",
                "~1|4; -2",
                "2*-A**2; 8",
                "2*-(3)**2; -18",
                "2**-(1)**2; 0.5",
                "2**-(3)*2; 0.015625",
                "2*-(3)+4; -14",
                "8/-(2)*2; -2",
                "-(3)+2; -5",
                "-(3)+2*5-1; -12",
                "(-(3)+2)*2; -10",
                "-SGN(3)+2; -3",
                "-(1)?2:3; -2",
                "-(3)<>4; -1",
                "1&&-(3)+3; 1",
                "5*+(3)+1; 16",
                "0-1|4; -5",
                "A-1&3; 1"
            })
    void theGrammarOfTheReferenceGivesItsValues(String formula, double expected) {
        assertEquals(expected, value(parse(FormulaParser.Grammar.REFERENCE, formula)));
    }

    private static List<Problem> warnings(String kind, String formula) {
        return NodeMap.load(
                        Xml.description(
                                Xml.value("V", 1) + "<" + kind + " Name=\"K\"><pVariable Name=\"A\">V</pVariable>"
                                        + "<pVariable Name=\"B\">V</pVariable><Constant Name=\"TEN\">10</Constant>"
                                        + "<Formula><![CDATA[" + formula + "]]></Formula></" + kind + ">"),
                        new MemoryPort(64))
                .warnings();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A || B && A",
                "A | B << 2",
                "A + B << 2",
                "A * B & 3",
                "A = 1 || B = 1",
                "A > 1 && B > 1",
                "A = 1 ? 5 : B = 1 ? 6 : 7",
                "A ** B ** 2",
                "-(A) + B",
                "-(A - TEN) ** 2",
                "(A ? A : A | B * 2)"
            })
    void aFormulaWhoseValueDependsOnTheReferencesPrecedenceIsNamed(String formula) {
        for (String kind : new String[] {"SwissKnife", "IntSwissKnife"}) {
            List<Problem> warnings = warnings(kind, formula);
            assertEquals(1, warnings.size(), formula);
            assertEquals("K", warnings.get(0).node());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A || B || A",
                "A && B || A",
                "(A = 1) || (B = 1)",
                "A + B * 2 - 1",
                "A / B / 2 * 3",
                "A << 2 >> 1",
                "A = 1 ? B + 1 : B * 2",
                "(A) ? 5 : ((B) ? 6 : 7)",
                "A + B > 2 && A",
                "-A + B",
                "-A ** 2",
                "-(A) * B",
                "5 * -(A)",
                "-(5000 + (60536 - A))",
                "-1 * (A)",
                "~A & B",
                "TEN - A",
                "1 +",
                "A.Max - B.Min"
            })
    void aFormulaThatBothUnderstandAlikeIsNotNamed(String formula) {
        for (String kind : new String[] {"SwissKnife", "IntSwissKnife"}) {
            assertEquals(List.of(), warnings(kind, formula));
        }
    }

    @Test
    void theWarningShowsBothMeanings() {
        String message = warnings("IntSwissKnife", "A  ||\n B && A").get(0).message();
        assertTrue(message.contains("A || B && A"), message);
        assertTrue(message.contains("(A || B) && A"), message);
    }

    @Test
    void formulasInAddressesAndConvertersAreCheckedToo() {
        NodeMap nodes = NodeMap.load(
                Xml.description(Xml.value("V", 1) + "<IntReg Name=\"R\"><IntSwissKnife Name=\"K\">"
                        + "<pVariable Name=\"A\">V</pVariable><Formula>4 + A * 2 | 1</Formula></IntSwissKnife>"
                        + "<Length>4</Length><pPort>P</pPort></IntReg>"
                        + "<Converter Name=\"C\"><FormulaTo>FROM * 2 ** 3 ** 2</FormulaTo>"
                        + "<FormulaFrom>TO / 2</FormulaFrom><pValue>V</pValue></Converter><Port Name=\"P\"/>"),
                new MemoryPort(64));
        assertEquals(
                List.of("R", "C"), nodes.warnings().stream().map(Problem::node).toList());
    }
}
