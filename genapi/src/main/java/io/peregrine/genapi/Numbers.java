package io.peregrine.genapi;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/** Numbers as device descriptions and users write them. */
final class Numbers {
    static final long[] NONE = {};
    private static final Pattern REAL = Pattern.compile("[-+]?(?:\\d++\\.?\\d*+|\\.\\d++)(?:[eE][-+]?\\d++)?");
    private static final Pattern HEX = Pattern.compile("[-+]?0[xX][0-9a-fA-F]++");

    private Numbers() {}

    /** Decimal or, after 0x, hexadecimal; 64 bits, where an unsigned value above the signed range wraps (R9). */
    static long parseLong(String node, String text) {
        String t = text.strip();
        try {
            boolean negative = t.startsWith("-");
            String digits = negative || t.startsWith("+") ? t.substring(1) : t;
            if (digits.startsWith("-") || digits.startsWith("+")) {
                throw new NumberFormatException();
            }
            long value = digits.startsWith("0x") || digits.startsWith("0X")
                    ? Long.parseUnsignedLong(digits.substring(2), 16)
                    : Long.parseUnsignedLong(digits);
            return negative ? -value : value;
        } catch (NumberFormatException e) {
            // Written as a real number, but whole: 1e3.
            double real = REAL.matcher(t).matches() ? Double.parseDouble(t) : Double.NaN;
            if (real == Math.rint(real) && Math.abs(real) < 0x1p63) {
                return (long) real;
            }
            throw new GenApiRangeException("'" + text + "' is no whole number, as node " + node + " needs it");
        }
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
        if (REAL.matcher(t).matches()) {
            return Double.parseDouble(t);
        }
        return switch (t) {
            case "INF", "Infinity" -> Double.POSITIVE_INFINITY;
            case "-INF", "-Infinity" -> Double.NEGATIVE_INFINITY;
            case "NaN" -> Double.NaN;
            default -> {
                if (HEX.matcher(t).matches()) {
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
