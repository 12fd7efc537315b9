package io.peregrine.genapi;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A formula of a swiss knife or converter, compiled to a tree (GenICam standard 2.1.1, 2.8.12).
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
        boolean isFloat(int index);

        long longValue(int index);

        double doubleValue(int index);
    }

    private interface Expression {
        boolean isFloat(Variables variables);

        double asDouble(Variables variables);

        long asLong(Variables variables);
    }

    private static final int MAX_DEPTH = 500;

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
     */
    static Formula compile(String text, List<String> names, Map<String, String> expressions, boolean integerDomain) {
        Parser parser = new Parser(text, names, expressions, integerDomain, 0);
        return new Formula(parser.whole(), integerDomain);
    }

    double doubleValue(Variables variables) {
        return root.asDouble(variables);
    }

    long longValue(Variables variables) {
        if (integerDomain && !root.isFloat(variables)) {
            return root.asLong(variables);
        }
        return toLong(root.asDouble(variables), integerDomain);
    }

    private static long toLong(double value, boolean truncate) {
        double whole = truncate ? (value < 0 ? Math.ceil(value) : Math.floor(value)) : Math.rint(value);
        if (Double.isNaN(whole) || whole < -0x1p63 || whole >= 0x1p64) {
            throw new GenApiException("The formula gives " + value + ", which is no 64-bit integer");
        }
        return whole >= 0x1p63 ? (long) (whole - 0x1p63) + Long.MIN_VALUE : (long) whole;
    }

    private record Literal(double real, long whole, boolean isReal) implements Expression {
        @Override
        public boolean isFloat(Variables variables) {
            return isReal;
        }

        @Override
        public double asDouble(Variables variables) {
            return real;
        }

        @Override
        public long asLong(Variables variables) {
            return whole;
        }
    }

    private record Variable(int index) implements Expression {
        @Override
        public boolean isFloat(Variables variables) {
            return variables.isFloat(index);
        }

        @Override
        public double asDouble(Variables variables) {
            return variables.doubleValue(index);
        }

        @Override
        public long asLong(Variables variables) {
            return variables.longValue(index);
        }
    }

    private record Condition(Expression test, Expression yes, Expression no) implements Expression {
        private Expression taken(Variables variables) {
            return truth(test, variables) ? yes : no;
        }

        @Override
        public boolean isFloat(Variables variables) {
            return taken(variables).isFloat(variables);
        }

        @Override
        public double asDouble(Variables variables) {
            return taken(variables).asDouble(variables);
        }

        @Override
        public long asLong(Variables variables) {
            return taken(variables).asLong(variables);
        }
    }

    private static boolean truth(Expression expression, Variables variables) {
        return expression.isFloat(variables) ? expression.asDouble(variables) != 0 : expression.asLong(variables) != 0;
    }

    private record Unary(char operator, Expression operand, boolean integers) implements Expression {
        @Override
        public boolean isFloat(Variables variables) {
            return operator == '-' && operand.isFloat(variables);
        }

        @Override
        public double asDouble(Variables variables) {
            if (operator == '-') {
                return isFloat(variables) || !integers ? -operand.asDouble(variables) : -operand.asLong(variables);
            }
            return asLong(variables);
        }

        @Override
        public long asLong(Variables variables) {
            long value =
                    operand.isFloat(variables) ? toLong(operand.asDouble(variables), true) : operand.asLong(variables);
            return operator == '-' ? -value : ~value;
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

        final String text;
        final int precedence;

        Operator(String text, int precedence) {
            this.text = text;
            this.precedence = precedence;
        }
    }

    private record Binary(Operator operator, Expression left, Expression right, boolean integers)
            implements Expression {
        @Override
        public boolean isFloat(Variables variables) {
            return switch (operator) {
                case PLUS, MINUS, TIMES, DIVIDED, REMAINDER, POWER ->
                    !integers || left.isFloat(variables) || right.isFloat(variables);
                default -> false;
            };
        }

        private boolean floatOperands(Variables variables) {
            return !integers || left.isFloat(variables) || right.isFloat(variables);
        }

        @Override
        public double asDouble(Variables variables) {
            if (!isFloat(variables)) {
                return asLong(variables);
            }
            double a = left.asDouble(variables);
            double b = right.asDouble(variables);
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
            if (isFloat(variables)) {
                return toLong(asDouble(variables), true);
            }
            if (operator == Operator.OR) {
                return truth(left, variables) || truth(right, variables) ? 1 : 0;
            }
            if (operator == Operator.AND) {
                return truth(left, variables) && truth(right, variables) ? 1 : 0;
            }
            if (operator.precedence == Operator.EQUAL.precedence || operator.precedence == Operator.LESS.precedence) {
                return compare(variables) ? 1 : 0;
            }
            long a = operand(left, variables);
            long b = operand(right, variables);
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
                case POWER -> toLong(Math.pow((double) a, (double) b), true);
                default -> throw new IllegalStateException(operator.toString());
            };
        }

        private static long operand(Expression expression, Variables variables) {
            return expression.isFloat(variables)
                    ? toLong(expression.asDouble(variables), true)
                    : expression.asLong(variables);
        }

        private boolean compare(Variables variables) {
            int order;
            if (floatOperands(variables)) {
                double a = left.asDouble(variables);
                double b = right.asDouble(variables);
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
    }

    private record Call(String function, Expression first, Optional<Expression> second, boolean integers)
            implements Expression {
        @Override
        public boolean isFloat(Variables variables) {
            return switch (function) {
                case "SGN" -> false;
                case "NEG", "ABS" -> !integers || first.isFloat(variables);
                default -> true;
            };
        }

        @Override
        public long asLong(Variables variables) {
            if (isFloat(variables)) {
                return toLong(asDouble(variables), true);
            }
            long value =
                    first.isFloat(variables) ? (long) Math.signum(first.asDouble(variables)) : first.asLong(variables);
            return switch (function) {
                case "NEG" -> -value;
                case "ABS" -> Math.abs(value);
                default -> Long.signum(value);
            };
        }

        @Override
        public double asDouble(Variables variables) {
            if (!isFloat(variables)) {
                return asLong(variables);
            }
            double x = first.asDouble(variables);
            return switch (function) {
                case "NEG" -> -x;
                case "ABS" -> Math.abs(x);
                case "SIN" -> Math.sin(x);
                case "COS" -> Math.cos(x);
                case "TAN" -> Math.tan(x);
                case "ASIN" -> Math.asin(x);
                case "ACOS" -> Math.acos(x);
                case "ATAN" -> Math.atan(x);
                case "EXP" -> Math.exp(x);
                case "LN" -> Math.log(x);
                case "LG" -> Math.log10(x);
                case "SQRT" -> Math.sqrt(x);
                case "TRUNC" -> x < 0 ? Math.ceil(x) : Math.floor(x);
                case "FRAC" -> x - (x < 0 ? Math.ceil(x) : Math.floor(x));
                case "FLOOR" -> Math.floor(x);
                case "CEIL" -> Math.ceil(x);
                default -> round(x, second.map(s -> s.asDouble(variables)).orElse(0.0));
            };
        }

        private static double round(double x, double digits) {
            double scale = Math.pow(10, digits);
            double scaled = Math.abs(x) * scale;
            return Math.copySign(Math.floor(scaled + 0.5) / scale, x);
        }
    }

    private static final List<String> FUNCTIONS = List.of(
            "SGN", "NEG", "ABS", "SIN", "COS", "TAN", "ASIN", "ACOS", "ATAN", "EXP", "LN", "LG", "SQRT", "TRUNC",
            "FRAC", "FLOOR", "CEIL", "ROUND");

    /** Recursive descent over the text. */
    private static final class Parser {
        private final String text;
        private final List<String> names;
        private final Map<String, String> expressions;
        private final boolean integers;
        private int depth;
        private int at;

        Parser(String text, List<String> names, Map<String, String> expressions, boolean integers, int depth) {
            this.text = text;
            this.names = names;
            this.expressions = expressions;
            this.integers = integers;
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
                return new Condition(test, yes, no);
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
                left = new Binary(operator, left, right, integers);
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
                result = operator == '+' ? operand : new Unary(operator, operand, integers);
            } else {
                result = primary();
            }
            depth--;
            return result;
        }

        private Expression primary() {
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
                    return new Literal(value, value, false);
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
                    return new Literal(value, value, false);
                }
                double value = Double.parseDouble(digits);
                return new Literal(value, (long) value, true);
            } catch (NumberFormatException e) {
                throw wrong("bad number " + digits);
            }
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
                return new Variable(index);
            }
            String expression = expressions.get(name);
            if (expression != null) {
                if (depth > MAX_DEPTH - 20) {
                    throw wrong("expression " + name + " refers to itself");
                }
                return new Parser(expression, names, expressions, integers, depth + 20).whole();
            }
            String upper = name.toUpperCase(Locale.ROOT);
            if (FUNCTIONS.contains(upper) && take("(")) {
                Expression first = conditional();
                Optional<Expression> second = Optional.empty();
                if (upper.equals("ROUND") && take(",")) {
                    second = Optional.of(conditional());
                }
                if (!take(")")) {
                    throw wrong("')' expected after the arguments of " + upper);
                }
                return new Call(upper, first, second, integers);
            }
            if (upper.equals("PI")) {
                return new Literal(Math.PI, 3, true);
            }
            if (upper.equals("E")) {
                return new Literal(Math.E, 2, true);
            }
            throw wrong("no variable, function or constant is named " + name);
        }

        private Optional<Operator> peekOperator() {
            skipBlanks();
            Operator longest = null;
            for (Operator operator : Operator.values()) {
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
