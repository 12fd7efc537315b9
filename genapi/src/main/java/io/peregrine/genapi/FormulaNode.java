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

    private final boolean integers;
    private final boolean converter;
    private final List<String> names = new ArrayList<>();
    private final Map<String, String> targets = new HashMap<>();
    private Formula from;
    private Formula to;

    FormulaNode(NodeMap map, Element element, String name) {
        super(map, element, name);
        integers = element.name().startsWith("Int");
        converter = element.name().endsWith("Converter");
    }

    @Override
    AccessMode ownAccess() {
        for (BaseNode variable : links("pVariable")) {
            if (!variable.access().readable()) {
                return AccessMode.NA;
            }
        }
        if (!converter) {
            return AccessMode.RO;
        }
        return link("pValue").map(BaseNode::access).orElse(AccessMode.NI);
    }

    /** Compiles on first use, so that a bad formula costs its node and not the file. */
    private void compile() {
        if (from != null) {
            return;
        }
        Map<String, String> expressions = new HashMap<>();
        for (Element child : element.children()) {
            child.attribute("Name").ifPresent(id -> {
                switch (child.name()) {
                    case "pVariable" -> {
                        names.add(id);
                        targets.put(id, child.text());
                    }
                    case "Constant", "Expression" -> expressions.put(id, child.text());
                    default -> {}
                }
            });
        }
        try {
            if (converter) {
                names.add("FROM");
                names.add("TO");
                to = Formula.compile(dotted(element.value("FormulaTo").orElse("")), names, expressions, integers);
                from = Formula.compile(dotted(element.value("FormulaFrom").orElse("")), names, expressions, integers);
            } else {
                from = Formula.compile(dotted(element.value("Formula").orElse("")), names, expressions, integers);
            }
        } catch (GenApiException e) {
            throw new GenApiException("Node " + name + ": " + e.getMessage(), e);
        }
    }

    /** Declares variables such as X.Max for the formula that uses them. */
    private String dotted(String formula) {
        Matcher matcher = DOTTED.matcher(formula);
        while (matcher.find()) {
            String whole = matcher.group();
            String base = whole.substring(0, whole.indexOf('.'));
            if (targets.containsKey(base) && !names.contains(whole)) {
                names.add(whole);
                targets.put(whole, targets.get(base));
            }
        }
        return formula;
    }

    private final class Scope implements Formula.Variables {
        private final Optional<NumberNode> inner;
        private final double input;
        private final long inputWhole;

        Scope(Optional<NumberNode> inner, double input, long inputWhole) {
            this.inner = inner;
            this.input = input;
            this.inputWhole = inputWhole;
        }

        private NumberNode target(int index) {
            String variable = names.get(index);
            String target = targets.get(variable);
            if (map.base(target).orElse(null) instanceof NumberNode number) {
                return number;
            }
            throw new GenApiAccessException("Node " + name + " uses " + target + " as variable " + variable
                    + ", which is no number of this camera description");
        }

        private boolean own(int index) {
            return converter && !targets.containsKey(names.get(index));
        }

        private boolean isInner(int index) {
            return names.get(index).equals("TO") && inner.isPresent();
        }

        @Override
        public boolean isFloat(int index) {
            if (!integers) {
                return true;
            }
            if (own(index)) {
                return isInner(index) && inner.orElseThrow().isFloat();
            }
            return target(index).isFloat();
        }

        @Override
        public long longValue(int index) {
            if (own(index)) {
                return isInner(index) ? inner.orElseThrow().readLong() : inputWhole;
            }
            return (long) suffixed(index, true);
        }

        @Override
        public double doubleValue(int index) {
            if (own(index)) {
                return isInner(index) ? inner.orElseThrow().readDouble() : input;
            }
            return ((Number) suffixed(index, false)).doubleValue();
        }

        private Object suffixed(int index, boolean whole) {
            NumberNode node = target(index);
            String variable = names.get(index);
            int dot = variable.indexOf('.');
            String suffix = dot < 0 ? "Value" : variable.substring(dot + 1);
            if (suffix.startsWith("Entry.") && node instanceof EnumerationImpl enumeration) {
                long value = enumeration.entryValue(suffix.substring("Entry.".length()));
                return whole ? (Object) value : (Object) (double) value;
            }
            return switch (suffix) {
                case "Min" -> whole ? (Object) node.lowestLong() : (Object) node.lowestDouble();
                case "Max" -> whole ? (Object) node.highestLong() : (Object) node.highestDouble();
                case "Inc" -> whole ? (Object) node.stepLong() : (Object) (double) node.stepLong();
                case "Value" -> whole ? (Object) node.readLong() : (Object) node.readDouble();
                default -> throw new GenApiException("Node " + name + " asks for " + variable + ", which is not known");
            };
        }
    }

    private Scope reading() {
        return new Scope(converter ? Optional.of(number("pValue")) : Optional.empty(), 0, 0);
    }

    @Override
    public boolean isFloat() {
        return !integers;
    }

    @Override
    public double readDouble() {
        compile();
        Scope scope = reading();
        return integers ? from.longValue(scope) : from.doubleValue(scope);
    }

    @Override
    public long readLong() {
        compile();
        return integers ? from.longValue(reading()) : NumberNode.round(name, from.doubleValue(reading()));
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
        NumberNode inner = number("pValue");
        Scope scope = new Scope(Optional.empty(), value, whole);
        if (integers && !inner.isFloat()) {
            inner.writeLong(to.longValue(scope));
        } else if (inner.isFloat()) {
            inner.writeDouble(to.doubleValue(scope));
        } else {
            inner.writeLong(NumberNode.round(name, to.doubleValue(scope)));
        }
    }

    @Override
    public double lowestDouble() {
        return bound(true);
    }

    @Override
    public double highestDouble() {
        return bound(false);
    }

    private double bound(boolean lowest) {
        Optional<String> literal = element.value(lowest ? "Min" : "Max");
        if (literal.isPresent()) {
            return Numbers.parseDouble(name, literal.get());
        }
        double open = lowest
                ? (integers ? (double) Long.MIN_VALUE : -Double.MAX_VALUE)
                : (integers ? (double) Long.MAX_VALUE : Double.MAX_VALUE);
        String slope = element.value("Slope").orElse("Automatic");
        if (!converter || slope.equals("Varying")) {
            return open;
        }
        compile();
        NumberNode inner = number("pValue");
        double a = mapped(inner.lowestDouble(), inner.lowestLong());
        double b = mapped(inner.highestDouble(), inner.highestLong());
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return open;
        }
        return switch (slope) {
            case "Increasing" -> lowest ? a : b;
            case "Decreasing" -> lowest ? b : a;
            default -> lowest ? Math.min(a, b) : Math.max(a, b);
        };
    }

    private double mapped(double end, long wholeEnd) {
        Fixed fixed = new Fixed(end, wholeEnd);
        try {
            return integers ? from.longValue(fixed) : from.doubleValue(fixed);
        } catch (GenApiException e) {
            return Double.NaN;
        }
    }

    /** The formula with TO held at one value. */
    private final class Fixed implements Formula.Variables {
        private final Scope rest = new Scope(Optional.empty(), 0, 0);
        private final double value;
        private final long whole;

        Fixed(double value, long whole) {
            this.value = value;
            this.whole = whole;
        }

        @Override
        public boolean isFloat(int index) {
            return !integers || (!rest.own(index) && rest.isFloat(index));
        }

        @Override
        public long longValue(int index) {
            return rest.own(index) ? whole : rest.longValue(index);
        }

        @Override
        public double doubleValue(int index) {
            return rest.own(index) ? value : rest.doubleValue(index);
        }
    }

    @Override
    public long lowestLong() {
        return clamp(Math.ceil(lowestDouble()));
    }

    @Override
    public long highestLong() {
        return clamp(Math.floor(highestDouble()));
    }

    private static long clamp(double value) {
        return (long) value;
    }

    /** SwissKnife and Converter. */
    static final class OfFloat extends FormulaNode implements FloatNode {
        OfFloat(NodeMap map, Element element, String name) {
            super(map, element, name);
        }

        @Override
        public double value() {
            return locked(() -> {
                checkReadable();
                return readDouble();
            });
        }

        @Override
        public void set(double value) {
            lockedRun(() -> {
                checkWritable();
                FloatImpl.checkRange(this, name, value);
                writeDouble(value);
            });
        }

        @Override
        public double min() {
            return locked(this::lowestDouble);
        }

        @Override
        public double max() {
            return locked(this::highestDouble);
        }

        @Override
        public String valueAsText() {
            return Double.toString(value());
        }

        @Override
        public void setFromText(String text) {
            set(Numbers.parseDouble(name, text));
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
