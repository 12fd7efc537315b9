package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.List;

/** Enumeration and its entries (R16). */
final class EnumerationImpl extends BaseNode implements EnumerationNode, NumberNode {

    /** One entry; a node of its own for its predicates. */
    static final class Entry extends BaseNode implements EnumEntryNode {
        private final String symbol;
        private final long value;
        private final double number;
        private final boolean selfClearing;

        Entry(NodeMap map, Element element, String name, String symbol) {
            super(map, element, name);
            this.symbol = symbol;
            value = Numbers.parseLong(name, element.value("Value").orElse("0"));
            number = element.value("NumericValue")
                    .map(text -> Numbers.parseDouble(name, text))
                    .orElse((double) value);
            selfClearing = element.value("IsSelfClearing").orElse("No").equals("Yes");
        }

        @Override
        AccessMode ownAccess() {
            return AccessMode.RO;
        }

        @Override
        public String symbol() {
            return symbol;
        }

        @Override
        public long intValue() {
            return value;
        }

        @Override
        public double numericValue() {
            return number;
        }

        @Override
        public boolean selfClearing() {
            return selfClearing;
        }

        @Override
        public String valueAsText() {
            return Long.toString(value);
        }
    }

    private final List<Entry> entries = new ArrayList<>();
    private final boolean literal;
    private long own;

    EnumerationImpl(NodeMap map, Element element, String name) {
        super(map, element, name);
        literal = element.first("Value").isPresent();
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

    List<Entry> builtEntries() {
        return entries;
    }

    long entryValue(String symbol) {
        return entry(symbol).value;
    }

    /** When this enumeration tells whether another node's write worked: anything but 0 says no (R29). */
    void throwIfError(String written) {
        dropDeep();
        long code = readLong();
        if (code != 0) {
            String reason = "error " + code;
            for (Entry entry : entries) {
                if (entry.value == code) {
                    reason = entry.toolTip().isEmpty() ? entry.symbol : entry.toolTip();
                }
            }
            throw new GenApiException("Node " + written + " was written, but the device reports: " + reason);
        }
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
        List<String> symbols = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.access().readable()) {
                symbols.add(entry.symbol);
            }
        }
        return List.copyOf(symbols);
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

    private boolean overFloat() {
        return pValue != null && pValue.number().isFloat();
    }

    @Override
    public long readLong() {
        if (pValue == null) {
            return own;
        }
        if (!overFloat() || entries.isEmpty()) {
            return pValue.number().readLong();
        }
        return nearest(pValue.number().readDouble()).value;
    }

    private Entry nearest(double number) {
        Entry best = entries.get(0);
        for (Entry entry : entries) {
            if (Math.abs(entry.number - number) < Math.abs(best.number - number)) {
                best = entry;
            }
        }
        return best;
    }

    @Override
    public double readDouble() {
        long value = readLong();
        for (Entry entry : entries) {
            if (entry.value == value) {
                return entry.number;
            }
        }
        return value;
    }

    @Override
    public void writeLong(long value) {
        if (pValue == null) {
            own = value;
        } else if (overFloat()) {
            double number = value;
            for (Entry entry : entries) {
                if (entry.value == value) {
                    number = entry.number;
                }
            }
            pValue.number().writeDouble(number);
        } else {
            pValue.number().writeLong(value);
        }
        map.changed(this);
    }

    @Override
    public void writeDouble(double value) {
        if (entries.isEmpty()) {
            writeLong(NumberNode.round(name, value));
        } else {
            writeLong(nearest(value).value);
        }
    }

    @Override
    public long lowestLong() {
        long lowest = Long.MAX_VALUE;
        for (Entry entry : entries) {
            lowest = Math.min(lowest, entry.value);
        }
        return entries.isEmpty() ? Long.MIN_VALUE : lowest;
    }

    @Override
    public long highestLong() {
        long highest = Long.MIN_VALUE;
        for (Entry entry : entries) {
            highest = Math.max(highest, entry.value);
        }
        return entries.isEmpty() ? Long.MAX_VALUE : highest;
    }

    private Entry current() {
        long value = readLong();
        for (Entry entry : entries) {
            if (entry.value == value) {
                return entry;
            }
        }
        throw new GenApiException("Node " + name + " holds " + value + ", for which it has no entry");
    }

    @Override
    public String value() {
        map.enter(this);
        try {
            checkReadable();
            return current().symbol;
        } finally {
            map.exit();
        }
    }

    @Override
    public EnumEntryNode currentEntry() {
        map.enter(this);
        try {
            checkReadable();
            return current();
        } finally {
            map.exit();
        }
    }

    private void select(Entry entry) {
        if (!entry.access().readable()) {
            throw new GenApiRangeException("Entry '" + entry.symbol + "' of node " + name
                    + " is not available at present: there are " + available());
        }
        writeLong(entry.value);
        checkError();
    }

    @Override
    public void set(String symbol) {
        map.enter(this);
        try {
            checkWritable();
            select(entry(symbol));
        } finally {
            map.exit();
        }
    }

    @Override
    public List<String> symbols() {
        map.enter(this);
        try {
            return available();
        } finally {
            map.exit();
        }
    }

    @Override
    public List<EnumEntryNode> entries() {
        return List.copyOf(entries);
    }

    @Override
    public long intValue() {
        map.enter(this);
        try {
            checkReadable();
            return readLong();
        } finally {
            map.exit();
        }
    }

    @Override
    public void setIntValue(long value) {
        map.enter(this);
        try {
            checkWritable();
            for (Entry entry : entries) {
                if (entry.value == value) {
                    select(entry);
                    return;
                }
            }
            throw new GenApiRangeException(
                    "Node " + name + " has no entry with the value " + value + ": it has " + available());
        } finally {
            map.exit();
        }
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
