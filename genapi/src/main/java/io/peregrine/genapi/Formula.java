package io.peregrine.genapi;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * A formula of a swiss knife or converter, compiled to a tree whose types are known (GenICam standard 2.1.1, 2.8.12),
 * and evaluated without allocation.
 *
 * <p>Order of precedence is that of C, with {@code =} and {@code <>} for equality ({@code ==} and {@code !=} are
 * tolerated) and {@code **} binding stronger than {@code *}, from the right; unary operators bind strongest. In the
 * integer domain values are 64-bit integers, and floating point takes part only through a literal or a variable that is
 * one; in the floating point domain everything is a double, and bit operations go through a 64-bit integer. Only the
 * branch of a condition that is taken is evaluated.
 */
final class Formula {

    /** Where a formula's variables come from. */
    interface Variables {
        long longValue(int index);

        double doubleValue(int index);
    }

    /** Part of a formula, either real or whole. */
    private sealed interface Expression permits Literal, Variable, Condition, Unary, Binary, Call {
        boolean real();

        double asDouble(Variables variables);

        long asLong(Variables variables);

        /** Longest way down, which evaluation takes on the stack. */
        int depth();

        /** How strongly it binds when it is printed. */
        int precedence();
    }

    private static final int MAX_DEPTH = 1500;
    private static final int MAX_TREE_DEPTH = 1000;
    /** Far more than any real formula has; sub-expressions count where they are put in. */
    private static final int MAX_PARTS = 100_000;

    private static final int CONDITION = 0;
    private static final int UNARY = 20;
    private static final int PRIMARY = 21;

    private static String bracketed(Expression expression, int lowest) {
        return expression.precedence() < lowest ? "(" + expression + ")" : expression.toString();
    }

    private final Expression root;
    private final boolean integerDomain;

    private Formula(Expression root, boolean integerDomain) {
        this.root = root;
        this.integerDomain = integerDomain;
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
        Parser parser = new Parser(
                text, names, expressions, integerDomain, index -> !integerDomain || realVariables.test(index), 0);
        return new Formula(parser.whole(), integerDomain);
    }

    /** How many levels evaluation goes down. */
    int depth() {
        return root.depth();
    }

    double doubleValue(Variables variables) {
        return root.real() ? root.asDouble(variables) : root.asLong(variables);
    }

    long longValue(Variables variables) {
        if (!root.real()) {
            return root.asLong(variables);
        }
        return toLong(root.asDouble(variables), integerDomain);
    }

    /** The formula with no more brackets than it needs, which compiles to the same tree. */
    @Override
    public String toString() {
        return root.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Formula formula && integerDomain == formula.integerDomain && root.equals(formula.root);
    }

    @Override
    public int hashCode() {
        return root.hashCode();
    }

    private static long toLong(double value, boolean truncate) {
        double whole = truncate ? (value < 0 ? Math.ceil(value) : Math.floor(value)) : Math.rint(value);
        if (Double.isNaN(whole) || whole < -0x1p63 || whole >= 0x1p64) {
            throw new GenApiException("The formula gives " + value + ", which is no 64-bit integer");
        }
        return whole >= 0x1p63 ? (long) (whole - 0x1p63) + Long.MIN_VALUE : (long) whole;
    }

    private static double real(Expression expression, Variables variables) {
        return expression.real() ? expression.asDouble(variables) : expression.asLong(variables);
    }

    private static long whole(Expression expression, Variables variables) {
        return expression.real() ? toLong(expression.asDouble(variables), true) : expression.asLong(variables);
    }

    private static boolean truth(Expression expression, Variables variables) {
        return expression.real() ? expression.asDouble(variables) != 0 : expression.asLong(variables) != 0;
    }

    private record Literal(double number, long wholeNumber, boolean real, String text) implements Expression {
        @Override
        public double asDouble(Variables variables) {
            return number;
        }

        @Override
        public long asLong(Variables variables) {
            return wholeNumber;
        }

        @Override
        public int depth() {
            return 1;
        }

        @Override
        public int precedence() {
            return PRIMARY;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private record Variable(String name, int index, boolean real) implements Expression {
        @Override
        public double asDouble(Variables variables) {
            return variables.doubleValue(index);
        }

        @Override
        public long asLong(Variables variables) {
            return variables.longValue(index);
        }

        @Override
        public int depth() {
            return 1;
        }

        @Override
        public int precedence() {
            return PRIMARY;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private record Condition(Expression test, Expression yes, Expression no, boolean real, int depth)
            implements Expression {
        @Override
        public double asDouble(Variables variables) {
            return Formula.real(truth(test, variables) ? yes : no, variables);
        }

        @Override
        public long asLong(Variables variables) {
            return whole(truth(test, variables) ? yes : no, variables);
        }

        @Override
        public int precedence() {
            return CONDITION;
        }

        @Override
        public String toString() {
            return bracketed(test, CONDITION + 1) + " ? " + yes + " : " + no;
        }
    }

    private record Unary(char operator, Expression operand, boolean real, int depth) implements Expression {
        @Override
        public double asDouble(Variables variables) {
            return operator == '-' ? -Formula.real(operand, variables) : asLong(variables);
        }

        @Override
        public long asLong(Variables variables) {
            long value = whole(operand, variables);
            return operator == '-' ? -value : ~value;
        }

        @Override
        public int precedence() {
            return UNARY;
        }

        @Override
        public String toString() {
            return operator + bracketed(operand, UNARY);
        }
    }

    private enum Operator {
        OR("||", 1),
        AND("&&", 2),
        BIT_OR("|", 3),
        BIT_XOR("^", 4),
        BIT_AND("&", 5),
        EQUAL("=", 6),
        EQUAL_C("==", 6),
        UNEQUAL("<>", 6),
        UNEQUAL_C("!=", 6),
        LESS("<", 7),
        LESS_EQUAL("<=", 7),
        GREATER(">", 7),
        GREATER_EQUAL(">=", 7),
        LEFT("<<", 8),
        RIGHT(">>", 8),
        PLUS("+", 9),
        MINUS("-", 9),
        TIMES("*", 10),
        DIVIDED("/", 10),
        REMAINDER("%", 10),
        POWER("**", 11);

        private static final Operator[] ALL = values();

        final String text;
        final int precedence;

        Operator(String text, int precedence) {
            this.text = text;
            this.precedence = precedence;
        }

        boolean arithmetic() {
            return precedence >= PLUS.precedence;
        }
    }

    /** {@code realOperands} tells how a comparison compares; {@code real} what the result is. */
    private record Binary(
            Operator operator, Expression left, Expression right, boolean realOperands, boolean real, int depth)
            implements Expression {
        @Override
        public double asDouble(Variables variables) {
            if (!real) {
                return asLong(variables);
            }
            double a = Formula.real(left, variables);
            double b = Formula.real(right, variables);
            return switch (operator) {
                case PLUS -> a + b;
                case MINUS -> a - b;
                case TIMES -> a * b;
                case DIVIDED -> a / b;
                case REMAINDER -> {
                    if (b == 0) {
                        throw new GenApiException("The formula takes a remainder by zero");
                    }
                    yield a % b;
                }
                default -> Math.pow(a, b);
            };
        }

        @Override
        public long asLong(Variables variables) {
            if (real) {
                return toLong(asDouble(variables), true);
            }
            return switch (operator) {
                case OR -> truth(left, variables) || truth(right, variables) ? 1 : 0;
                case AND -> truth(left, variables) && truth(right, variables) ? 1 : 0;
                case EQUAL, EQUAL_C, UNEQUAL, UNEQUAL_C, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL ->
                    compare(variables) ? 1 : 0;
                default -> compute(whole(left, variables), whole(right, variables));
            };
        }

        private long compute(long a, long b) {
            return switch (operator) {
                case BIT_OR -> a | b;
                case BIT_XOR -> a ^ b;
                case BIT_AND -> a & b;
                case LEFT -> b < 0 || b > 63 ? 0 : a << b;
                case RIGHT -> b < 0 || b > 63 ? (a < 0 ? -1 : 0) : a >> b;
                case PLUS -> a + b;
                case MINUS -> a - b;
                case TIMES -> a * b;
                case DIVIDED -> {
                    if (b == 0) {
                        throw new GenApiException("The formula divides by zero");
                    }
                    yield a / b;
                }
                case REMAINDER -> {
                    if (b == 0) {
                        throw new GenApiException("The formula takes a remainder by zero");
                    }
                    yield a % b;
                }
                default -> power(a, b);
            };
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

        private boolean compare(Variables variables) {
            int order;
            if (realOperands) {
                double a = Formula.real(left, variables);
                double b = Formula.real(right, variables);
                if (Double.isNaN(a) || Double.isNaN(b)) {
                    return operator == Operator.UNEQUAL || operator == Operator.UNEQUAL_C;
                }
                order = a < b ? -1 : a > b ? 1 : 0;
            } else {
                order = Long.compare(left.asLong(variables), right.asLong(variables));
            }
            return switch (operator) {
                case EQUAL, EQUAL_C -> order == 0;
                case UNEQUAL, UNEQUAL_C -> order != 0;
                case LESS -> order < 0;
                case LESS_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                default -> order >= 0;
            };
        }

        @Override
        public int precedence() {
            return operator.precedence;
        }

        @Override
        public String toString() {
            // Only ** binds from the right.
            int right = operator == Operator.POWER ? 0 : 1;
            return bracketed(left, operator.precedence + 1 - right) + " " + operator.text + " "
                    + bracketed(this.right, operator.precedence + right);
        }
    }

    private enum Function {
        SGN,
        NEG,
        ABS,
        SIN,
        COS,
        TAN,
        ASIN,
        ACOS,
        ATAN,
        EXP,
        LN,
        LG,
        SQRT,
        TRUNC,
        FRAC,
        FLOOR,
        CEIL,
        ROUND;

        /** Functions that have no meaning among whole numbers. */
        private static final Set<Function> REAL_ONLY = Set.of(SIN, COS, TAN, ASIN, ACOS, ATAN, EXP, LN, LG, SQRT);

        static Optional<Function> of(String name) {
            String upper = name.toUpperCase(Locale.ROOT);
            for (Function function : values()) {
                if (function.name().equals(upper)) {
                    return Optional.of(function);
                }
            }
            return Optional.empty();
        }
    }

    private record Call(Function function, Expression first, Optional<Expression> second, boolean real, int depth)
            implements Expression {
        @Override
        public long asLong(Variables variables) {
            if (real) {
                return toLong(asDouble(variables), true);
            }
            if (function == Function.SGN && first.real()) {
                return (long) Math.signum(first.asDouble(variables));
            }
            long value = whole(first, variables);
            return switch (function) {
                case NEG -> -value;
                case ABS -> Math.abs(value);
                case SGN -> Long.signum(value);
                default -> value;
            };
        }

        @Override
        public double asDouble(Variables variables) {
            if (!real) {
                return asLong(variables);
            }
            double x = Formula.real(first, variables);
            return switch (function) {
                case NEG -> -x;
                case ABS -> Math.abs(x);
                case SGN -> Math.signum(x);
                case SIN -> Math.sin(x);
                case COS -> Math.cos(x);
                case TAN -> Math.tan(x);
                case ASIN -> Math.asin(x);
                case ACOS -> Math.acos(x);
                case ATAN -> Math.atan(x);
                case EXP -> Math.exp(x);
                case LN -> Math.log(x);
                case LG -> Math.log10(x);
                case SQRT -> Math.sqrt(x);
                case TRUNC -> x < 0 ? Math.ceil(x) : Math.floor(x);
                case FRAC -> x - (x < 0 ? Math.ceil(x) : Math.floor(x));
                case FLOOR -> Math.floor(x);
                case CEIL -> Math.ceil(x);
                case ROUND -> round(x, second.isPresent() ? Formula.real(second.get(), variables) : 0);
            };
        }

        private static double round(double x, double digits) {
            double scale = Math.pow(10, digits);
            double scaled = Math.abs(x) * scale;
            return Math.copySign(Math.floor(scaled + 0.5) / scale, x);
        }

        @Override
        public int precedence() {
            return PRIMARY;
        }

        @Override
        public String toString() {
            return function + "(" + first + second.map(s -> ", " + s).orElse("") + ")";
        }
    }

    /** Recursive descent over the text. */
    private static final class Parser {
        private final String text;
        private final List<String> names;
        private final Map<String, String> expressions;
        private final boolean integers;
        private final IntPredicate realVariables;
        private int depth;
        private int parts;
        private int at;

        Parser(
                String text,
                List<String> names,
                Map<String, String> expressions,
                boolean integers,
                IntPredicate realVariables,
                int depth) {
            this.text = text;
            this.names = names;
            this.expressions = expressions;
            this.integers = integers;
            this.realVariables = realVariables;
            this.depth = depth;
        }

        Expression whole() {
            Expression expression = conditional();
            skipBlanks();
            if (at < text.length()) {
                throw wrong("unexpected '" + text.charAt(at) + "'");
            }
            return expression;
        }

        private int deeper(int one, int other) {
            int depth = Math.max(one, other) + 1;
            if (depth > MAX_TREE_DEPTH) {
                throw wrong("nested too deeply");
            }
            return depth;
        }

        private Expression conditional() {
            if (++depth > MAX_DEPTH) {
                throw wrong("nested too deeply");
            }
            Expression test = binary(1);
            if (take("?")) {
                Expression yes = conditional();
                if (!take(":")) {
                    throw wrong("':' expected");
                }
                Expression no = conditional();
                depth--;
                return new Condition(
                        test,
                        yes,
                        no,
                        yes.real() || no.real(),
                        deeper(test.depth(), Math.max(yes.depth(), no.depth())));
            }
            depth--;
            return test;
        }

        private Expression binary(int lowest) {
            if (++depth > MAX_DEPTH) {
                throw wrong("nested too deeply");
            }
            Expression left = unary();
            while (true) {
                Optional<Operator> next = peekOperator();
                if (next.isEmpty() || next.get().precedence < lowest) {
                    depth--;
                    return left;
                }
                Operator operator = next.get();
                at += operator.text.length();
                // Only ** binds from the right.
                Expression right = binary(operator == Operator.POWER ? operator.precedence : operator.precedence + 1);
                boolean real = !integers || left.real() || right.real();
                left = new Binary(
                        operator,
                        left,
                        right,
                        real,
                        real && operator.arithmetic(),
                        deeper(left.depth(), right.depth()));
            }
        }

        private Expression unary() {
            if (++depth > MAX_DEPTH) {
                throw wrong("nested too deeply");
            }
            skipBlanks();
            Expression result;
            if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '~' || text.charAt(at) == '+')) {
                char operator = text.charAt(at++);
                Expression operand = unary();
                result = operator == '+'
                        ? operand
                        : new Unary(operator, operand, operator == '-' && operand.real(), deeper(operand.depth(), 0));
            } else {
                result = primary();
            }
            depth--;
            return result;
        }

        private Expression primary() {
            if (++parts > MAX_PARTS) {
                throw wrong("it has more parts than any real formula");
            }
            skipBlanks();
            if (at >= text.length()) {
                throw wrong("it ends too early");
            }
            char c = text.charAt(at);
            if (c == '(') {
                at++;
                Expression inner = conditional();
                if (!take(")")) {
                    throw wrong("')' expected");
                }
                return inner;
            }
            if (Character.digit(c, 10) >= 0 || c == '.') {
                return number();
            }
            if (Character.isLetter(c) || c == '_') {
                return name();
            }
            throw wrong("unexpected '" + c + "'");
        }

        private Expression number() {
            int start = at;
            if (text.startsWith("0x", at) || text.startsWith("0X", at)) {
                at += 2;
                while (at < text.length() && Character.digit(text.charAt(at), 16) >= 0) {
                    at++;
                }
                try {
                    long value = Long.parseUnsignedLong(text.substring(start + 2, at), 16);
                    return literal(value, text.substring(start, at));
                } catch (NumberFormatException e) {
                    throw wrong("bad number " + text.substring(start, at));
                }
            }
            boolean real = false;
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
                    break;
                }
            }
            String digits = text.substring(start, at);
            try {
                if (!real) {
                    long value = Long.parseUnsignedLong(digits);
                    return literal(value, digits);
                }
                double value = Double.parseDouble(digits);
                return new Literal(value, (long) value, true, digits);
            } catch (NumberFormatException e) {
                throw wrong("bad number " + digits);
            }
        }

        private Literal literal(long value, String digits) {
            // Above the signed range the bits count among whole numbers, and the number among real ones.
            double number = value >= 0 ? value : (value >>> 1) * 2.0;
            return new Literal(integers ? value : number, value, !integers, digits);
        }

        private boolean exponentFollows() {
            int next = at + 1;
            if (next < text.length() && (text.charAt(next) == '+' || text.charAt(next) == '-')) {
                next++;
            }
            return next < text.length() && Character.isDigit(text.charAt(next));
        }

        private Expression name() {
            int start = at;
            while (at < text.length()
                    && (Character.isLetterOrDigit(text.charAt(at))
                            || text.charAt(at) == '_'
                            || text.charAt(at) == '.')) {
                at++;
            }
            String name = text.substring(start, at);
            // What the node declares comes first: real descriptions have variables named E, EXP and TO.
            int index = names.indexOf(name);
            if (index >= 0) {
                return new Variable(name, index, realVariables.test(index));
            }
            String expression = expressions.get(name);
            if (expression != null) {
                if (depth > MAX_DEPTH - 20) {
                    throw wrong("expression " + name + " refers to itself");
                }
                Parser inner = new Parser(expression, names, expressions, integers, realVariables, depth + 20);
                inner.parts = parts;
                Expression put = inner.whole();
                parts = inner.parts;
                return put;
            }
            Optional<Function> function = Function.of(name);
            if (function.isPresent() && take("(")) {
                Expression first = conditional();
                Optional<Expression> second = Optional.empty();
                if (function.get() == Function.ROUND && take(",")) {
                    second = Optional.of(conditional());
                }
                if (!take(")")) {
                    throw wrong("')' expected after the arguments of " + function.get());
                }
                return call(function.get(), first, second);
            }
            if (name.equalsIgnoreCase("PI")) {
                return new Literal(Math.PI, 3, true, "PI");
            }
            if (name.equalsIgnoreCase("E")) {
                return new Literal(Math.E, 2, true, "E");
            }
            throw wrong("no variable, function or constant is named " + name);
        }

        private Expression call(Function function, Expression first, Optional<Expression> second) {
            if (integers && Function.REAL_ONLY.contains(function)) {
                throw wrong(function + " has no meaning in an integer formula");
            }
            boolean real = switch (function) {
                case SGN -> false;
                case NEG, ABS, ROUND, TRUNC, FLOOR, CEIL -> !integers || first.real();
                default -> true;
            };
            int secondDepth = second.isPresent() ? second.get().depth() : 0;
            return new Call(function, first, second, real, deeper(first.depth(), secondDepth));
        }

        private Optional<Operator> peekOperator() {
            skipBlanks();
            Operator longest = null;
            for (Operator operator : Operator.ALL) {
                if (text.startsWith(operator.text, at)
                        && (longest == null || operator.text.length() > longest.text.length())) {
                    longest = operator;
                }
            }
            return Optional.ofNullable(longest);
        }

        private boolean take(String token) {
            skipBlanks();
            if (text.startsWith(token, at)) {
                at += token.length();
                return true;
            }
            return false;
        }

        private void skipBlanks() {
            while (at < text.length() && text.charAt(at) <= ' ') {
                at++;
            }
        }

        private GenApiException wrong(String what) {
            String shown = text.length() > 200 ? text.substring(0, 200) + "..." : text;
            return new GenApiException("The formula '" + shown + "' cannot be used: " + what + " at " + at);
        }
    }
}
