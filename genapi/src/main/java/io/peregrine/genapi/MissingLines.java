package io.peregrine.genapi;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What reading needs that is not known yet: noted while reading ahead, so that it can be fetched together. */
final class MissingLines {
    /** Where lines come from. */
    interface Source {
        /**
         * Reads lines, together where that works and one by one where it does not.
         *
         * @param needed the lines
         * @param unreadable those that could not be read are added here
         * @return number of lines that were read
         */
        int fetch(Set<CacheLine> needed, Set<CacheLine> unreadable);
    }

    /** Thrown while reading ahead where a value is not known yet. */
    private static final class NotYetKnown extends GenApiException {
        private static final long serialVersionUID = 1L;

        NotYetKnown() {
            super("not known yet");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** What is missing, by source; null at all times but when reading ahead. */
    private @Nullable Map<Source, Set<CacheLine>> noted;

    private final Set<CacheLine> unreadable = new HashSet<>();

    /** Whether reading is only to find out what is missing. */
    boolean noting() {
        return noted != null;
    }

    /** Notes, while reading ahead, that a line is needed, and ends the reading; else does nothing. */
    void needs(Source source, CacheLine line, boolean cached) {
        if (noted != null) {
            if (cached && !unreadable.contains(line)) {
                noted.computeIfAbsent(source, key -> new LinkedHashSet<>()).add(line);
            }
            throw new NotYetKnown();
        }
    }

    /** Tries what was unreadable again. */
    void forgetUnreadable() {
        unreadable.clear();
    }

    /** Runs what reads, and fetches what it missed. */
    int fetchFor(Runnable reading) {
        Map<Source, Set<CacheLine>> needed = new LinkedHashMap<>();
        noted = needed;
        try {
            reading.run();
        } finally {
            noted = null;
        }
        int fetched = 0;
        for (Map.Entry<Source, Set<CacheLine>> entry : needed.entrySet()) {
            fetched += entry.getKey().fetch(entry.getValue(), unreadable);
        }
        return fetched;
    }

    /** Whether something can be read without asking a device. */
    boolean nothingFor(Runnable reading) {
        Map<Source, Set<CacheLine>> before = noted;
        noted = new LinkedHashMap<>();
        try {
            reading.run();
            return true;
        } catch (GenApiException e) {
            return false;
        } finally {
            noted = before;
        }
    }

    /** Runs a part of what is read; whether it met nothing that is missing. */
    static boolean known(Runnable part) {
        try {
            part.run();
            return true;
        } catch (NotYetKnown e) {
            return false;
        } catch (GenApiException e) {
            // Reading the node will say the same.
            return true;
        }
    }

    /** Runs a part of what is read ahead, so that those behind it are reached too. */
    static void attempt(Runnable part) {
        try {
            part.run();
        } catch (GivenUpException e) {
            throw e;
        } catch (GenApiException e) {
            // Noted already, or to be met again.
        }
    }
}
