package io.peregrine.genapi;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A formula of a swiss knife or converter (GenICam standard 2.1.1, 2.8.12), compiled to code for a separate stack, so
 * that neither depth nor length costs stack of the thread, and nothing is allocated when it is evaluated.
 *
 * <p>Order of precedence is that of C, with {@code =} and {@code <>} for equality ({@code ==} and {@code !=} are
 * tolerated) and {@code **} binding stronger than {@code *}, from the right; unary operators bind strongest. In the
 * integer domain values are 64-bit integers, and floating point takes part only through a literal or a variable that is
 * one; in the floating point domain everything is a double, bit operations cut off fractions, and shifts work on signed
 * 32-bit integers where both operands are such. Shift counts count modulo the width. Only the branch of a condition
 * that is taken is evaluated. A division by zero is an error; other results may be infinite or not a number.
 *
 * <p>Not for use by several threads at a time.
 */
final class Formula {

    /** Where a formula's variables come from. */
    interface Variables {
        long longValue(int index);

        double doubleValue(int index);
    }

    // Operations. Operands lie on the stack, real ones among the reals, whole ones among the wholes.

    static final int OPERATION_MASK = 0xFF;
    static final int OPERAND_SHIFT = 8;

    /** Pushes the real number whose index is the operand; in the same way the others. */
    static final int REAL = 0;

    static final int WHOLE = 1;
    static final int REAL_VARIABLE = 2;
    static final int WHOLE_VARIABLE = 3;
    static final int TO_REAL = 4;
    static final int TO_WHOLE = 5;
    static final int JUMP = 6;
    /** Takes the topmost value, and jumps if it is zero. */
    static final int UNLESS = 7;

    static final int UNLESS_REAL = 8;
    /** Makes 0 or 1 of the topmost value. */
    static final int TRUTH = 9;

    static final int REAL_TRUTH = 10;
    /** Jumps, leaving the topmost value, if it is zero; else takes it. */
    static final int END_UNLESS_TRUE = 11;

    static final int END_IF_TRUE = 12;
    static final int NEGATE = 13;
    static final int NEGATE_REAL = 14;
    static final int NOT = 15;
    /** Applies the function whose ordinal is the operand. */
    static final int CALL = 16;

    static final int CALL_REAL = 17;
    static final int REAL_SIGN = 18;
    static final int ROUND_TO_DIGITS = 19;
    static final int DROP = 20;
    static final int LEFT = 21;
    static final int RIGHT = 22;
    static final int LEFT_OF_32 = 23;
    static final int RIGHT_OF_32 = 24;

    /** An operator on whole numbers is this and its ordinal. */
    static final int WHOLE_OPERATORS = 32;

    /** An operator on real numbers is this and its ordinal. */
    static final int REAL_OPERATORS = 64;

    /** Stacks that are deeper are not kept. */
    private static final int MAX_KEPT_DEPTH = 256;

    private final int[] code;
    private final double[] realLiterals;
    private final long[] wholeLiterals;
    private final int depth;
    private final boolean real;
    private final boolean integers;

    /** The stack; null while the formula is evaluated, since a variable can depend on another value of it. */
    private @Nullable Stack kept;

    private static final class Stack {
        private final double[] reals;
        private final long[] wholes;

        Stack(int depth) {
            reals = new double[depth];
            wholes = new long[depth];
        }
    }

    /** For {@link FormulaCompiler}. */
    Formula(int[] code, double[] realLiterals, long[] wholeLiterals, int depth, boolean real, boolean integers) {
        this.code = code;
        this.realLiterals = realLiterals;
        this.wholeLiterals = wholeLiterals;
        this.depth = depth;
        this.real = real;
        this.integers = integers;
    }

    /**
     * Compiles a formula.
     *
     * @param text the formula
     * @param names variable names; the index of a name is its index in {@link Variables}
     * @param expressions named sub-expressions and constants, by name
     * @param integerDomain whether it belongs to an integer node
     * @param realVariables which variables are floating point, by index; asked in the integer domain only
     */
    static Formula compile(
            String text,
            List<String> names,
            Map<String, String> expressions,
            boolean integerDomain,
            IntPredicate realVariables) {
        FormulaTree tree =
                FormulaParser.parse(FormulaParser.Grammar.C, text, names, expressions, integerDomain, realVariables);
        return FormulaCompiler.compile(tree, integerDomain);
    }

    double doubleValue(Variables variables) {
        Stack stack = take();
        try {
            run(variables, stack.reals, stack.wholes);
            return real ? stack.reals[0] : stack.wholes[0];
        } finally {
            giveBack(stack);
        }
    }

    long longValue(Variables variables) {
        Stack stack = take();
        try {
            run(variables, stack.reals, stack.wholes);
            return real ? toLong(stack.reals[0], integers) : stack.wholes[0];
        } finally {
            giveBack(stack);
        }
    }

    private Stack take() {
        Stack stack = kept;
        kept = null;
        return stack == null ? new Stack(depth) : stack;
    }

    private void giveBack(Stack stack) {
        if (depth <= MAX_KEPT_DEPTH) {
            kept = stack;
        }
    }

    private void run(Variables variables, double[] reals, long[] wholes) {
        int top = -1;
        int at = 0;
        while (at < code.length) {
            int operation = code[at++];
            int operand = operation >>> OPERAND_SHIFT;
            switch (operation & OPERATION_MASK) {
                case REAL -> reals[++top] = realLiterals[operand];
                case WHOLE -> wholes[++top] = wholeLiterals[operand];
                case REAL_VARIABLE -> reals[++top] = variables.doubleValue(operand);
                case WHOLE_VARIABLE -> wholes[++top] = variables.longValue(operand);
                case TO_REAL -> reals[top] = wholes[top];
                case TO_WHOLE -> wholes[top] = toLong(reals[top], true);
                case JUMP -> at = operand;
                case UNLESS -> at = wholes[top--] == 0 ? operand : at;
                case UNLESS_REAL -> at = reals[top--] == 0 ? operand : at;
                case TRUTH -> wholes[top] = wholes[top] == 0 ? 0 : 1;
                case REAL_TRUTH -> wholes[top] = reals[top] == 0 ? 0 : 1;
                case END_UNLESS_TRUE -> {
                    if (wholes[top] == 0) {
                        at = operand;
                    } else {
                        top--;
                    }
                }
                case END_IF_TRUE -> {
                    if (wholes[top] != 0) {
                        at = operand;
                    } else {
                        top--;
                    }
                }
                case NEGATE -> wholes[top] = -wholes[top];
                case NEGATE_REAL -> reals[top] = -reals[top];
                case NOT -> wholes[top] = ~wholes[top];
                case CALL -> wholes[top] = FormulaFunction.ALL[operand].of(wholes[top]);
                case CALL_REAL -> reals[top] = FormulaFunction.ALL[operand].of(reals[top]);
                case REAL_SIGN -> wholes[top] = (long) Math.signum(reals[top]);
                case ROUND_TO_DIGITS -> {
                    top--;
                    reals[top] = FormulaFunction.rounded(reals[top], reals[top + 1]);
                }
                case DROP -> top--;
                default -> {
                    top--;
                    operate(operation & OPERATION_MASK, top, reals, wholes);
                }
            }
        }
    }

    /** Operations on two operands, of which the first is replaced by the result. */
    private static void operate(int operation, int at, double[] reals, long[] wholes) {
        if (operation >= REAL_OPERATORS) {
            operateReal(operation - REAL_OPERATORS, at, reals, wholes);
            return;
        }
        long a = wholes[at];
        long b = wholes[at + 1];
        wholes[at] = switch (operation) {
            case LEFT -> a << b;
            case RIGHT -> a >> b;
            case LEFT_OF_32 -> fits32(a) && fits32(b) ? (int) a << (int) b : a << b;
            case RIGHT_OF_32 -> fits32(a) && fits32(b) ? (int) a >> (int) b : a >> b;
            default -> operateWhole(FormulaOperator.ALL[operation - WHOLE_OPERATORS], a, b);
        };
    }

    private static boolean fits32(long value) {
        return value == (int) value;
    }

    private static long operateWhole(FormulaOperator operator, long a, long b) {
        return switch (operator) {
            case BIT_OR -> a | b;
            case BIT_XOR -> a ^ b;
            case BIT_AND -> a & b;
            case PLUS -> a + b;
            case MINUS -> a - b;
            case TIMES -> a * b;
            case DIVIDED -> {
                if (b == 0) {
                    throw divisionByZero();
                }
                yield a / b;
            }
            case REMAINDER -> {
                if (b == 0) {
                    throw remainderByZero();
                }
                yield a % b;
            }
            case POWER -> power(a, b);
            case EQUAL, EQUAL_C -> a == b ? 1 : 0;
            case UNEQUAL, UNEQUAL_C -> a != b ? 1 : 0;
            case LESS -> a < b ? 1 : 0;
            case LESS_EQUAL -> a <= b ? 1 : 0;
            case GREATER -> a > b ? 1 : 0;
            case GREATER_EQUAL -> a >= b ? 1 : 0;
            case AND, OR, LEFT, RIGHT -> throw new IllegalStateException("not calculated here");
        };
    }

    private static void operateReal(int ordinal, int at, double[] reals, long[] wholes) {
        double a = reals[at];
        double b = reals[at + 1];
        switch (FormulaOperator.ALL[ordinal]) {
            case PLUS -> reals[at] = a + b;
            case MINUS -> reals[at] = a - b;
            case TIMES -> reals[at] = a * b;
            case DIVIDED -> {
                if (b == 0) {
                    throw divisionByZero();
                }
                reals[at] = a / b;
            }
            case REMAINDER -> {
                if (b == 0) {
                    throw remainderByZero();
                }
                reals[at] = a % b;
            }
            case POWER -> reals[at] = Math.pow(a, b);
            case EQUAL, EQUAL_C -> wholes[at] = a == b ? 1 : 0;
            case UNEQUAL, UNEQUAL_C -> wholes[at] = a != b ? 1 : 0;
            case LESS -> wholes[at] = a < b ? 1 : 0;
            case LESS_EQUAL -> wholes[at] = a <= b ? 1 : 0;
            case GREATER -> wholes[at] = a > b ? 1 : 0;
            case GREATER_EQUAL -> wholes[at] = a >= b ? 1 : 0;
            case AND, OR, BIT_AND, BIT_OR, BIT_XOR, LEFT, RIGHT ->
                throw new IllegalStateException("not calculated here");
        }
    }

    private static GenApiException divisionByZero() {
        return new GenApiException("The formula divides by zero");
    }

    private static GenApiException remainderByZero() {
        return new GenApiException("The formula takes a remainder by zero");
    }

    /** Exact where the result fits into 64 bits. */
    private static long power(long base, long exponent) {
        if (exponent < 0 || Math.abs(Math.pow((double) base, (double) exponent)) >= 0x1p63) {
            return toLong(Math.pow((double) base, (double) exponent), true);
        }
        if (base == 0 || base == 1) {
            return exponent == 0 ? 1 : base;
        }
        if (base == -1) {
            return (exponent & 1) == 0 ? 1 : -1;
        }
        long result = 1;
        for (long i = 0; i < exponent; i++) {
            result *= base;
        }
        return result;
    }

    private static long toLong(double value, boolean truncate) {
        double whole = truncate ? (value < 0 ? Math.ceil(value) : Math.floor(value)) : Math.rint(value);
        if (Double.isNaN(whole) || whole < -0x1p63 || whole >= 0x1p64) {
            throw new GenApiException("The formula gives " + value + ", which is no 64-bit integer");
        }
        return whole >= 0x1p63 ? (long) (whole - 0x1p63) + Long.MIN_VALUE : (long) whole;
    }

    /** Whether both do the same. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Formula formula
                && integers == formula.integers
                && real == formula.real
                && Arrays.equals(code, formula.code)
                && Arrays.equals(realLiterals, formula.realLiterals)
                && Arrays.equals(wholeLiterals, formula.wholeLiterals);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(code);
    }
}
