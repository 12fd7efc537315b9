package io.peregrine.genapi;

import io.peregrine.genapi.internal.NearNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Enumeration and its entries (R16). */
final class EnumerationImpl extends BaseNode implements EnumerationNode, NumberNode {

    /** One entry; a separate node for its predicates. */
    static final class Entry extends BaseNode implements EnumEntryNode {
        private final String symbol;
        private final long value;
        private final double number;
        private final boolean selfClearing;
        private final boolean ownNumber;

        Entry(NodeContext context, Element element, String name, String symbol) {
            super(context, element, name);
            this.symbol = symbol;
            value = Numbers.parseLong(name, element.valueOrNull("Value"), 0);
            String numeric = element.valueOrNull("NumericValue");
            ownNumber = numeric != null;
            number = numeric == null ? value : Numbers.parseDouble(name, numeric);
            selfClearing = element.says("IsSelfClearing", "Yes");
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
        public String displayName() {
            return element.rawValue("DisplayName").orElse(symbol);
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
    private final boolean hasSelfClearing;
    private final boolean hasOwnNumbers;
    private final boolean hasEqualValues;
    private long own;
    /** Whether an entry was selected that the device leaves by itself. */
    private boolean clearing;

    EnumerationImpl(NodeContext context, Element element, String name) {
        super(context, element, name);
        literal = element.has("Value");
        own = Numbers.parseLong(name, element.valueOrNull("Value"), 0);
        // Not by +, whose first use in a process takes longer than a hundred nodes.
        String prefix = "EnumEntry_".concat(name).concat("_");
        for (Element entry : element.children()) {
            String id = entry.name().equals("EnumEntry") ? entry.attributeOrNull("Name") : null;
            if (id == null) {
                continue;
            }
            String symbolic = entry.valueOrNull("Symbolic");
            String symbol = symbolic == null ? id : symbolic;
            try {
                entries.add(new Entry(context, entry, prefix.concat(id), symbol));
            } catch (GenApiException e) {
                context.problem(name, "entry " + symbol + " was skipped: " + e.getMessage());
            }
        }
        boolean anySelfClearing = false;
        boolean anyOwnNumber = false;
        Set<Long> values = new HashSet<>();
        for (Entry entry : entries) {
            anySelfClearing |= entry.selfClearing;
            anyOwnNumber |= entry.ownNumber;
            values.add(entry.value);
        }
        hasSelfClearing = anySelfClearing;
        hasOwnNumbers = anyOwnNumber;
        hasEqualValues = values.size() < entries.size();
    }

    /** Always, unless there are entries that the device leaves by itself. */
    @Override
    boolean changesByItself() {
        return clearing || !hasSelfClearing;
    }

    List<Entry> builtEntries() {
        return entries;
    }

    long entryValue(String symbol) {
        return entry(symbol).value;
    }

    @Override
    List<Runnable> parts() {
        List<Runnable> parts = super.parts();
        entries.forEach(entry -> parts.add(entry::access));
        return parts;
    }

    /** Anything but 0 says that the write failed (R29). */
    @Override
    void throwIfError(String written) {
        dropDeep();
        long code = raw();
        if (code != 0) {
            Entry entry = entryOrNull(code);
            String reason =
                    entry == null ? "error " + code : entry.toolTip().isEmpty() ? entry.symbol : entry.toolTip();
            throw new GenApiException("Node " + written + " was written, but the device reports: " + reason);
        }
    }

    private Entry entry(String symbol) {
        for (Entry entry : entries) {
            if (entry.symbol.equals(symbol)) {
                return entry;
            }
        }
        String question = NearNames.question(
                symbol, entries.stream().map(entry -> entry.symbol).toList());
        throw new GenApiRangeException("Node " + name + " has no entry '" + symbol + "'"
                + (question.isEmpty() ? ": it has " : ". " + question + " It has ") + available());
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
        AccessMode mode = pValue != null ? pValue.access() : literal ? AccessMode.RW : AccessMode.NI;
        return mode == AccessMode.NI ? mode : mode.and(accessOfEntries());
    }

    /** What has no entry that could be selected is not available. */
    private AccessMode accessOfEntries() {
        boolean implemented = entries.isEmpty();
        for (Entry entry : entries) {
            AccessMode mode = entry.access();
            if (mode.readable()) {
                return AccessMode.RW;
            }
            implemented |= mode != AccessMode.NI;
        }
        return entries.isEmpty() ? AccessMode.RW : implemented ? AccessMode.NA : AccessMode.NI;
    }

    @Override
    public boolean isFloat() {
        return false;
    }

    /** The number behind the current entry. */
    private long raw() {
        if (!clearing) {
            return pValue == null ? own : pValue.number().readLong();
        }
        // Only the device knows when it leaves the entry; what depends on it is then no longer known.
        dropDeep();
        long value = pValue == null ? own : pValue.number().readLong();
        Entry entry = entryOrNull(value);
        if (entry == null || !entry.selfClearing) {
            clearing = false;
            context.changes.forget(this);
        }
        return value;
    }

    /**
     * The entry of a value. Of several the one that can be selected now: the others are of other models or modes that
     * the description is for too.
     */
    private @Nullable Entry entryOrNull(long value) {
        Entry found = null;
        AccessMode mode = AccessMode.NI;
        for (Entry entry : entries) {
            if (entry.value != value) {
                continue;
            }
            if (!hasEqualValues) {
                return entry;
            }
            AccessMode one = entry.access();
            if (one.readable()) {
                return entry;
            }
            if (found == null || (mode == AccessMode.NI && one != AccessMode.NI)) {
                found = entry;
                mode = one;
            }
        }
        return found;
    }

    /** For other nodes an enumeration is the number its current entry stands for (R16). */
    @Override
    public long readLong() {
        long value = raw();
        Entry entry = hasOwnNumbers ? entryOrNull(value) : null;
        return entry == null || !entry.ownNumber ? value : NumberNode.round(name, entry.number);
    }

    @Override
    public double readDouble() {
        long value = raw();
        Entry entry = hasOwnNumbers ? entryOrNull(value) : null;
        return entry == null ? value : entry.number;
    }

    /** Selects, among the entries that can be selected now, the one whose number is nearest. */
    @Override
    public void writeLong(long value) {
        Entry same = entryOrNull(value);
        if (same != null && !same.ownNumber && same.access().readable()) {
            store(same);
        } else {
            writeDouble((double) value);
        }
    }

    @Override
    public void writeDouble(double value) {
        Entry best = null;
        for (Entry entry : entries) {
            if (entry.access().readable()
                    && (best == null || Math.abs(entry.number - value) < Math.abs(best.number - value))) {
                best = entry;
            }
        }
        if (best == null) {
            throw new GenApiAccessException(
                    "Node " + name + " cannot be written: it has no entry that is available at present");
        }
        store(best);
    }

    private void store(Entry entry) {
        clearing = false;
        if (pValue == null) {
            own = entry.value;
        } else {
            pValue.write(entry.value);
        }
        clearing = entry.selfClearing;
        context.changes.changed(this);
    }

    @Override
    public RealRange realRange() {
        return RealRange.ALL;
    }

    private Entry current() {
        long value = raw();
        Entry entry = entryOrNull(value);
        if (entry != null) {
            return entry;
        }
        throw new GenApiException("Node " + name + " holds " + value + ", for which it has no entry");
    }

    @Override
    public String value() {
        return operate(() -> {
            checkReadable();
            return current().symbol;
        });
    }

    @Override
    public EnumEntryNode currentEntry() {
        return operate(() -> {
            checkReadable();
            return current();
        });
    }

    @Override
    public String verifiedValue() {
        return operate(() -> {
            checkReadable();
            return checkAvailable(current()).symbol;
        });
    }

    private Entry checkAvailable(Entry entry) {
        if (!entry.access().readable()) {
            throw new GenApiRangeException("Entry '" + entry.symbol + "' of node " + name
                    + " is not available at present: there are " + available());
        }
        return entry;
    }

    private void select(Entry entry) {
        checkAvailable(entry);
        writing(true, () -> store(entry));
    }

    @Override
    public void set(String symbol) {
        run(() -> {
            checkWritable();
            select(entry(symbol));
        });
    }

    @Override
    public List<String> symbols() {
        return operate(() -> available());
    }

    @Override
    public List<EnumEntryNode> entries() {
        return List.copyOf(entries);
    }

    @Override
    public long intValue() {
        return operateLong(() -> {
            checkReadable();
            return raw();
        });
    }

    @Override
    public void setIntValue(long value) {
        run(() -> {
            checkWritable();
            Entry entry = entryOrNull(value);
            if (entry != null) {
                select(entry);
                return;
            }
            throw new GenApiRangeException(
                    "Node " + name + " has no entry with the value " + value + ": it has " + available());
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
