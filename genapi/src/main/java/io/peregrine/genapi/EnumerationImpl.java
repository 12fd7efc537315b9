package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Enumeration and its entries (R16). */
final class EnumerationImpl extends BaseNode implements EnumerationNode, NumberNode {

    /** One entry; a node of its own for its predicates. */
    static final class Entry extends BaseNode {
        private final String symbol;
        private final long value;

        Entry(NodeMap map, Element element, String name, String symbol) {
            super(map, element, name);
            this.symbol = symbol;
            value = Numbers.parseLong(name, element.value("Value").orElse("0"));
        }

        @Override
        AccessMode ownAccess() {
            return AccessMode.RO;
        }

        @Override
        public String valueAsText() {
            return Long.toString(value);
        }
    }

    private final List<Entry> entries = new ArrayList<>();
    private long own;

    EnumerationImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
        own = element.value("Value").map(text -> Numbers.parseLong(name, text)).orElse(0L);
        for (Element entry : element.all("EnumEntry")) {
            entry.attribute("Name").ifPresent(symbol -> {
                try {
                    entries.add(new Entry(map, entry, "EnumEntry_" + name + "_" + symbol, symbol));
                } catch (GenApiException e) {
                    map.problem(name, "entry " + symbol + " was skipped: " + e.getMessage());
                }
            });
        }
    }

    List<Entry> entries() {
        return entries;
    }

    long entryValue(String symbol) {
        return entry(symbol).value;
    }

    private Entry entry(String symbol) {
        for (Entry entry : entries) {
            if (entry.symbol.equals(symbol)) {
                return entry;
            }
        }
        throw new GenApiRangeException("Node " + name + " has no entry '" + symbol + "': it has " + available());
    }

    private List<String> available() {
        return entries.stream()
                .filter(entry -> entry.access().readable())
                .map(entry -> entry.symbol)
                .toList();
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

    @Override
    public long readLong() {
        return element.first("pValue").isPresent() ? number("pValue").readLong() : own;
    }

    @Override
    public double readDouble() {
        return readLong();
    }

    @Override
    public void writeLong(long value) {
        if (element.first("pValue").isPresent()) {
            number("pValue").writeLong(value);
        } else {
            own = value;
        }
        changed();
    }

    @Override
    public void writeDouble(double value) {
        writeLong(NumberNode.round(name, value));
    }

    @Override
    public String value() {
        return locked(() -> {
            checkReadable();
            long value = readLong();
            for (Entry entry : entries) {
                if (entry.value == value) {
                    return entry.symbol;
                }
            }
            throw new GenApiException("Node " + name + " holds " + value + ", for which it has no entry");
        });
    }

    @Override
    public void set(String symbol) {
        lockedRun(() -> {
            checkWritable();
            Entry entry = entry(symbol);
            if (!entry.access().readable()) {
                throw new GenApiRangeException("Entry '" + symbol + "' of node " + name
                        + " is not available at present: there are " + available());
            }
            writeLong(entry.value);
        });
    }

    @Override
    public List<String> symbols() {
        return locked(this::available);
    }

    @Override
    public long intValue() {
        return locked(() -> {
            checkReadable();
            return readLong();
        });
    }

    @Override
    public void setIntValue(long value) {
        lockedRun(() -> {
            checkWritable();
            if (entries.stream().noneMatch(entry -> entry.value == value)) {
                throw new GenApiRangeException("Node " + name + " has no entry with the value " + value);
            }
            writeLong(value);
        });
    }

    @Override
    public String valueAsText() {
        return value();
    }

    @Override
    public void setFromText(String text) {
        set(text.strip());
    }
}
