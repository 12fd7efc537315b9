package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Formulas of real devices, of the optional test data. */
class FormulaCorpusTest extends FormulasContract {
    @Override
    List<Written> formulas() {
        List<List<String>> rows = Corpus.table("formulas.csv");
        List<Written> formulas = new ArrayList<>();
        for (List<String> row : rows.subList(1, rows.size())) {
            String nodes = row.get(3);
            if (nodes.contains("Int")) {
                formulas.add(new Written(row.get(0), true));
            }
            if (Pattern.compile("(^|;)(SwissKnife|Converter)").matcher(nodes).find()) {
                formulas.add(new Written(row.get(0), false));
            }
        }
        assertTrue(formulas.size() > 1000, "formulas of real devices: " + formulas.size());
        return formulas;
    }
}
