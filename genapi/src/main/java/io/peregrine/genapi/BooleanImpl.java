package io.peregrine.genapi;

import java.util.Locale;
import java.util.Optional;

/** Boolean (R17). */
final class BooleanImpl extends BaseNode implements BooleanNode, NumberNode {
    private final long on;
    private final long off;
    private long own;

    BooleanImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
        on = element.value("OnValue").map(text -> Numbers.parseLong(name, text)).orElse(1L);
        off = element.value("OffValue")
                .map(text -> Numbers.parseLong(name, text))
                .orElse(0L);
        own = element.value("Value").map(text -> literal(text)).orElse(off);
        if (on == off) {
            throw new GenApiException("Node " + name + " has the same value for true and false");
        }
    }

    private long literal(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> on;
            case "false" -> off;
            default -> Numbers.parseLong(name, text);
        };
    }

    @Override
    AccessMode ownAccess() {
        Optional<BaseNode> target = link("pValue");
        if (target.isPresent()) {
            return target.get().access();
        }
        return element.first("Value").isPresent() ? AccessMode.RW : AccessMode.NI;
    }

    @Override
    public boolean isFloat() {
        return false;
    }

    private boolean truth() {
        long raw = element.first("pValue").isPresent() ? number("pValue").readLong() : own;
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
        if (element.first("pValue").isPresent()) {
            number("pValue").writeLong(raw);
        } else {
            own = raw;
        }
        changed();
    }

    @Override
    public void writeDouble(double value) {
        writeLong(value != 0 ? 1 : 0);
    }

    @Override
    public long lowestLong() {
        return 0;
    }

    @Override
    public long highestLong() {
        return 1;
    }

    @Override
    public boolean value() {
        return locked(() -> {
            checkReadable();
            return truth();
        });
    }

    @Override
    public void set(boolean value) {
        lockedRun(() -> {
            checkWritable();
            writeLong(value ? 1 : 0);
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
