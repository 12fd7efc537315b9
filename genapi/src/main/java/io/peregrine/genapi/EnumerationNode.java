package io.peregrine.genapi;

import java.util.List;

/** One of several symbols. */
public interface EnumerationNode extends Node {
    /** Symbol of the current entry. */
    String value();

    /**
     * Symbol of the current entry, checked that it is one that could be selected.
     *
     * @throws GenApiRangeException if the entry is not available
     */
    String verifiedValue();

    /** Selects an entry by its symbol. */
    void set(String symbol);

    /** Symbols that can be selected now. */
    List<String> symbols();

    /** All entries, also those that cannot be selected now. */
    List<EnumEntryNode> entries();

    /** The current entry. */
    EnumEntryNode currentEntry();

    /** Number behind the current entry, also when no entry has it. */
    long intValue();

    /** Selects an entry by its number. */
    void setIntValue(long value);
}
