package io.peregrine.genapi;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Evaluates formulas straight from their tokens, again for each value: slow, and independent of {@link Formula}. */
final class SlowEvaluator {
    /** What has no value. */
    static final class NoValue extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoValue(String message) {
            super(message);
        }
    }

    /** A number that is real or whole; without value where nothing was to be evaluated. */
    private record Value(boolean real, double d, long l) {
        static Value of(double d) {
            return new Value(true, d, 0);
        }

        static Value of(long l) {
            return new Value(false, 0, l);
        }

        double asReal() {
            return real ? d : (double) l;
        }

        long asWhole() {
            return real ? cut(d) : l;
        }

        boolean truth() {
            return real ? d != 0 : l != 0;
        }
    }

    private static final Pattern TOKEN =
            Pattern.compile("\\s*(0[xX][0-9a-fA-F]+|(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?"
                    + "|[A-Za-z_][A-Za-z0-9_.]*|\\*\\*|<<|>>|<=|>=|<>|!=|==|&&|\\|\\||.)\\s*");
    private static final List<List<String>> LEVELS = List.of(
            List.of("||"),
            List.of("&&"),
            List.of("|"),
            List.of("^"),
            List.of("&"),
            List.of("=", "==", "<>", "!="),
            List.of("<", "<=", ">", ">="),
            List.of("<<", ">>"),
            List.of("+", "-"),
            List.of("*", "/", "%"));

    private final List<String> tokens = new ArrayList<>();
    private final Map<String, ? extends Number> variables;
    private final boolean whole;
    private int at;

    private SlowEvaluator(String formula, Map<String, ? extends Number> variables, boolean whole) {
        Matcher matcher = TOKEN.matcher(formula.strip());
        while (matcher.find()) {
            tokens.add(matcher.group(1));
        }
        tokens.add("");
        this.variables = variables;
        this.whole = whole;
    }

    static double real(String formula, Map<String, ? extends Number> variables) {
        return new SlowEvaluator(formula, variables, false).all().asReal();
    }

    static long whole(String formula, Map<String, ? extends Number> variables) {
        return new SlowEvaluator(formula, variables, true).all().asWhole();
    }

    private static long cut(double d) {
        double t = d < 0 ? Math.ceil(d) : Math.floor(d);
        if (Double.isNaN(t) || t < -0x1p63 || t >= 0x1p64) {
            throw new NoValue("no whole number: " + d);
        }
        return new BigDecimal(t).toBigInteger().longValue();
    }

    private String token() {
        return tokens.get(at);
    }

    private boolean take(String token) {
        if (token().equals(token)) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(String token) {
        if (!take(token)) {
            throw new IllegalStateException("expected " + token + " at " + token());
        }
    }

    private Value all() {
        Value value = conditional(true);
        expect("");
        return value;
    }

    private Value conditional(boolean live) {
        Value test = level(0, live);
        if (!take("?")) {
            return test;
        }
        boolean chosen = live && test.truth();
        Value yes = conditional(live && chosen);
        expect(":");
        Value no = conditional(live && !chosen);
        Value taken = chosen ? yes : no;
        return yes.real || no.real ? Value.of(taken.asReal()) : taken;
    }

    private Value level(int level, boolean live) {
        if (level == LEVELS.size()) {
            return power(live);
        }
        Value left = level(level + 1, live);
        while (LEVELS.get(level).contains(token())) {
            String operator = tokens.get(at++);
            boolean skip =
                    (operator.equals("||") && live && left.truth()) || (operator.equals("&&") && live && !left.truth());
            Value right = level(level + 1, live && !skip);
            left = skip ? Value.of(operator.equals("||") ? 1L : 0L) : apply(operator, left, right, live);
        }
        return left;
    }

    private Value power(boolean live) {
        Value base = unary(live);
        if (take("**")) {
            return apply("**", base, power(live), live);
        }
        return base;
    }

    private Value unary(boolean live) {
        if (take("-")) {
            Value v = unary(live);
            return v.real ? Value.of(-v.d) : Value.of(-v.l);
        }
        if (take("~")) {
            Value v = unary(live);
            return Value.of(live ? ~v.asWhole() : 0L);
        }
        if (take("+")) {
            return unary(live);
        }
        return primary(live);
    }

    private Value primary(boolean live) {
        if (take("(")) {
            Value inner = conditional(live);
            expect(")");
            return inner;
        }
        String token = tokens.get(at++);
        if (token.isEmpty()) {
            throw new IllegalStateException("formula ends early");
        }
        if (token.startsWith("0x") || token.startsWith("0X")) {
            return integer(Long.parseUnsignedLong(token.substring(2), 16));
        }
        if (Character.isDigit(token.charAt(0)) || token.startsWith(".")) {
            return token.chars().allMatch(Character::isDigit)
                    ? integer(Long.parseUnsignedLong(token))
                    : Value.of(Double.parseDouble(token));
        }
        Number variable = variables.get(token);
        if (variable != null) {
            return whole && variable instanceof Long
                    ? Value.of(variable.longValue())
                    : Value.of(variable.doubleValue());
        }
        if (take("(")) {
            return function(token.toUpperCase(Locale.ROOT), live);
        }
        return Value.of(token.equalsIgnoreCase("PI") ? Math.PI : Math.E);
    }

    private Value integer(long bits) {
        return whole ? Value.of(bits) : Value.of(Double.parseDouble(Long.toUnsignedString(bits)));
    }

    private Value function(String name, boolean live) {
        Value a = conditional(live);
        Value b = take(",") ? conditional(live) : Value.of(0L);
        expect(")");
        boolean real = !whole || a.real;
        double x = a.asReal();
        return switch (name) {
            case "NEG" -> real ? Value.of(-x) : Value.of(-a.l);
            case "ABS" -> real ? Value.of(Math.abs(x)) : Value.of(Math.abs(a.l));
            case "TRUNC" -> real ? Value.of(x < 0 ? Math.ceil(x) : Math.floor(x)) : a;
            case "ROUND" -> {
                if (!real) {
                    yield a;
                }
                double scale = Math.pow(10, b.asReal());
                yield Value.of(Math.copySign(Math.floor(Math.abs(x) * scale + 0.5) / scale, x));
            }
            case "LN" -> Value.of(Math.log(x));
            case "LG" -> Value.of(Math.log10(x));
            case "EXP" -> Value.of(Math.exp(x));
            default -> throw new IllegalStateException("function " + name);
        };
    }

    private Value apply(String operator, Value a, Value b, boolean live) {
        boolean real = !whole || a.real || b.real;
        if (!List.of("+", "-", "*", "/", "%", "**").contains(operator)) {
            return Value.of(live ? bitsOrTruth(operator, a, b, real) : 0L);
        }
        if (!live) {
            return real ? Value.of(0.0) : Value.of(0L);
        }
        return real ? Value.of(arithmetic(operator, a.asReal(), b.asReal())) : arithmetic(operator, a.l, b.l);
    }

    private static double arithmetic(String operator, double a, double b) {
        return switch (operator) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> {
                if (b == 0) {
                    throw new NoValue("division by zero");
                }
                yield a / b;
            }
            case "%" -> {
                if (b == 0) {
                    throw new NoValue("remainder by zero");
                }
                yield a % b;
            }
            default -> Math.pow(a, b);
        };
    }

    private static Value arithmetic(String operator, long a, long b) {
        if (b == 0 && (operator.equals("/") || operator.equals("%"))) {
            throw new NoValue("division by zero");
        }
        return switch (operator) {
            case "+" -> Value.of(a + b);
            case "-" -> Value.of(a - b);
            case "*" -> Value.of(a * b);
            case "/" -> Value.of(a / b);
            case "%" -> Value.of(a % b);
            default -> {
                double power = Math.pow((double) a, (double) b);
                if (b < 0 || Math.abs(power) >= 0x1p63) {
                    yield Value.of(cut(power));
                }
                yield Value.of(BigInteger.valueOf(a)
                        .pow(Math.abs(a) < 2 ? (int) (b & 1) + 2 * (b > 1 ? 1 : 0) : (int) b)
                        .longValueExact());
            }
        };
    }

    private long bitsOrTruth(String operator, Value a, Value b, boolean real) {
        int order = real ? Double.compare(a.asReal() + 0.0, b.asReal() + 0.0) : Long.compare(a.l, b.l);
        boolean comparable = !real || !(Double.isNaN(a.asReal()) || Double.isNaN(b.asReal()));
        return switch (operator) {
            case "||" -> a.truth() || b.truth() ? 1 : 0;
            case "&&" -> a.truth() && b.truth() ? 1 : 0;
            case "=", "==" -> comparable && order == 0 ? 1 : 0;
            case "<>", "!=" -> comparable && order == 0 ? 0 : 1;
            case "<" -> comparable && order < 0 ? 1 : 0;
            case "<=" -> comparable && order <= 0 ? 1 : 0;
            case ">" -> comparable && order > 0 ? 1 : 0;
            case ">=" -> comparable && order >= 0 ? 1 : 0;
            case "|" -> a.asWhole() | b.asWhole();
            case "^" -> a.asWhole() ^ b.asWhole();
            case "&" -> a.asWhole() & b.asWhole();
            case "<<" -> shift(a.asWhole(), b.asWhole(), true).longValue();
            default -> shift(a.asWhole(), b.asWhole(), false).longValue();
        };
    }

    /** Among 32 bits in a real formula whose operands are that small. */
    private BigInteger shift(long a, long by, boolean left) {
        boolean narrow = !whole && a >= -0x80000000L && a <= 0x7FFFFFFFL && by >= -0x80000000L && by <= 0x7FFFFFFFL;
        int width = narrow ? 32 : 64;
        BigInteger modulus = BigInteger.ONE.shiftLeft(width);
        int count = BigInteger.valueOf(by).mod(BigInteger.valueOf(width)).intValue();
        if (!left) {
            return BigInteger.valueOf(a).shiftRight(count);
        }
        BigInteger bits = BigInteger.valueOf(a).shiftLeft(count).mod(modulus);
        return bits.testBit(width - 1) ? bits.subtract(modulus) : bits;
    }
}
