package io.peregrine.genapi;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Functions of formulas. */
enum FormulaFunction {
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

    static final FormulaFunction[] ALL = values();

    /** The function of a name in upper or lower case, or null. */
    static @Nullable FormulaFunction named(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (FormulaFunction function : ALL) {
            if (function.name().equals(upper)) {
                return function;
            }
        }
        return null;
    }

    /** Whether it has no meaning among whole numbers. */
    boolean realOnly() {
        return switch (this) {
            case SIN, COS, TAN, ASIN, ACOS, ATAN, EXP, LN, LG, SQRT -> true;
            default -> false;
        };
    }

    double of(double x) {
        return switch (this) {
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
            case TRUNC -> truncated(x);
            case FRAC -> Double.isInfinite(x) ? 0 : x - truncated(x);
            case FLOOR -> Math.floor(x);
            case CEIL -> Math.ceil(x);
            case ROUND -> rounded(x, 0);
        };
    }

    long of(long x) {
        return switch (this) {
            case NEG -> -x;
            case ABS -> Math.abs(x);
            case SGN -> Long.signum(x);
            default -> x;
        };
    }

    static double rounded(double x, double digits) {
        double scale = Math.pow(10, digits);
        double scaled = Math.abs(x) * scale;
        return Math.copySign(Math.floor(scaled + 0.5) / scale, x);
    }

    private static double truncated(double x) {
        return x < 0 ? Math.ceil(x) : Math.floor(x);
    }
}
