package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds what is legal in a device description, but means something else to other implementations of GenApi. */
final class Lint {
    private static final int MAX_SHOWN = 200;

    private final List<Problem> warnings = new ArrayList<>();

    private Lint() {}

    /** Warnings about nodes, in the order of the nodes. */
    static List<Problem> of(Collection<BaseNode> nodes) {
        Lint lint = new Lint();
        for (BaseNode node : nodes) {
            lint.checkFormulas(node.name, node.element);
            if (node instanceof EnumerationImpl enumeration) {
                lint.checkEntries(enumeration);
            }
        }
        return List.copyOf(lint.warnings);
    }

    /** Of entries with one value the reference implementation always takes the last. */
    private void checkEntries(EnumerationImpl enumeration) {
        Map<Long, List<String>> symbols = new LinkedHashMap<>();
        for (EnumEntryNode entry : enumeration.entries()) {
            symbols.computeIfAbsent(entry.intValue(), key -> new ArrayList<>()).add(entry.symbol());
        }
        symbols.forEach((value, same) -> {
            if (same.size() > 1) {
                warnings.add(new Problem(
                        enumeration.name,
                        "the entries " + String.join(", ", same) + " have the same value " + value
                                + ": here it means the first of them that is available, in the reference"
                                + " implementation of GenApi "
                                + same.get(same.size() - 1)
                                + ", available or not; own values make it the same everywhere"));
            }
        });
    }

    private void checkFormulas(String node, Element element) {
        switch (element.name()) {
            case "SwissKnife", "IntSwissKnife", "Converter", "IntConverter" -> {
                for (String property : List.of("Formula", "FormulaFrom", "FormulaTo")) {
                    element.value(property).ifPresent(formula -> checkPrecedence(node, element, formula));
                }
            }
            default -> {
                for (Element child : element.all("IntSwissKnife")) {
                    checkFormulas(node, child);
                }
            }
        }
    }

    /** Compares how a formula is understood here and by the reference implementation. */
    private void checkPrecedence(String node, Element element, String formula) {
        boolean integers = element.name().startsWith("Int");
        Map<String, String> expressions = new HashMap<>();
        for (String property : List.of("Constant", "Expression")) {
            for (Element child : element.all(property)) {
                child.attribute("Name").ifPresent(name -> expressions.putIfAbsent(name, child.text()));
            }
        }
        try {
            List<String> names = names(element, formula, expressions);
            FormulaTree ours =
                    FormulaParser.parse(FormulaParser.Grammar.C, formula, names, expressions, integers, index -> true);
            FormulaTree theirs = FormulaParser.parse(
                    FormulaParser.Grammar.REFERENCE, formula, names, expressions, integers, index -> true);
            if (!ours.sameValueAs(theirs)) {
                warnings.add(new Problem(
                        node,
                        "the formula " + shown(formula) + " depends on the precedence of its operators: here it is "
                                + shown(ours.toString()) + ", in the reference implementation of GenApi "
                                + shown(theirs.toString()) + "; brackets make it the same everywhere"));
            }
        } catch (GenApiException e) {
            // Reading the node says what is wrong with its formula.
        }
    }

    private static String shown(String formula) {
        String line = formula.replaceAll("\\s+", " ");
        return line.length() > MAX_SHOWN ? line.substring(0, MAX_SHOWN) + "..." : line;
    }

    /** All names in the formula that can be variables, whether the node declares them or not. */
    private static List<String> names(Element element, String formula, Map<String, String> expressions) {
        Set<String> names = new LinkedHashSet<>();
        for (Element variable : element.all("pVariable")) {
            variable.attribute("Name").ifPresent(names::add);
        }
        addNames(formula, expressions, names);
        expressions.values().forEach(text -> addNames(text, expressions, names));
        return List.copyOf(names);
    }

    private static void addNames(String formula, Map<String, String> expressions, Set<String> names) {
        FormulaLexer lexer = new FormulaLexer(formula);
        for (lexer.next(); lexer.token != FormulaLexer.Token.END; lexer.next()) {
            if (lexer.token == FormulaLexer.Token.NAME) {
                String name = lexer.tokenText();
                if (!expressions.containsKey(name) && FormulaFunction.named(name) == null) {
                    names.add(name);
                }
            }
        }
    }
}
