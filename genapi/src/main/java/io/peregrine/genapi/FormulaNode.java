package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** SwissKnife, IntSwissKnife, Converter and IntConverter: numbers by formula (R5, R19). */
abstract class FormulaNode extends BaseNode implements NumberNode {
    private static final Pattern DOTTED = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z0-9_]+)+");
    private static final int MAX_VARIABLES = 10_000;

    /** What a variable takes from its node. */
    private enum Part {
        VALUE,
        MIN,
        MAX,
        INC,
        ENTRY,
        ACCESS_MODE,
        VISIBILITY,
        CACHING_MODE
    }

    /** A variable that is another node's. */
    private static final class Bound {
        private final String name;
        private final Link link;
        private final Part part;
        private final String entry;

        Bound(String name, Link link, Part part, String entry) {
            this.name = name;
            this.link = link;
            this.part = part;
            this.entry = entry;
        }

        boolean real() {
            return switch (part) {
                case VALUE, MIN, MAX, INC -> link.nodeOrNull() instanceof NumberNode number && number.isFloat();
                default -> false;
            };
        }

        long longValue() {
            return switch (part) {
                case VALUE -> link.number().readLong();
                case MIN -> link.number().lowestLong();
                case MAX -> link.number().highestLong();
                case INC -> link.number().stepLong();
                case ENTRY -> {
                    if (link.node() instanceof EnumerationImpl enumeration) {
                        yield enumeration.entryValue(entry);
                    }
                    throw new GenApiException(
                            link.node().name + " has no entries, as variable " + name + " needs them");
                }
                case ACCESS_MODE -> link.access().ordinal();
                case VISIBILITY -> link.node().visibility().ordinal();
                // The numbers that descriptions compare with.
                case CACHING_MODE ->
                    switch (link.node().cachingOnce()) {
                        case NO_CACHE -> 0;
                        case WRITE_THROUGH -> 1;
                        case WRITE_AROUND -> 2;
                    };
            };
        }

        double doubleValue() {
            return switch (part) {
                case VALUE -> link.number().readDouble();
                case MIN -> link.number().lowestDouble();
                case MAX -> link.number().highestDouble();
                default -> longValue();
            };
        }
    }

    private final boolean integers;
    private final boolean converter;
    private final List<Link> variables = links("pVariable");
    private final double min;
    private final double max;
    private final boolean hasMin;
    private final boolean hasMax;
    private final String slope;
    private Bound[] bound;
    private int fromIndex = -1;
    private int toIndex = -1;
    private Formula from;
    private Formula to;
    private boolean readingLimits;

    // The value that the formula is evaluated for; evaluation is under the lock of the map, but can nest through
    // limits.
    private final Scope reading = new Scope();

    FormulaNode(NodeMap map, Element element, String name) {
        super(map, element, name);
        integers = element.name().startsWith("Int");
        converter = element.name().endsWith("Converter");
        if (variables.size() > MAX_VARIABLES) {
            throw new GenApiException("Node " + name + " has more than " + MAX_VARIABLES + " variables");
        }
        hasMin = element.first("Min").isPresent();
        hasMax = element.first("Max").isPresent();
        min = hasMin ? Numbers.parseDouble(name, element.value("Min").orElseThrow()) : 0;
        max = hasMax ? Numbers.parseDouble(name, element.value("Max").orElseThrow()) : 0;
        slope = element.value("Slope").orElse("Automatic");
    }

    @Override
    AccessMode ownAccess() {
        if (map.readingAhead()) {
            for (Link variable : variables) {
                NodeMap.attempt(() -> {
                    if (variable.access().readable() && variable.nodeOrNull() instanceof NumberNode number) {
                        number.readDouble();
                    }
                });
            }
        }
        for (Link variable : variables) {
            if (!variable.access().readable()) {
                return AccessMode.NA;
            }
        }
        if (!converter) {
            return AccessMode.RO;
        }
        return pValue == null ? AccessMode.NI : pValue.access();
    }

    @Override
    CachingMode caching() {
        CachingMode mode = super.caching();
        for (Link variable : variables) {
            BaseNode node = variable.nodeOrNull();
            if (node != null) {
                mode = mode.weaker(node.cachingOnce());
            }
        }
        return mode;
    }

    /** Compiles on first use, so that a bad formula costs its node and not the file. */
    private void compile() {
        if (from != null) {
            return;
        }
        List<String> names = new ArrayList<>();
        List<Bound> bounds = new ArrayList<>();
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
                        bounds.add(bind(id.get(), id.get(), child.text()));
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
        Bound[] all = bounds.toArray(Bound[]::new);
        int own = toIndex;
        boolean realTarget = converter && pValue != null && pValue.nodeOrNull() instanceof NumberNode n && n.isFloat();
        try {
            Formula compiled = Formula.compile(
                    texts.get(0),
                    names,
                    expressions,
                    integers,
                    index -> index < all.length ? all[index].real() : index == own && realTarget);
            if (converter) {
                to = Formula.compile(
                        texts.get(1), names, expressions, integers, index -> index < all.length && all[index].real());
            }
            bound = all;
            from = compiled;
        } catch (GenApiException e) {
            throw new GenApiException("Node " + name + ": " + e.getMessage(), e);
        }
    }

    private Bound bind(String variable, String base, String target) {
        String suffix = variable.substring(base.length());
        Link link = new Link(this, target);
        if (suffix.startsWith(".Entry.")) {
            return new Bound(variable, link, Part.ENTRY, suffix.substring(".Entry.".length()));
        }
        Part part = switch (suffix) {
            case "", ".Value" -> Part.VALUE;
            case ".Min" -> Part.MIN;
            case ".Max" -> Part.MAX;
            case ".Inc" -> Part.INC;
            case ".AccessMode" -> Part.ACCESS_MODE;
            case ".Visibility" -> Part.VISIBILITY;
            case ".CachingMode" -> Part.CACHING_MODE;
            default -> throw new GenApiException("Node " + name + " asks for " + variable + ", which is not known");
        };
        return new Bound(variable, link, part, "");
    }

    /** Declares variables such as X.Max for the formula that uses them; X may itself be declared with such an end. */
    private void dotted(String formula, List<String> names, List<Bound> bounds, Map<String, String> targets) {
        Matcher matcher = DOTTED.matcher(formula);
        while (matcher.find()) {
            String whole = matcher.group();
            String base = whole.substring(0, whole.indexOf('.'));
            if (targets.containsKey(base) && !names.contains(whole)) {
                names.add(whole);
                bounds.add(bind(whole, base, targets.get(base)));
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
            map.work();
            if (index < bound.length) {
                return bound[index].longValue();
            }
            return fixed || index == fromIndex ? whole : valueNode().readLong();
        }

        @Override
        public double doubleValue(int index) {
            map.work();
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
        compile();
        try {
            return integers ? from.longValue(reading) : from.doubleValue(reading);
        } catch (GenApiAccessException e) {
            throw e;
        } catch (GenApiException e) {
            throw named(e);
        }
    }

    @Override
    public long readLong() {
        compile();
        try {
            return integers ? from.longValue(reading) : NumberNode.round(name, from.doubleValue(reading));
        } catch (GenApiAccessException e) {
            throw e;
        } catch (GenApiException e) {
            throw named(e);
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
        NumberNode inner = valueNode();
        Scope scope = new Scope().fix(value, whole);
        try {
            if (inner.isFloat()) {
                inner.writeDouble(to.doubleValue(scope));
            } else if (integers) {
                inner.writeLong(to.longValue(scope));
            } else {
                inner.writeLong(NumberNode.round(name, to.doubleValue(scope)));
            }
        } catch (GenApiAccessException e) {
            throw e;
        } catch (GenApiException e) {
            throw named(e);
        }
        map.changed(this);
    }

    // ---- Limits (R19)

    private boolean open() {
        return !converter || slope.equals("Varying") || readingLimits || pValue == null;
    }

    @Override
    public double lowestDouble() {
        if (hasMin) {
            return min;
        }
        if (integers) {
            return lowestLong();
        }
        return open() ? -Double.MAX_VALUE : realLimit(true);
    }

    @Override
    public double highestDouble() {
        if (hasMax) {
            return max;
        }
        if (integers) {
            return highestLong();
        }
        return open() ? Double.MAX_VALUE : realLimit(false);
    }

    private double realLimit(boolean lowest) {
        compile();
        readingLimits = true;
        try {
            NumberNode inner = valueNode();
            double a = mapped(inner.lowestDouble(), inner.lowestLong());
            double b = mapped(inner.highestDouble(), inner.highestLong());
            if (Double.isNaN(a) || Double.isNaN(b)) {
                return lowest ? -Double.MAX_VALUE : Double.MAX_VALUE;
            }
            double limit = switch (slope) {
                case "Increasing" -> lowest ? a : b;
                case "Decreasing" -> lowest ? b : a;
                default -> lowest ? Math.min(a, b) : Math.max(a, b);
            };
            return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, limit));
        } finally {
            readingLimits = false;
        }
    }

    private double mapped(double end, long wholeEnd) {
        try {
            return from.doubleValue(new Scope().fix(end, wholeEnd));
        } catch (GenApiException e) {
            // A formula without a value at this end has no limit there.
            return Double.NaN;
        }
    }

    @Override
    public long lowestLong() {
        if (!integers || hasMin) {
            return (long) Math.ceil(lowestDouble());
        }
        return open() ? Long.MIN_VALUE : wholeLimit(true);
    }

    @Override
    public long highestLong() {
        if (!integers || hasMax) {
            return (long) Math.floor(highestDouble());
        }
        return open() ? Long.MAX_VALUE : wholeLimit(false);
    }

    private long wholeLimit(boolean lowest) {
        compile();
        readingLimits = true;
        try {
            NumberNode inner = valueNode();
            long a = from.longValue(new Scope().fix(inner.lowestDouble(), inner.lowestLong()));
            long b = from.longValue(new Scope().fix(inner.highestDouble(), inner.highestLong()));
            return switch (slope) {
                case "Increasing" -> lowest ? a : b;
                case "Decreasing" -> lowest ? b : a;
                default -> lowest ? Math.min(a, b) : Math.max(a, b);
            };
        } catch (GenApiAccessException e) {
            throw e;
        } catch (GenApiException e) {
            return lowest ? Long.MIN_VALUE : Long.MAX_VALUE;
        } finally {
            readingLimits = false;
        }
    }

    /** SwissKnife and Converter. */
    static final class OfFloat extends FormulaNode implements FloatAccess {
        OfFloat(NodeMap map, Element element, String name) {
            super(map, element, name);
        }

        @Override
        public BaseNode self() {
            return this;
        }
    }

    /** IntSwissKnife and IntConverter. */
    static final class OfInteger extends FormulaNode implements IntegerAccess {
        OfInteger(NodeMap map, Element element, String name) {
            super(map, element, name);
        }

        @Override
        public BaseNode self() {
            return this;
        }
    }
}
