package io.peregrine.genapi;

import org.jspecify.annotations.Nullable;

/** Cuts a formula into its tokens. */
final class FormulaLexer {
    /** Kinds of tokens. */
    enum Token {
        NUMBER,
        NAME,
        OPERATOR,
        NOT,
        OPEN,
        CLOSE,
        COMMA,
        QUESTION,
        COLON,
        END
    }

    private static final int MAX_SHOWN = 200;

    private final String text;
    private int at;

    /** Kind of the present token. */
    Token token = Token.END;

    /** The operator that the token is, where it is one. */
    FormulaOperator operator = FormulaOperator.PLUS;

    /** Whether the number that the token is has a fraction or an exponent. */
    boolean real;

    private int start;

    FormulaLexer(String text) {
        this.text = text;
    }

    /** Characters of the present token. */
    String tokenText() {
        return text.substring(start, at);
    }

    /** Goes on to the next token. */
    void next() {
        skipBlanks();
        start = at;
        if (at == text.length()) {
            token = Token.END;
            return;
        }
        char c = text.charAt(at);
        if ((c >= '0' && c <= '9') || c == '.') {
            token = Token.NUMBER;
            number();
        } else if (Character.isLetter(c) || c == '_') {
            token = Token.NAME;
            do {
                at++;
            } while (at < text.length() && partOfName(text.charAt(at)));
        } else {
            token = mark(c);
            at += token == Token.OPERATOR ? operator.text.length() : 1;
        }
    }

    /** Whether the next token is an opening bracket. */
    boolean bracketFollows() {
        skipBlanks();
        return at < text.length() && text.charAt(at) == '(';
    }

    /** Whether the next token is a function with its opening bracket. */
    boolean functionFollows() {
        skipBlanks();
        int end = at;
        while (end < text.length() && partOfName(text.charAt(end))) {
            end++;
        }
        String name = text.substring(at, end);
        while (end < text.length() && text.charAt(end) <= ' ') {
            end++;
        }
        return end < text.length() && text.charAt(end) == '(' && FormulaFunction.named(name) != null;
    }

    private Token mark(char c) {
        return switch (c) {
            case '(' -> Token.OPEN;
            case ')' -> Token.CLOSE;
            case ',' -> Token.COMMA;
            case '?' -> Token.QUESTION;
            case ':' -> Token.COLON;
            case '~' -> Token.NOT;
            default -> {
                FormulaOperator found = operatorAt(c, at + 1 < text.length() ? text.charAt(at + 1) : ' ');
                if (found == null) {
                    throw wrong("unexpected '" + c + "'");
                }
                operator = found;
                yield Token.OPERATOR;
            }
        };
    }

    private static @Nullable FormulaOperator operatorAt(char c, char next) {
        return switch (c) {
            case '+' -> FormulaOperator.PLUS;
            case '-' -> FormulaOperator.MINUS;
            case '*' -> next == '*' ? FormulaOperator.POWER : FormulaOperator.TIMES;
            case '/' -> FormulaOperator.DIVIDED;
            case '%' -> FormulaOperator.REMAINDER;
            case '|' -> next == '|' ? FormulaOperator.OR : FormulaOperator.BIT_OR;
            case '&' -> next == '&' ? FormulaOperator.AND : FormulaOperator.BIT_AND;
            case '^' -> FormulaOperator.BIT_XOR;
            case '=' -> next == '=' ? FormulaOperator.EQUAL_C : FormulaOperator.EQUAL;
            case '!' -> next == '=' ? FormulaOperator.UNEQUAL_C : null;
            case '<' ->
                switch (next) {
                    case '>' -> FormulaOperator.UNEQUAL;
                    case '=' -> FormulaOperator.LESS_EQUAL;
                    case '<' -> FormulaOperator.LEFT;
                    default -> FormulaOperator.LESS;
                };
            case '>' ->
                switch (next) {
                    case '=' -> FormulaOperator.GREATER_EQUAL;
                    case '>' -> FormulaOperator.RIGHT;
                    default -> FormulaOperator.GREATER;
                };
            default -> null;
        };
    }

    private void number() {
        real = false;
        if (text.startsWith("0x", at) || text.startsWith("0X", at)) {
            at += 2;
            while (at < text.length() && Character.digit(text.charAt(at), 16) >= 0) {
                at++;
            }
            return;
        }
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c >= '0' && c <= '9') {
                at++;
            } else if (c == '.') {
                real = true;
                at++;
            } else if ((c == 'e' || c == 'E') && exponentFollows()) {
                real = true;
                at += 2;
            } else {
                return;
            }
        }
    }

    private boolean exponentFollows() {
        int next = at + 1;
        if (next < text.length() && (text.charAt(next) == '+' || text.charAt(next) == '-')) {
            next++;
        }
        return next < text.length() && Character.isDigit(text.charAt(next));
    }

    private static boolean partOfName(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '.';
    }

    private void skipBlanks() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
    }

    /** What is wrong with the formula, for throwing. */
    GenApiException wrong(String what) {
        String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
        return new GenApiException("The formula '" + shown + "' cannot be used: " + what + " at " + start);
    }

    /** The present token is not what belongs here. */
    GenApiException unexpected() {
        return wrong(token == Token.END ? "it ends too early" : "unexpected '" + tokenText() + "'");
    }
}
