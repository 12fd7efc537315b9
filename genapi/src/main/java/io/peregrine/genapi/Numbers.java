package io.peregrine.genapi;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Numbers as device descriptions and users write them. */
final class Numbers {
    static final long[] NONE = {};
    /** Digits that fit into 64 bits with their sign, whatever they are. */
    private static final int SAFE_DIGITS = 15;

    private static final long NOT_PLAIN = -1;

    private Numbers() {}

    /**
     * A number that is written as most are: a few decimal digits, or a few hexadecimal ones after 0x. The library reads
     * them ten times as slowly before it is compiled.
     *
     * @return the number, or {@link #NOT_PLAIN}
     */
    private static long plain(String t) {
        int length = t.length();
        boolean hex = length > 2 && t.charAt(0) == '0' && t.charAt(1) == 'x';
        int at = hex ? 2 : 0;
        if (length == 0 || length - at > SAFE_DIGITS) {
            return NOT_PLAIN;
        }
        long value = 0;
        while (at < length) {
            char c = t.charAt(at++);
            if (c >= '0' && c <= '9') {
                value = (hex ? value << 4 : value * 10) + (c - '0');
            } else if (hex && c >= 'a' && c <= 'f') {
                value = (value << 4) + (c - 'a' + 10);
            } else if (hex && c >= 'A' && c <= 'F') {
                value = (value << 4) + (c - 'A' + 10);
            } else {
                return NOT_PLAIN;
            }
        }
        return value;
    }

    /**
     * A number that can be missing.
     *
     * @param text as for {@link #parseLong(String, String)}, or null
     */
    static long parseLong(String node, @Nullable String text, long absent) {
        return text == null ? absent : parseLong(node, text);
    }

    /** Decimal or, after 0x, hexadecimal; 64 bits, where an unsigned value above the signed range wraps (R9). */
    static long parseLong(String node, String text) {
        String t = text.strip();
        long plain = plain(t);
        if (plain != NOT_PLAIN) {
            return plain;
        }
        OptionalLong whole = whole(t);
        if (whole.isPresent()) {
            return whole.getAsLong();
        }
        throw new GenApiRangeException("'" + text + "' is no whole number, as node " + node + " needs it");
    }

    /** As {@link #parseLong(String, String)} reads it; empty where it cannot. */
    static OptionalLong whole(String text) {
        String t = text.strip();
        long plain = plain(t);
        if (plain != NOT_PLAIN) {
            return OptionalLong.of(plain);
        }
        boolean real = isReal(t);
        if (!real || (t.indexOf('.') < 0 && t.indexOf('e') < 0 && t.indexOf('E') < 0)) {
            try {
                boolean negative = t.startsWith("-");
                String digits = negative || t.startsWith("+") ? t.substring(1) : t;
                if (digits.startsWith("-") || digits.startsWith("+")) {
                    return OptionalLong.empty();
                }
                long value = digits.startsWith("0x") || digits.startsWith("0X")
                        ? Long.parseUnsignedLong(digits.substring(2), 16)
                        : Long.parseUnsignedLong(digits);
                return OptionalLong.of(negative ? -value : value);
            } catch (NumberFormatException e) {
                // More digits than 64 bits hold; whole all the same.
                if (!real) {
                    return OptionalLong.empty();
                }
            }
        }
        // Written as a real number, but whole: 1e3.
        double value = Double.parseDouble(t);
        return value == Math.rint(value) && Math.abs(value) < 0x1p63
                ? OptionalLong.of((long) value)
                : OptionalLong.empty();
    }

    /** Whether it is decimal digits with or without sign, point and exponent. */
    private static boolean isReal(String t) {
        int start = afterSign(t, 0);
        int end = afterDigits(t, start, 10);
        int digits = end - start;
        if (end < t.length() && t.charAt(end) == '.') {
            int fraction = end + 1;
            end = afterDigits(t, fraction, 10);
            digits += end - fraction;
        }
        if (digits > 0 && end < t.length() && (t.charAt(end) == 'e' || t.charAt(end) == 'E')) {
            int exponent = afterSign(t, end + 1);
            end = afterDigits(t, exponent, 10);
            digits = end - exponent;
        }
        return digits > 0 && end == t.length();
    }

    private static boolean isHex(String t) {
        int start = afterSign(t, 0);
        return (t.startsWith("0x", start) || t.startsWith("0X", start))
                && t.length() > start + 2
                && afterDigits(t, start + 2, 16) == t.length();
    }

    private static int afterSign(String t, int at) {
        return at < t.length() && (t.charAt(at) == '-' || t.charAt(at) == '+') ? at + 1 : at;
    }

    private static int afterDigits(String t, int from, int radix) {
        int at = from;
        while (at < t.length() && t.charAt(at) < 0x80 && Character.digit(t.charAt(at), radix) >= 0) {
            at++;
        }
        return at;
    }

    /** Hexadecimal with or without prefix, as chunk and event ids are written. */
    static long parseHex(String node, String text) {
        String t = text.strip();
        try {
            return Long.parseUnsignedLong(t.toLowerCase(Locale.ROOT).startsWith("0x") ? t.substring(2) : t, 16);
        } catch (NumberFormatException e) {
            throw new GenApiRangeException("'" + text + "' is no hexadecimal number, as node " + node + " needs it");
        }
    }

    static double parseDouble(String node, String text) {
        String t = text.strip();
        long plain = plain(t);
        if (plain != NOT_PLAIN) {
            return plain;
        }
        if (isReal(t)) {
            return Double.parseDouble(t);
        }
        return switch (t) {
            case "INF", "Infinity" -> Double.POSITIVE_INFINITY;
            case "-INF", "-Infinity" -> Double.NEGATIVE_INFINITY;
            case "NaN" -> Double.NaN;
            default -> {
                if (isHex(t)) {
                    yield parseLong(node, t);
                }
                throw new GenApiRangeException("'" + text + "' is no number, as node " + node + " needs it");
            }
        };
    }

    /** Whole numbers with semicolons between them, in rising order. */
    static long[] parseSet(String node, String text) {
        return Arrays.stream(text.split(";", -1))
                .filter(part -> !part.isBlank())
                .mapToLong(part -> parseLong(node, part))
                .sorted()
                .distinct()
                .toArray();
    }

    /** As C's {@code %g} prints it: as many digits as asked for, and an exponent only where it is shorter. */
    private static String general(double value, int digits, RoundingMode rounding) {
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(Math.max(1, digits), rounding));
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= -4 && exponent < Math.max(1, digits)) {
            return rounded.stripTrailingZeros().toPlainString();
        }
        String mantissa = rounded.movePointLeft(exponent).stripTrailingZeros().toPlainString();
        return mantissa + exponent(exponent);
    }

    private static String exponent(int exponent) {
        return (exponent < 0 ? "e-" : "e+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    /** A number in one of the notations of descriptions: Fixed, Scientific or Automatic. */
    static String shown(double value, String notation, int digits, RoundingMode rounding) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.toString(value);
        }
        switch (notation) {
            case "Fixed" -> {
                return new BigDecimal(value).setScale(digits, rounding).toPlainString();
            }
            case "Scientific" -> {
                BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits + 1, rounding));
                int exponent = value == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
                return rounded.movePointLeft(exponent)
                                .setScale(digits, rounding)
                                .toPlainString()
                        + exponent(exponent);
            }
            default -> {
                return value == 0 ? (1 / value < 0 ? "-0" : "0") : general(value, digits, rounding);
            }
        }
    }

    static String format(long value, String representation) {
        return switch (representation) {
            case "HexNumber" -> "0x" + Long.toHexString(value);
            case "Boolean" -> value != 0 ? "true" : "false";
            case "IPV4Address" ->
                (value >>> 24 & 0xFF) + "." + (value >>> 16 & 0xFF) + "." + (value >>> 8 & 0xFF) + "." + (value & 0xFF);
            case "MACAddress" ->
                String.format(Locale.ROOT, "%012x", value & 0xFFFFFFFFFFFFL).replaceAll("(..)(?!$)", "$1:");
            default -> Long.toString(value);
        };
    }

    static long parse(String node, String text, String representation) {
        String t = text.strip();
        if (representation.equals("IPV4Address") && t.matches("\\d{1,3}(\\.\\d{1,3}){3}")) {
            long value = 0;
            for (String part : t.split("\\.", -1)) {
                long octet = Long.parseLong(part);
                if (octet > 255) {
                    throw new GenApiRangeException("'" + text + "' is no IPv4 address, as node " + node + " needs it");
                }
                value = value << 8 | octet;
            }
            return value;
        }
        if (representation.equals("MACAddress") && t.matches("[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}")) {
            return Long.parseLong(t.replaceAll("[:-]", ""), 16);
        }
        if (representation.equals("Boolean") && (t.equalsIgnoreCase("true") || t.equalsIgnoreCase("false"))) {
            return t.equalsIgnoreCase("true") ? 1 : 0;
        }
        return parseLong(node, t);
    }
}
