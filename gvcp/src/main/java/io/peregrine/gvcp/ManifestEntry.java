package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One GenICam XML in the manifest table of a device (register 0x9000, 512 bytes).
 *
 * <p>The table has a header of 8 bytes with the number of entries in its first 6 bits, and up to 63 entries of 8 bytes:
 * five numbers of 6 bits and 2 reserved bits, then the address of the register with the URL, 32 bits. Entries that are
 * malformed are dropped.
 *
 * @param xmlMajor version of the XML
 * @param xmlMinor second number of it
 * @param xmlSubminor third number of it
 * @param schemaMajor version of the schema that the XML follows
 * @param schemaMinor second number of it
 * @param urlAddress register with the URL of the XML
 */
public record ManifestEntry(
        int xmlMajor, int xmlMinor, int xmlSubminor, int schemaMajor, int schemaMinor, int urlAddress) {
    /** Bytes of the table. */
    public static final int TABLE_BYTES = 512;

    private static final int ENTRY_BYTES = 8;
    private static final int FIELD_BITS = 6;
    private static final int FIELD_MASK = 0x3F;
    /** GenApi 1.x is the only schema there is. */
    private static final int KNOWN_SCHEMA = 1;

    private static final Comparator<ManifestEntry> BEST_FIRST = Comparator.comparingInt(ManifestEntry::schemaMajor)
            .thenComparingInt(ManifestEntry::schemaMinor)
            .thenComparingInt(ManifestEntry::xmlMajor)
            .thenComparingInt(ManifestEntry::xmlMinor)
            .thenComparingInt(ManifestEntry::xmlSubminor)
            .reversed();

    /**
     * Reads a table.
     *
     * @param table its bytes
     * @return the well-formed entries, with the highest schema first, then the highest version; empty when there are
     *     none
     */
    public static List<ManifestEntry> parse(byte[] table) {
        List<ManifestEntry> entries = new ArrayList<>();
        if (table.length < TABLE_BYTES) {
            return entries;
        }
        ByteBuffer bytes = ByteBuffer.wrap(table);
        int count = bytes.getInt(0) >>> (Integer.SIZE - FIELD_BITS);
        for (int i = 1; i <= count; i++) {
            int versions = bytes.getInt(i * ENTRY_BYTES);
            ManifestEntry entry = new ManifestEntry(
                    versions >>> 26,
                    versions >>> 20 & FIELD_MASK,
                    versions >>> 14 & FIELD_MASK,
                    versions >>> 8 & FIELD_MASK,
                    versions >>> 2 & FIELD_MASK,
                    bytes.getInt(i * ENTRY_BYTES + Integer.BYTES));
            if (entry.possible()) {
                entries.add(entry);
            }
        }
        entries.sort(BEST_FIRST);
        return entries;
    }

    private boolean possible() {
        boolean register = Integer.compareUnsigned(urlAddress, BootstrapRegister.FIRST_URL) >= 0 && urlAddress % 4 == 0;
        return schemaMajor == KNOWN_SCHEMA && register;
    }
}
