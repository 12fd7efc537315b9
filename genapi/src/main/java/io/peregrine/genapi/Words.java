package io.peregrine.genapi;

import org.jspecify.annotations.Nullable;

/** Texts of which each is made only once: in a description the same few come a thousand times each. */
final class Words {
    private @Nullable String[] table = new String[1 << 12];
    private int count;

    /**
     * The text of some characters.
     *
     * @param hash their hash, as {@link String#hashCode()} has it
     */
    String of(char[] characters, int start, int end, int hash) {
        if (start == end) {
            return "";
        }
        int mask = table.length - 1;
        int slot = (hash ^ hash >>> 15) & mask;
        while (true) {
            String word = table[slot];
            if (word == null) {
                break;
            }
            if (word.hashCode() == hash && same(word, characters, start, end)) {
                return word;
            }
            slot = (slot + 1) & mask;
        }
        String made = new String(characters, start, end - start);
        table[slot] = made;
        if (++count > table.length / 2) {
            grow();
        }
        return made;
    }

    String of(CharSequence text) {
        char[] characters = text.toString().toCharArray();
        return of(characters, 0, characters.length, hash(characters, 0, characters.length));
    }

    static int hash(char[] characters, int start, int end) {
        int hash = 0;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + characters[i];
        }
        return hash;
    }

    private static boolean same(String word, char[] characters, int start, int end) {
        int length = end - start;
        if (word.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (word.charAt(i) != characters[start + i]) {
                return false;
            }
        }
        return true;
    }

    private void grow() {
        @Nullable String[] old = table;
        table = new String[old.length * 2];
        int mask = table.length - 1;
        for (String word : old) {
            if (word != null) {
                int hash = word.hashCode();
                int slot = (hash ^ hash >>> 15) & mask;
                while (table[slot] != null) {
                    slot = (slot + 1) & mask;
                }
                table[slot] = word;
            }
        }
    }
}
