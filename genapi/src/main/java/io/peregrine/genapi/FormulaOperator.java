package io.peregrine.genapi;

/** Binary operators of formulas. */
enum FormulaOperator {
    OR("||", 1, 1),
    AND("&&", 2, 1),
    BIT_OR("|", 3, 4),
    BIT_XOR("^", 4, 4),
    BIT_AND("&", 5, 4),
    EQUAL("=", 6, 1),
    EQUAL_C("==", 6, 1),
    UNEQUAL("<>", 6, 1),
    UNEQUAL_C("!=", 6, 1),
    LESS("<", 7, 1),
    LESS_EQUAL("<=", 7, 1),
    GREATER(">", 7, 1),
    GREATER_EQUAL(">=", 7, 1),
    LEFT("<<", 8, 4),
    RIGHT(">>", 8, 4),
    PLUS("+", 9, 2),
    MINUS("-", 9, 2),
    TIMES("*", 10, 3),
    DIVIDED("/", 10, 3),
    REMAINDER("%", 10, 3),
    POWER("**", 11, 4);

    static final FormulaOperator[] ALL = values();

    /** Stronger than that of any binary operator. */
    static final int UNARY_PRECEDENCE = 20;

    final String text;
    /** How strongly it binds, in the order of C. */
    final int precedence;
    /** How strongly it binds in the reference implementation, where all operators bind from the left. */
    final int referencePrecedence;

    FormulaOperator(String text, int precedence, int referencePrecedence) {
        this.text = text;
        this.precedence = precedence;
        this.referencePrecedence = referencePrecedence;
    }

    boolean arithmetic() {
        return precedence >= PLUS.precedence;
    }

    boolean bindsFromTheRight() {
        return this == POWER;
    }
}
