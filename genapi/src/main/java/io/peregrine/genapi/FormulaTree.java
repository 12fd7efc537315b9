package io.peregrine.genapi;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * The parts of a formula in the order in which they are evaluated, every part after its operands. Each has a kind, a
 * detail that depends on it, and is either real or whole. The last operand of a part is the part before it.
 */
final class FormulaTree {
    /** Kinds of parts. */
    enum Kind {
        /** A number; its detail is the index of the number. */
        LITERAL,
        /** Its detail is the index of the variable. */
        VARIABLE,
        /** Its first operand is the test; its detail is the second operand, the value where the test is true. */
        CONDITION,
        MINUS,
        NOT,
        /** Its detail is the ordinal of the operator. */
        BINARY,
        /** Its detail is the ordinal of the function; without a first operand it has one argument. */
        CALL
    }

    private static final int NO_PART = -1;
    private static final int LOWEST = 0;
    private static final int PRIMARY = FormulaOperator.UNARY_PRECEDENCE + 1;
    private static final Kind[] KINDS = Kind.values();

    private final List<String> names;
    private int size;
    private byte[] kinds = new byte[16];
    private int[] details = new int[16];
    private int[] firsts = new int[16];
    private boolean[] reals = new boolean[16];

    private int literals;
    private double[] realLiterals = new double[4];
    private long[] wholeLiterals = new long[4];
    private String[] literalTexts = new String[4];

    /** Creates an empty tree over variables. */
    FormulaTree(List<String> names) {
        this.names = names;
    }

    // ---- Building

    int addLiteral(double real, long whole, boolean isReal, String text) {
        if (literals == literalTexts.length) {
            realLiterals = Arrays.copyOf(realLiterals, literals * 2);
            wholeLiterals = Arrays.copyOf(wholeLiterals, literals * 2);
            literalTexts = Arrays.copyOf(literalTexts, literals * 2);
        }
        realLiterals[literals] = real;
        wholeLiterals[literals] = whole;
        literalTexts[literals] = text;
        return add(Kind.LITERAL, literals++, NO_PART, isReal);
    }

    int addVariable(int index, boolean isReal) {
        return add(Kind.VARIABLE, index, NO_PART, isReal);
    }

    int addUnary(Kind kind) {
        return add(kind, 0, NO_PART, kind == Kind.MINUS && reals[size - 1]);
    }

    int addBinary(FormulaOperator operator, int left, boolean isReal) {
        return add(Kind.BINARY, operator.ordinal(), left, isReal);
    }

    int addCondition(int test, int yes) {
        return add(Kind.CONDITION, yes, test, reals[yes] || reals[size - 1]);
    }

    int addCall(FormulaFunction function, boolean isReal) {
        return add(Kind.CALL, function.ordinal(), NO_PART, isReal);
    }

    int addCall(FormulaFunction function, int first, boolean isReal) {
        return add(Kind.CALL, function.ordinal(), first, isReal);
    }

    private int add(Kind kind, int detail, int first, boolean isReal) {
        if (size == kinds.length) {
            int larger = size * 2;
            kinds = Arrays.copyOf(kinds, larger);
            details = Arrays.copyOf(details, larger);
            firsts = Arrays.copyOf(firsts, larger);
            reals = Arrays.copyOf(reals, larger);
        }
        kinds[size] = (byte) kind.ordinal();
        details[size] = detail;
        firsts[size] = first;
        reals[size] = isReal;
        return size++;
    }

    // ---- Parts

    int size() {
        return size;
    }

    Kind kind(int part) {
        return KINDS[kinds[part]];
    }

    boolean real(int part) {
        return reals[part];
    }

    int detail(int part) {
        return details[part];
    }

    FormulaOperator operator(int part) {
        return FormulaOperator.ALL[details[part]];
    }

    FormulaFunction function(int part) {
        return FormulaFunction.ALL[details[part]];
    }

    /** Whether it has an operand besides the last one. */
    boolean hasFirst(int part) {
        return firsts[part] != NO_PART;
    }

    /** The first of several operands. */
    int first(int part) {
        return firsts[part];
    }

    double realLiteral(int part) {
        return realLiterals[details[part]];
    }

    long wholeLiteral(int part) {
        return wholeLiterals[details[part]];
    }

    // ---- Comparing

    /** Two parts to be compared, each with or without a minus sign that stands before it. */
    private record Pair(int part, boolean negative, int otherPart, boolean otherNegative) {}

    /**
     * Whether the values of both are the same for all variables, as far as their shapes say so: a minus sign before a
     * product may stand before its first factor as well.
     */
    boolean sameValueAs(FormulaTree other) {
        Deque<Pair> open = new ArrayDeque<>();
        open.push(new Pair(size - 1, false, other.size - 1, false));
        while (!open.isEmpty()) {
            Pair pair = open.pop();
            int a = pair.part;
            boolean negativeA = pair.negative;
            while (kind(a) == Kind.MINUS) {
                negativeA = !negativeA;
                a--;
            }
            int b = pair.otherPart;
            boolean negativeB = pair.otherNegative;
            while (other.kind(b) == Kind.MINUS) {
                negativeB = !negativeB;
                b--;
            }
            if (kinds[a] != other.kinds[b] || hasFirst(a) != other.hasFirst(b) || !sameDetail(a, other, b)) {
                return false;
            }
            boolean factors = product(a);
            if (!factors && negativeA != negativeB) {
                return false;
            }
            if (hasFirst(a)) {
                open.push(new Pair(first(a), factors && negativeA, other.first(b), factors && negativeB));
            }
            switch (kind(a)) {
                case LITERAL, VARIABLE -> {}
                case CONDITION -> {
                    open.push(new Pair(details[a], false, other.details[b], false));
                    open.push(new Pair(a - 1, false, b - 1, false));
                }
                default -> open.push(new Pair(a - 1, false, b - 1, false));
            }
        }
        return true;
    }

    private boolean product(int part) {
        if (kind(part) != Kind.BINARY) {
            return false;
        }
        return switch (operator(part)) {
            case TIMES, DIVIDED, REMAINDER -> true;
            default -> false;
        };
    }

    private boolean sameDetail(int part, FormulaTree other, int otherPart) {
        return switch (kind(part)) {
            case CONDITION -> true;
            case LITERAL -> literalTexts[details[part]].equals(other.literalTexts[other.details[otherPart]]);
            default -> details[part] == other.details[otherPart];
        };
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof FormulaTree other
                && names.equals(other.names)
                && Arrays.equals(kinds, 0, size, other.kinds, 0, other.size)
                && Arrays.equals(details, 0, size, other.details, 0, other.size)
                && Arrays.equals(firsts, 0, size, other.firsts, 0, other.size)
                && Arrays.equals(reals, 0, size, other.reals, 0, other.size)
                && Arrays.equals(literalTexts, 0, literals, other.literalTexts, 0, other.literals);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(Arrays.copyOf(kinds, size)) * 31 + Arrays.hashCode(Arrays.copyOf(details, size));
    }

    // ---- Printing

    /** A piece of what is printed: either text, or a part with the lowest precedence that needs no brackets there. */
    private record Piece(String text, int part, int lowest) {
        static Piece of(String text) {
            return new Piece(text, NO_PART, LOWEST);
        }
    }

    private int precedence(int part) {
        return switch (kind(part)) {
            case CONDITION -> LOWEST;
            case MINUS, NOT -> FormulaOperator.UNARY_PRECEDENCE;
            case BINARY -> operator(part).precedence;
            case LITERAL, VARIABLE, CALL -> PRIMARY;
        };
    }

    /** The formula with no more brackets than it needs, which is parsed to the same tree. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        Deque<Piece> open = new ArrayDeque<>();
        open.push(new Piece("", size - 1, LOWEST));
        while (!open.isEmpty()) {
            Piece piece = open.pop();
            if (piece.part == NO_PART) {
                text.append(piece.text);
            } else if (precedence(piece.part) < piece.lowest) {
                text.append('(');
                open.push(Piece.of(")"));
                open.push(new Piece("", piece.part, LOWEST));
            } else {
                print(piece.part, text, open);
            }
        }
        return text.toString();
    }

    private void print(int part, StringBuilder text, Deque<Piece> open) {
        switch (kind(part)) {
            case LITERAL -> text.append(literalTexts[details[part]]);
            case VARIABLE -> text.append(names.get(details[part]));
            case MINUS, NOT -> {
                text.append(kind(part) == Kind.MINUS ? '-' : '~');
                open.push(new Piece("", part - 1, FormulaOperator.UNARY_PRECEDENCE));
            }
            case CONDITION -> {
                open.push(new Piece("", part - 1, LOWEST));
                open.push(Piece.of(" : "));
                open.push(new Piece("", details[part], LOWEST));
                open.push(Piece.of(" ? "));
                open.push(new Piece("", firsts[part], LOWEST + 1));
            }
            case BINARY -> {
                FormulaOperator operator = operator(part);
                int right = operator.bindsFromTheRight() ? 0 : 1;
                open.push(new Piece("", part - 1, operator.precedence + right));
                open.push(Piece.of(" " + operator.text + " "));
                open.push(new Piece("", firsts[part], operator.precedence + 1 - right));
            }
            case CALL -> {
                text.append(function(part)).append('(');
                open.push(Piece.of(")"));
                open.push(new Piece("", part - 1, LOWEST));
                if (hasFirst(part)) {
                    open.push(Piece.of(", "));
                    open.push(new Piece("", firsts[part], LOWEST));
                }
            }
        }
    }
}
