package io.peregrine.genapi;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Parses a formula. What is open is kept on a separate stack, so that nesting costs no stack of the thread: open
 * brackets, and operators that wait for their right operand.
 */
final class FormulaParser {
    /** Which operators bind stronger. */
    enum Grammar {
        /** That of C; {@code **} binds stronger than {@code *}, from the right. */
        C,
        /**
         * That of the reference implementation, version 3.4: {@code ** << >> & | ^} bind strongest, comparisons, logic
         * and {@code ?:} weakest, all from the left; a minus sign before a bracket or a function goes for all that
         * follows up to the end of the brackets around it.
         */
        REFERENCE
    }

    /** What is open. Those before {@link #OPERATOR} end only by what belongs to them. */
    private static final int FORMULA = 0;

    private static final int BRACKET = 1;
    private static final int CALL = 2;
    private static final int SECOND_ARGUMENT = 3;
    private static final int EXPRESSION = 4;
    private static final int QUESTION = 5;
    private static final int OPERATOR = 6;
    private static final int MINUS = 7;
    private static final int NOT = 8;
    /** A minus sign that goes for all that follows. */
    private static final int MINUS_OF_ALL = 9;

    private static final int COLON = 10;

    /** Tokens that named sub-expressions may add to a formula: far more than any real formula has. */
    private static final int MAX_ADDED = 100_000;

    private final Grammar grammar;
    private final Map<String, Integer> indices = new HashMap<>();
    private final Map<String, String> expressions;
    private final boolean integers;
    private final IntPredicate realVariables;
    private final FormulaTree tree;
    private final Deque<FormulaLexer> outer = new ArrayDeque<>();
    private final Deque<String> outerNames = new ArrayDeque<>();
    private final Set<String> openNames = new HashSet<>();
    private FormulaLexer lexer;
    private long tokens;

    private int[] open = new int[16];
    private int opened;
    private int[] operands = new int[16];
    private int operandCount;

    private FormulaParser(
            Grammar grammar,
            String text,
            List<String> names,
            Map<String, String> expressions,
            boolean integers,
            IntPredicate realVariables) {
        this.grammar = grammar;
        this.expressions = expressions;
        this.integers = integers;
        this.realVariables = realVariables;
        for (int i = 0; i < names.size(); i++) {
            indices.putIfAbsent(names.get(i), i);
        }
        tree = new FormulaTree(names);
        lexer = new FormulaLexer(text);
        tokens = (long) text.length() + MAX_ADDED;
    }

    /**
     * Parses a formula.
     *
     * @param names variable names; the index of a name is the index of the variable
     * @param expressions named sub-expressions and constants, by name
     * @param integers whether the formula belongs to an integer node
     * @param realVariables which variables are floating point, by index; asked in the integer domain only
     * @throws GenApiException if it is no formula
     */
    static FormulaTree parse(
            Grammar grammar,
            String text,
            List<String> names,
            Map<String, String> expressions,
            boolean integers,
            IntPredicate realVariables) {
        return new FormulaParser(grammar, text, names, expressions, integers, realVariables).parse();
    }

    private FormulaTree parse() {
        push(FORMULA, 0);
        boolean operandNext = true;
        while (opened > 0) {
            lexer.next();
            if (--tokens < 0) {
                throw lexer.wrong("its expressions make it longer than any real formula");
            }
            operandNext = operandNext ? !operand() : operator();
        }
        return tree;
    }

    // ---- Operands

    /** Takes a token where an operand is due, and returns whether the operand is complete. */
    private boolean operand() {
        switch (lexer.token) {
            case NUMBER -> operand(number());
            case NAME -> {
                return name();
            }
            case OPEN -> {
                push(BRACKET, 0);
                return false;
            }
            case NOT -> {
                push(NOT, 0);
                return false;
            }
            case OPERATOR -> {
                if (lexer.operator == FormulaOperator.MINUS) {
                    boolean all = grammar == Grammar.REFERENCE && (lexer.bracketFollows() || lexer.functionFollows());
                    push(all ? MINUS_OF_ALL : MINUS, 0);
                } else if (lexer.operator != FormulaOperator.PLUS) {
                    throw lexer.unexpected();
                }
                return false;
            }
            default -> throw lexer.unexpected();
        }
        return true;
    }

    private int number() {
        String digits = lexer.tokenText();
        try {
            if (lexer.real) {
                double value = Double.parseDouble(digits);
                return tree.addLiteral(value, (long) value, true, digits);
            }
            long value = digits.startsWith("0x") || digits.startsWith("0X")
                    ? Long.parseUnsignedLong(digits.substring(2), 16)
                    : Long.parseUnsignedLong(digits);
            // Above the signed range the bits count among whole numbers, and the number among real ones.
            double number = value >= 0 ? value : (value >>> 1) * 2.0;
            return tree.addLiteral(integers ? value : number, value, !integers, digits);
        } catch (NumberFormatException e) {
            throw lexer.wrong("bad number " + digits);
        }
    }

    private boolean name() {
        String name = lexer.tokenText();
        // What the node declares comes first: real descriptions have variables named E, EXP and TO.
        Integer index = indices.get(name);
        if (index != null) {
            operand(tree.addVariable(index, !integers || realVariables.test(index)));
            return true;
        }
        String expression = expressions.get(name);
        if (expression != null) {
            if (!openNames.add(name)) {
                throw lexer.wrong("expression " + name + " refers to itself");
            }
            outer.push(lexer);
            outerNames.push(name);
            push(EXPRESSION, 0);
            lexer = new FormulaLexer(expression);
            return false;
        }
        FormulaFunction function = FormulaFunction.named(name);
        if (function != null && lexer.bracketFollows()) {
            lexer.next();
            if (integers && function.realOnly()) {
                throw lexer.wrong(function + " has no meaning in an integer formula");
            }
            push(CALL, function.ordinal());
            return false;
        }
        if (name.equalsIgnoreCase("PI")) {
            operand(tree.addLiteral(Math.PI, 3, true, "PI"));
        } else if (name.equalsIgnoreCase("E")) {
            operand(tree.addLiteral(Math.E, 2, true, "E"));
        } else {
            throw lexer.wrong("no variable, function or constant is named " + name);
        }
        return true;
    }

    // ---- What comes after an operand

    /** Takes a token where an operator is due, and returns whether an operand is due after it. */
    private boolean operator() {
        switch (lexer.token) {
            case OPERATOR -> {
                FormulaOperator operator = lexer.operator;
                finish(precedence(operator), !fromTheRight(operator));
                push(OPERATOR, operator.ordinal());
                return true;
            }
            case QUESTION -> {
                finish(conditionPrecedence(), grammar == Grammar.REFERENCE);
                push(QUESTION, 0);
                return true;
            }
            case COLON -> {
                finishAll();
                if (top() != QUESTION) {
                    throw lexer.unexpected();
                }
                open[opened - 1] = COLON;
                return true;
            }
            case COMMA -> {
                finishAll();
                if (top() != CALL || function() != FormulaFunction.ROUND) {
                    throw lexer.unexpected();
                }
                open[opened - 1] = SECOND_ARGUMENT | function().ordinal() << 8;
                return true;
            }
            case CLOSE -> close();
            case END -> end();
            default -> throw lexer.unexpected();
        }
        return false;
    }

    private void close() {
        finishAll();
        switch (top()) {
            case BRACKET -> opened--;
            case CALL -> {
                FormulaFunction function = function();
                opened--;
                operand(tree.addCall(function, real(function, pop())));
            }
            case SECOND_ARGUMENT -> {
                FormulaFunction function = function();
                opened--;
                pop();
                int first = pop();
                operand(tree.addCall(function, first, real(function, first)));
            }
            case QUESTION -> throw lexer.wrong("':' expected");
            default -> throw lexer.unexpected();
        }
    }

    private void end() {
        finishAll();
        switch (top()) {
            case FORMULA -> opened--;
            case EXPRESSION -> {
                opened--;
                openNames.remove(outerNames.pop());
                lexer = outer.pop();
            }
            case QUESTION -> throw lexer.wrong("':' expected");
            case BRACKET -> throw lexer.wrong("')' expected");
            default -> throw lexer.wrong("')' expected after the arguments of " + function());
        }
    }

    private boolean real(FormulaFunction function, int first) {
        return switch (function) {
            case SGN -> false;
            case NEG, ABS, ROUND, TRUNC, FLOOR, CEIL -> !integers || tree.real(first);
            default -> true;
        };
    }

    // ---- Precedence

    private int precedence(FormulaOperator operator) {
        return grammar == Grammar.C ? operator.precedence : operator.referencePrecedence;
    }

    private boolean fromTheRight(FormulaOperator operator) {
        return grammar == Grammar.C && operator.bindsFromTheRight();
    }

    private int conditionPrecedence() {
        return grammar == Grammar.C ? 0 : FormulaOperator.OR.referencePrecedence;
    }

    private int openPrecedence() {
        return switch (top()) {
            case OPERATOR -> precedence(FormulaOperator.ALL[open[opened - 1] >> 8]);
            case COLON -> conditionPrecedence();
            case MINUS, NOT -> FormulaOperator.UNARY_PRECEDENCE;
            default -> -1;
        };
    }

    /** Completes what is open and binds stronger than an operator that comes next, or as strongly. */
    private void finish(int precedence, boolean equalOnesToo) {
        while (openPrecedence() > precedence || (equalOnesToo && openPrecedence() == precedence)) {
            finishOne();
        }
    }

    /** Completes all that is open up to the next bracket. */
    private void finishAll() {
        while (top() >= OPERATOR) {
            finishOne();
        }
    }

    private void finishOne() {
        int kind = top();
        int ordinal = open[opened - 1] >> 8;
        opened--;
        switch (kind) {
            case OPERATOR -> {
                FormulaOperator operator = FormulaOperator.ALL[ordinal];
                int right = pop();
                int left = pop();
                boolean real = !integers || tree.real(left) || tree.real(right);
                operand(tree.addBinary(operator, left, real && operator.arithmetic()));
            }
            case COLON -> {
                pop();
                int yes = pop();
                int test = pop();
                operand(tree.addCondition(test, yes));
            }
            default -> {
                pop();
                operand(tree.addUnary(kind == NOT ? FormulaTree.Kind.NOT : FormulaTree.Kind.MINUS));
            }
        }
    }

    // ---- Stacks

    private void push(int kind, int ordinal) {
        if (opened == open.length) {
            open = Arrays.copyOf(open, opened * 2);
        }
        open[opened++] = kind | ordinal << 8;
    }

    private int top() {
        return open[opened - 1] & 0xFF;
    }

    private FormulaFunction function() {
        return FormulaFunction.ALL[open[opened - 1] >> 8];
    }

    private void operand(int part) {
        if (operandCount == operands.length) {
            operands = Arrays.copyOf(operands, operandCount * 2);
        }
        operands[operandCount++] = part;
    }

    private int pop() {
        return operands[--operandCount];
    }
}
