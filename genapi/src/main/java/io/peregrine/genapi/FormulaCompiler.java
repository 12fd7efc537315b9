package io.peregrine.genapi;

import java.util.Arrays;

/** Makes of a tree the code that {@link Formula} runs: a stack machine whose types are known before it runs. */
final class FormulaCompiler {
    private static final int[] NO_PARENTS = new int[0];

    private final FormulaTree tree;
    private final boolean integers;
    private final int[] parents;
    /** For a part that ends with jumps to be filled in: where the last one is. */
    private final int[] jumps;

    private int[] code;
    private int length;
    private double[] reals = new double[4];
    private int realCount;
    private long[] wholes = new long[4];
    private int wholeCount;
    private int depth;
    private int maxDepth;

    private FormulaCompiler(FormulaTree tree, boolean integers) {
        this.tree = tree;
        this.integers = integers;
        parents = tree.size() == 1 ? NO_PARENTS : new int[tree.size()];
        jumps = tree.size() == 1 ? NO_PARENTS : new int[tree.size()];
        code = new int[tree.size() + tree.size() / 2 + 2];
    }

    static Formula compile(FormulaTree tree, boolean integers) {
        return new FormulaCompiler(tree, integers).compile();
    }

    private Formula compile() {
        int root = tree.size() - 1;
        for (int part = 0; part <= root; part++) {
            switch (tree.kind(part)) {
                case LITERAL, VARIABLE -> {}
                case CONDITION -> {
                    parents[tree.first(part)] = part;
                    parents[tree.detail(part)] = part;
                    parents[part - 1] = part;
                }
                default -> {
                    if (tree.hasFirst(part)) {
                        parents[tree.first(part)] = part;
                    }
                    parents[part - 1] = part;
                }
            }
        }
        for (int part = 0; part <= root; part++) {
            emit(part);
            if (part != root) {
                passOn(part, parents[part]);
            }
        }
        return new Formula(
                Arrays.copyOf(code, length),
                Arrays.copyOf(reals, realCount),
                Arrays.copyOf(wholes, wholeCount),
                maxDepth,
                tree.real(root),
                integers);
    }

    /** The code of a part whose operands lie on the stack as it wants them. */
    private void emit(int part) {
        boolean real = tree.real(part);
        switch (tree.kind(part)) {
            case LITERAL -> {
                if (real) {
                    push(Formula.REAL, real(tree.realLiteral(part)));
                } else {
                    push(Formula.WHOLE, whole(tree.wholeLiteral(part)));
                }
            }
            case VARIABLE -> push(real ? Formula.REAL_VARIABLE : Formula.WHOLE_VARIABLE, tree.detail(part));
            case CONDITION -> land(jumps[part]);
            case MINUS -> add(real ? Formula.NEGATE_REAL : Formula.NEGATE, 0);
            case NOT -> add(Formula.NOT, 0);
            case BINARY -> binary(part);
            case CALL -> call(part);
        }
    }

    private void binary(int part) {
        FormulaOperator operator = tree.operator(part);
        if (operator == FormulaOperator.AND || operator == FormulaOperator.OR) {
            add(tree.real(part - 1) ? Formula.REAL_TRUTH : Formula.TRUTH, 0);
            land(jumps[part]);
            return;
        }
        depth--;
        switch (operator) {
            // Real formulas shift as the reference does, among 32 bits.
            case LEFT -> add(integers ? Formula.LEFT : Formula.LEFT_OF_32, 0);
            case RIGHT -> add(integers ? Formula.RIGHT : Formula.RIGHT_OF_32, 0);
            default -> {
                int whole = Formula.WHOLE_OPERATORS + operator.ordinal();
                add(realOperands(part) ? whole - Formula.WHOLE_OPERATORS + Formula.REAL_OPERATORS : whole, 0);
            }
        }
    }

    private void call(int part) {
        FormulaFunction function = tree.function(part);
        boolean real = tree.real(part);
        if (tree.hasFirst(part)) {
            depth--;
            add(real ? Formula.ROUND_TO_DIGITS : Formula.DROP, 0);
        } else if (function == FormulaFunction.SGN && tree.real(part - 1)) {
            add(Formula.REAL_SIGN, 0);
        } else {
            add(real ? Formula.CALL_REAL : Formula.CALL, function.ordinal());
        }
    }

    /** Whether an operator calculates with or compares real numbers. */
    private boolean realOperands(int part) {
        return switch (tree.operator(part)) {
            case BIT_AND, BIT_OR, BIT_XOR, LEFT, RIGHT -> false;
            default -> !integers || tree.real(tree.first(part)) || tree.real(part - 1);
        };
    }

    /** Makes of the value of a part what its parent wants, and skips what the parent does not need then. */
    private void passOn(int part, int parent) {
        boolean real = tree.real(part);
        boolean last = part == parent - 1;
        switch (tree.kind(parent)) {
            case CONDITION -> {
                if (part == tree.first(parent)) {
                    jumps[parent] = add(real ? Formula.UNLESS_REAL : Formula.UNLESS, 0);
                    depth--;
                } else {
                    convert(real, tree.real(parent));
                    if (!last) {
                        int jump = add(Formula.JUMP, 0);
                        land(jumps[parent]);
                        jumps[parent] = jump;
                        depth--;
                    }
                }
            }
            case MINUS -> convert(real, tree.real(parent));
            case NOT -> convert(real, false);
            case BINARY -> {
                FormulaOperator operator = tree.operator(parent);
                if (operator != FormulaOperator.AND && operator != FormulaOperator.OR) {
                    convert(real, realOperands(parent));
                } else if (!last) {
                    add(real ? Formula.REAL_TRUTH : Formula.TRUTH, 0);
                    jumps[parent] =
                            add(operator == FormulaOperator.AND ? Formula.END_UNLESS_TRUE : Formula.END_IF_TRUE, 0);
                    depth--;
                }
            }
            case CALL -> {
                if (tree.function(parent) != FormulaFunction.SGN) {
                    convert(real, tree.real(parent));
                }
            }
            case LITERAL, VARIABLE -> throw new IllegalStateException("a part without operands");
        }
    }

    private void convert(boolean fromReal, boolean toReal) {
        if (fromReal != toReal) {
            add(toReal ? Formula.TO_REAL : Formula.TO_WHOLE, 0);
        }
    }

    private void push(int operation, int operand) {
        add(operation, operand);
        maxDepth = Math.max(maxDepth, ++depth);
    }

    private int add(int operation, int operand) {
        if (length == code.length) {
            code = Arrays.copyOf(code, length * 2);
        }
        code[length] = operation | operand << Formula.OPERAND_SHIFT;
        return length++;
    }

    /** Lets a jump end at what comes next. */
    private void land(int jump) {
        code[jump] = (code[jump] & Formula.OPERATION_MASK) | length << Formula.OPERAND_SHIFT;
    }

    private int real(double value) {
        if (realCount == reals.length) {
            reals = Arrays.copyOf(reals, realCount * 2);
        }
        reals[realCount] = value;
        return realCount++;
    }

    private int whole(long value) {
        if (wholeCount == wholes.length) {
            wholes = Arrays.copyOf(wholes, wholeCount * 2);
        }
        wholes[wholeCount] = value;
        return wholeCount++;
    }
}
