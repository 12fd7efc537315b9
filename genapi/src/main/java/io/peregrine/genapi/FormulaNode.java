package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** SwissKnife, IntSwissKnife, Converter and IntConverter: numbers by formula (R5, R19). */
abstract class FormulaNode extends BaseNode implements NumberNode {
    private static final int MAX_VARIABLES = 1_000;
    /** A thousand times the longest formula of any known description. */
    private static final int MAX_FORMULA = 4 << 20;

    private final boolean integers;
    private final boolean converter;
    private final List<Link> variables = links("pVariable");
    private final double min;
    private final double max;
    private final boolean hasMin;
    private final boolean hasMax;
    private final String slope;
    private FormulaVariable[] bound;
    private int fromIndex = -1;
    private int toIndex = -1;
    private @Nullable Formula from;
    private @Nullable Formula to;
    private String unusable = "";
    private boolean readingLimits;
    private double knownReal;
    private long knownWhole;
    private long valueKnownFor = Freshness.NEVER;

    // The value that the formula is evaluated for; evaluation is under the lock of the map, but can nest through
    // limits.
    private final Scope reading = new Scope();

    FormulaNode(NodeContext context, Element element, String name) {
        super(context, element, name);
        integers = element.name().startsWith("Int");
        converter = element.name().endsWith("Converter");
        if (variables.size() > MAX_VARIABLES) {
            throw new GenApiException("Node " + name + " has more than " + MAX_VARIABLES + " variables");
        }
        String low = element.valueOrNull("Min");
        String high = element.valueOrNull("Max");
        hasMin = low != null;
        hasMax = high != null;
        min = low == null ? 0 : Numbers.parseDouble(name, low);
        max = high == null ? 0 : Numbers.parseDouble(name, high);
        slope = element.value("Slope").orElse("Automatic");
    }

    @Override
    AccessMode ownAccess() {
        if (context.missing.noting()) {
            for (Link variable : variables) {
                MissingLines.attempt(() -> {
                    if (variable.access().readable() && variable.nodeOrNull() instanceof NumberNode number) {
                        number.readDouble();
                    }
                });
            }
        }
        AccessMode mode = AccessMode.RO;
        if (converter) {
            mode = pValue == null ? AccessMode.NI : pValue.access();
        }
        for (Link variable : variables) {
            AccessMode one = variable.access();
            if (!one.readable()) {
                mode = one == AccessMode.NI || mode == AccessMode.NI ? AccessMode.NI : AccessMode.NA;
            }
        }
        return mode;
    }

    @Override
    CachingMode caching() {
        CachingMode mode = super.caching();
        if (converter || isFloat()) {
            // What is read back may be another value than was written (R6).
            mode = mode.weaker(CachingMode.WRITE_AROUND);
        }
        for (Link variable : variables) {
            BaseNode node = variable.nodeOrNull();
            // Nothing is written through a variable.
            if (node != null && node.cachingOnce() == CachingMode.NO_CACHE) {
                mode = CachingMode.NO_CACHE;
            }
        }
        return mode;
    }

    /** Compiles on first use, so that a bad formula costs its node and not the file. */
    private void compile() {
        if (from != null) {
            return;
        }
        if (!unusable.isEmpty()) {
            throw new GenApiException(unusable);
        }
        try {
            compileNow();
        } catch (GenApiException e) {
            unusable = e.getMessage().startsWith("Node ") ? e.getMessage() : "Node " + name + ": " + e.getMessage();
            throw new GenApiException(unusable, e);
        }
    }

    private void compileNow() {
        List<String> names = new ArrayList<>();
        List<FormulaVariable> bounds = new ArrayList<>();
        Map<String, String> expressions = new HashMap<>();
        Map<String, String> targets = new HashMap<>();
        for (Element child : element.children()) {
            Optional<String> id = child.attribute("Name");
            if (id.isEmpty()) {
                continue;
            }
            switch (child.name()) {
                case "pVariable" -> {
                    if (targets.putIfAbsent(id.get(), child.text()) == null) {
                        names.add(id.get());
                        bounds.add(FormulaVariable.bind(
                                this, id.get(), id.get().split("\\.", 2)[0], child.text(), id.get()));
                    }
                }
                case "Constant", "Expression" -> expressions.putIfAbsent(id.get(), child.text());
                default -> {}
            }
        }
        List<String> texts = converter
                ? List.of(
                        element.value("FormulaFrom").orElse(""),
                        element.value("FormulaTo").orElse(""))
                : List.of(element.value("Formula").orElse(""));
        for (String text : texts) {
            if (text.length() > MAX_FORMULA) {
                throw new GenApiException("The formula has more than " + MAX_FORMULA + " characters");
            }
            dotted(text, names, bounds, targets);
        }
        expressions.values().forEach(text -> dotted(text, names, bounds, targets));
        if (converter) {
            // A converter's own two names are the value on the one side and on the other.
            for (String own : List.of("FROM", "TO")) {
                if (!names.contains(own)) {
                    names.add(own);
                }
            }
            fromIndex = targets.containsKey("FROM") ? -1 : names.indexOf("FROM");
            toIndex = targets.containsKey("TO") ? -1 : names.indexOf("TO");
        }
        FormulaVariable[] all = bounds.toArray(FormulaVariable[]::new);
        int own = toIndex;
        // In the old schema the names of variables are upper case, and their case in formulas does not matter.
        List<String> known = names;
        if (context.oldSchema && expressions.isEmpty()) {
            List<String> upper = names.stream().map(FormulaNode::upper).toList();
            if (Set.copyOf(upper).size() == names.size()) {
                known = upper;
                texts = texts.stream().map(FormulaNode::upper).toList();
            }
        }
        boolean realTarget = converter && pValue != null && pValue.nodeOrNull() instanceof NumberNode n && n.isFloat();
        Formula compiled = Formula.compile(
                texts.get(0),
                known,
                expressions,
                integers,
                index -> index < all.length ? all[index].real() : index == own && realTarget);
        if (converter) {
            to = Formula.compile(
                    texts.get(1), known, expressions, integers, index -> index < all.length && all[index].real());
        }
        bound = all;
        from = compiled;
    }

    private static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    /** Declares variables such as X.Max for the formula that uses them; X may itself be declared with such an end. */
    private void dotted(String formula, List<String> names, List<FormulaVariable> bounds, Map<String, String> targets) {
        FormulaLexer lexer = new FormulaLexer(formula);
        for (lexer.next(); lexer.token != FormulaLexer.Token.END; lexer.next()) {
            String whole = lexer.token == FormulaLexer.Token.NAME ? lexer.tokenText() : "";
            int dot = whole.indexOf('.');
            if (dot <= 0 || names.contains(whole)) {
                continue;
            }
            String base = whole.substring(0, dot);
            String target = targets.get(base);
            if (target != null) {
                names.add(whole);
                bounds.add(FormulaVariable.bind(this, whole, base, target, ""));
            }
        }
    }

    /** The variables of a formula, with the value that comes from the caller. */
    private final class Scope implements Formula.Variables {
        private boolean fixed;
        private double real;
        private long whole;

        Scope fix(double value, long wholeValue) {
            fixed = true;
            real = value;
            whole = wholeValue;
            return this;
        }

        @Override
        public long longValue(int index) {
            context.operations.work();
            if (index < bound.length) {
                return bound[index].longValue();
            }
            return fixed || index == fromIndex ? whole : valueNode().readLong();
        }

        @Override
        public double doubleValue(int index) {
            context.operations.work();
            if (index < bound.length) {
                return bound[index].doubleValue();
            }
            return fixed || index == fromIndex ? real : valueNode().readDouble();
        }
    }

    @Override
    public boolean isFloat() {
        return !integers;
    }

    @Override
    public double readDouble() {
        calculate();
        return integers ? knownWhole : knownReal;
    }

    @Override
    public long readLong() {
        calculate();
        return integers ? knownWhole : NumberNode.round(name, knownReal);
    }

    /** Makes sure that the value that is known is that of now. */
    private void calculate() {
        Freshness freshness = context.freshness;
        if (freshness.holds(valueKnownFor)) {
            return;
        }
        compile();
        context.operations.descend(1);
        try {
            long begun = freshness.begin();
            long changes = freshness.changes();
            if (integers) {
                knownWhole = from.longValue(reading);
            } else {
                knownReal = from.doubleValue(reading);
            }
            valueKnownFor = freshness.end(begun, changes);
        } catch (GenApiAccessException e) {
            throw e;
        } catch (GenApiException e) {
            throw named(e);
        } finally {
            context.operations.ascend(1);
        }
    }

    private GenApiException named(GenApiException e) {
        return e.getMessage().startsWith("The formula")
                ? new GenApiException("Node " + name + " has no value: " + e.getMessage(), e)
                : e;
    }

    @Override
    public void writeLong(long value) {
        write((double) value, value);
    }

    @Override
    public void writeDouble(double value) {
        write(value, integers ? NumberNode.round(name, value) : (long) value);
    }

    private void write(double value, long whole) {
        compile();
        if (!converter) {
            throw new GenApiAccessException("Node " + name + " is a " + kind() + ", which cannot be written");
        }
        Link target = required(pValue, "pValue");
        Scope scope = new Scope().fix(value, whole);
        try {
            if (integers && !target.number().isFloat()) {
                target.write(to.longValue(scope));
            } else {
                target.write(to.doubleValue(scope));
            }
        } catch (GenApiAccessException e) {
            throw e;
        } catch (GenApiException e) {
            throw named(e);
        }
        context.changes.changed(this);
    }

    // ---- Limits (R19)

    private boolean open() {
        if (readingLimits) {
            context.freshness.passing();
        }
        return !converter || slope.equals("Varying") || readingLimits || pValue == null;
    }

    @Override
    public RealRange realRange() {
        if (integers) {
            WholeRange range = wholeRange();
            return new RealRange(hasMin ? min : range.low(), hasMax ? max : range.high());
        }
        RealRange range = open() || (hasMin && hasMax) ? RealRange.ALL : realImage();
        return new RealRange(hasMin ? min : range.low(), hasMax ? max : range.high());
    }

    @Override
    public WholeRange wholeRange() {
        if (!integers) {
            return realRange().inside();
        }
        WholeRange range = open() || (hasMin && hasMax) ? WholeRange.ALL : wholeImage();
        return new WholeRange(
                hasMin ? (long) Math.ceil(min) : range.low(), hasMax ? (long) Math.floor(max) : range.high());
    }

    /** Limits of the node below, asked for once: each of them can need all those below it. */
    private record Ends(double low, long wholeLow, double high, long wholeHigh) {
        static Ends of(NumberNode node) {
            if (node.isFloat()) {
                RealRange range = node.realRange();
                return new Ends(
                        range.low(), (long) Math.ceil(range.low()), range.high(), (long) Math.floor(range.high()));
            }
            WholeRange range = node.wholeRange();
            return new Ends(range.low(), range.low(), range.high(), range.high());
        }
    }

    private RealRange realImage() {
        compile();
        readingLimits = true;
        try {
            context.operations.work();
            Ends ends = Ends.of(valueNode());
            double a = mapped(ends.low, ends.wholeLow);
            double b = mapped(ends.high, ends.wholeHigh);
            if (Double.isNaN(a) || Double.isNaN(b)) {
                return RealRange.ALL;
            }
            RealRange image = switch (slope) {
                case "Increasing" -> new RealRange(a, b);
                case "Decreasing" -> new RealRange(b, a);
                default -> new RealRange(Math.min(a, b), Math.max(a, b));
            };
            return new RealRange(finite(image.low()), finite(image.high()));
        } finally {
            readingLimits = false;
        }
    }

    private static double finite(double limit) {
        return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, limit));
    }

    private double mapped(double end, long wholeEnd) {
        try {
            return from.doubleValue(new Scope().fix(end, wholeEnd));
        } catch (GivenUpException e) {
            throw e;
        } catch (RuntimeException e) {
            // A formula without a value at this end has no limit there.
            return Double.NaN;
        }
    }

    private WholeRange wholeImage() {
        compile();
        readingLimits = true;
        try {
            context.operations.work();
            Ends ends = Ends.of(valueNode());
            // What has no end below has none here: its image would only be an overflow.
            boolean noLow = ends.wholeLow == Long.MIN_VALUE;
            boolean noHigh = ends.wholeHigh == Long.MAX_VALUE;
            long a = noLow ? 0 : from.longValue(new Scope().fix(ends.low, ends.wholeLow));
            long b = noHigh ? 0 : from.longValue(new Scope().fix(ends.high, ends.wholeHigh));
            return switch (slope) {
                case "Increasing" -> new WholeRange(noLow ? Long.MIN_VALUE : a, noHigh ? Long.MAX_VALUE : b);
                case "Decreasing" -> new WholeRange(noHigh ? Long.MIN_VALUE : b, noLow ? Long.MAX_VALUE : a);
                default -> noLow || noHigh ? WholeRange.ALL : new WholeRange(Math.min(a, b), Math.max(a, b));
            };
        } catch (GenApiAccessException | GivenUpException e) {
            throw e;
        } catch (RuntimeException e) {
            return WholeRange.ALL;
        } finally {
            readingLimits = false;
        }
    }

    // ---- Steps

    /** A straight line maps a step onto a step. */
    final OptionalDouble stepOfLinear() {
        boolean linear = element.value("IsLinear").orElse("No").equals("Yes");
        if (!linear || open()) {
            return OptionalDouble.empty();
        }
        NumberNode inner = valueNode();
        OptionalDouble step = inner instanceof FloatAccess real
                ? real.step()
                : inner instanceof IntegerAccess integer
                        ? OptionalDouble.of((double) integer.stepLong())
                        : OptionalDouble.empty();
        if (step.isEmpty()) {
            return step;
        }
        compile();
        double one = mapped(step.getAsDouble(), (long) step.getAsDouble());
        double none = mapped(0, 0);
        return Double.isNaN(one - none) ? OptionalDouble.empty() : OptionalDouble.of(Math.abs(one - none));
    }

    /** The values that the nodes below list, through the formula. */
    final List<Double> mappedValues() {
        if (!converter || pValue == null) {
            return List.of();
        }
        List<? extends Number> below = valueNode() instanceof IntegerAccess integer
                ? integer.validValues()
                : valueNode() instanceof FloatAccess real ? real.validValues() : List.of();
        if (below.isEmpty()) {
            return List.of();
        }
        compile();
        return below.stream()
                .map(value -> mapped(value.doubleValue(), value.longValue()))
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toList();
    }

    /** SwissKnife and Converter. */
    static final class OfFloat extends FormulaNode implements FloatAccess {
        OfFloat(NodeContext context, Element element, String name) {
            super(context, element, name);
        }

        @Override
        public BaseNode self() {
            return this;
        }

        @Override
        public OptionalDouble step() {
            return stepOfLinear();
        }

        @Override
        public List<Double> validValues() {
            return operate(() -> mappedValues());
        }
    }

    /** IntSwissKnife and IntConverter. */
    static final class OfInteger extends FormulaNode implements IntegerAccess {
        OfInteger(NodeContext context, Element element, String name) {
            super(context, element, name);
        }

        @Override
        public long[] allowed() {
            return mappedValues().stream().mapToLong(Double::longValue).toArray();
        }

        @Override
        public BaseNode self() {
            return this;
        }
    }
}
