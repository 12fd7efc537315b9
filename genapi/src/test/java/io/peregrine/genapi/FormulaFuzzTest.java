package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

class FormulaFuzzTest {
    private static final List<String> NAMES = List.of("A", "B", "TO");

    @FuzzTest(maxDuration = "120s")
    void anyFormulaHasAValueOrSaysWhyNot(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        boolean whole = bytes.length % 2 == 0;
        FormulaTree tree;
        Formula formula;
        try {
            tree = FormulaParser.parse(
                    FormulaParser.Grammar.C, text, NAMES, Map.of("HALF", "A / 2"), whole, index -> index == 1);
            formula = FormulaCompiler.compile(tree, whole);
        } catch (GenApiException e) {
            assertNotNull(e.getMessage());
            return;
        }
        assertEquals(
                tree,
                FormulaParser.parse(
                        FormulaParser.Grammar.C, tree.toString(), NAMES, Map.of(), whole, index -> index == 1),
                "what is printed is parsed to the same");
        try {
            formula.longValue(new Formula.Variables() {
                @Override
                public long longValue(int index) {
                    return bytes.length;
                }

                @Override
                public double doubleValue(int index) {
                    return -1.5 * bytes.length;
                }
            });
        } catch (GenApiException e) {
            assertNotNull(e.getMessage());
        }
    }
}
