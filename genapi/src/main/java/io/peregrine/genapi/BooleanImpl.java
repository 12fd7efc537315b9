package io.peregrine.genapi;

import java.util.Locale;

/** Boolean (R17). */
final class BooleanImpl extends BaseNode implements BooleanNode, NumberNode {
    private final long on;
    private final long off;
    private final boolean literal;
    private long own;

    BooleanImpl(NodeContext context, Element element, String name) {
        super(context, element, name);
        on = Numbers.parseLong(name, element.valueOrNull("OnValue"), 1);
        off = Numbers.parseLong(name, element.valueOrNull("OffValue"), 0);
        String value = element.valueOrNull("Value");
        literal = value != null;
        own = value == null ? off : literal(value);
        if (on == off) {
            throw new GenApiException("Node " + name + " has the same value for true and false");
        }
    }

    private long literal(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "1" -> on;
            case "false", "0" -> off;
            default -> Numbers.parseLong(name, text);
        };
    }

    @Override
    AccessMode ownAccess() {
        if (pValue != null) {
            return pValue.access();
        }
        return literal ? AccessMode.RW : AccessMode.NI;
    }

    @Override
    public boolean isFloat() {
        return false;
    }

    private boolean truth() {
        long raw = pValue != null ? pValue.number().readLong() : own;
        if (raw != on && raw != off) {
            throw new GenApiException("Node " + name + " holds " + raw + ", which is neither " + on + " for true nor "
                    + off + " for false");
        }
        return raw == on;
    }

    @Override
    public long readLong() {
        return truth() ? 1 : 0;
    }

    @Override
    public double readDouble() {
        return readLong();
    }

    @Override
    public void writeLong(long value) {
        long raw = value != 0 ? on : off;
        if (pValue != null) {
            pValue.write(raw);
        } else {
            own = raw;
        }
        context.changes.changed(this);
    }

    @Override
    public void writeDouble(double value) {
        writeLong(value != 0 ? 1 : 0);
    }

    @Override
    public boolean value() {
        return operate(() -> {
            checkReadable();
            return truth();
        });
    }

    @Override
    public void set(boolean value) {
        run(() -> {
            checkWritable();
            writing(true, () -> writeLong(value ? 1 : 0));
        });
    }

    @Override
    public String valueAsText() {
        return Boolean.toString(value());
    }

    @Override
    public void setFromText(String text) {
        switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "1" -> set(true);
            case "false", "0" -> set(false);
            default ->
                throw new GenApiRangeException("Node " + name + " does not take '" + text + "': give true or false");
        }
    }
}
