package io.peregrine.genapi;

import org.jspecify.annotations.Nullable;

/** Texts of a document, of which each is made only once: in a description the same few come a thousand times each. */
final class Words {
    private static final int NOT_IN_DOCUMENT = -1;
    /** Words behind more others of a like hash are made again each time: a document can have any number of them. */
    private static final int MAX_STEPS = 64;

    private final Encoding encoding;
    private final byte[] text;
    private final boolean names;
    private @Nullable String[] words;
    /** Of each word its hash and its length. */
    private long[] keys;
    /** Where each word was found first. */
    private int[] places;

    private int count;

    /**
     * Knows no words.
     *
     * @param encoding the document
     * @param names whether they will be compared with literals of the program, which are the same strings then
     * @param size about how many words there will be
     */
    Words(Encoding encoding, boolean names, int size) {
        this.encoding = encoding;
        this.names = names;
        text = encoding.text();
        int slots = Integer.highestOneBit(Math.max(size, 32)) * 2;
        words = new String[slots];
        keys = new long[slots];
        places = new int[slots];
    }

    /**
     * The word in a part of the document.
     *
     * @param hash hash of its bytes, calculated as {@link String#hashCode()} does
     */
    String of(int start, int end, int hash) {
        int length = end - start;
        if (length == 0) {
            return "";
        }
        long key = key(hash, length);
        int mask = keys.length - 1;
        int slot = slot(hash, mask);
        for (int steps = 0; steps < MAX_STEPS; steps++) {
            String word = words[slot];
            if (word == null) {
                String made = encoding.string(start, end);
                return add(slot, names ? made.intern() : made, key, start);
            }
            if (keys[slot] == key && same(slot, start, length)) {
                return word;
            }
            slot = (slot + 1) & mask;
        }
        return encoding.string(start, end);
    }

    /** The word with some characters that are not in the document as they are. */
    String of(CharSequence characters) {
        String made = characters.toString();
        if (made.isEmpty()) {
            return made;
        }
        int hash = 0;
        for (int i = 0; i < made.length(); i++) {
            hash = 31 * hash + made.charAt(i);
        }
        long key = key(hash, made.length());
        int mask = keys.length - 1;
        int slot = slot(hash, mask);
        for (int steps = 0; steps < MAX_STEPS; steps++) {
            String word = words[slot];
            if (word == null) {
                return add(slot, made, key, NOT_IN_DOCUMENT);
            }
            if (keys[slot] == key && word.equals(made)) {
                return word;
            }
            slot = (slot + 1) & mask;
        }
        return made;
    }

    private static long key(int hash, int length) {
        return (long) hash << 32 | length;
    }

    private static int slot(int hash, int mask) {
        return (hash ^ hash >>> 15) & mask;
    }

    private boolean same(int slot, int start, int length) {
        int place = places[slot];
        if (place == NOT_IN_DOCUMENT) {
            return encoding.string(start, start + length).equals(words[slot]);
        }
        byte[] bytes = text;
        for (int i = 0; i < length; i++) {
            if (bytes[place + i] != bytes[start + i]) {
                return false;
            }
        }
        return true;
    }

    private String add(int slot, String word, long key, int place) {
        words[slot] = word;
        keys[slot] = key;
        places[slot] = place;
        if (++count > words.length / 2) {
            grow();
        }
        return word;
    }

    private void grow() {
        @Nullable String[] oldWords = words;
        long[] oldKeys = keys;
        int[] oldPlaces = places;
        int slots = oldWords.length * 2;
        words = new String[slots];
        keys = new long[slots];
        places = new int[slots];
        count = 0;
        for (int i = 0; i < oldWords.length; i++) {
            if (oldWords[i] != null) {
                int slot = slot((int) (oldKeys[i] >>> 32), slots - 1);
                int steps = 0;
                while (words[slot] != null && ++steps < MAX_STEPS) {
                    slot = (slot + 1) & (slots - 1);
                }
                if (words[slot] == null) {
                    words[slot] = oldWords[i];
                    keys[slot] = oldKeys[i];
                    places[slot] = oldPlaces[i];
                    count++;
                }
            }
        }
    }
}
