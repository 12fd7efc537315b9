package io.peregrine.rocev2;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a connection manager counts. Not thread-safe. */
final class CmCounters {
    /** What is counted. */
    enum Counter {
        /** Messages that arrived. */
        RECEIVED("cmReceived"),
        /** Messages that were sent. */
        SENT("cmSent"),
        /** Of these, REQ, REP and DREQ again because no answer came. */
        RETRIES("cmRetries"),
        /** Messages that are not of this protocol, or contradict it. */
        MALFORMED("cmMalformed"),
        /** Messages of the protocol that nothing here needs. */
        UNSUPPORTED("cmUnsupported"),
        /** Messages to a connection from another address than its peer's. */
        WRONG_SOURCE("cmWrongSource"),
        /** Messages to no connection. */
        UNKNOWN("cmUnknown"),
        /** Messages that the connection has no use for, or had already. */
        UNEXPECTED("cmUnexpected"),
        /** Requests for a queue pair that is connected already. */
        STALE("cmStale"),
        /** Requests refused for lack of room. */
        NO_ROOM("cmNoRoom"),
        /** Refusals sent. */
        REJECTS_SENT("cmRejectsSent"),
        /** Refusals received. */
        REJECTS_RECEIVED("cmRejectsReceived"),
        /** Messages given up because no answer came. */
        TIMEOUTS("cmTimeouts"),
        /** Connections made. */
        ESTABLISHED("cmEstablished"),
        /** Connections ended in good order, by either side. */
        DISCONNECTED("cmDisconnected");

        private final String label;

        Counter(String label) {
            this.label = label;
        }
    }

    private final long[] values = new long[Counter.values().length];

    void count(Counter counter) {
        values[counter.ordinal()]++;
    }

    long get(Counter counter) {
        return values[counter.ordinal()];
    }

    /** By name, for people to read. */
    Map<String, Long> byName() {
        Map<String, Long> result = new LinkedHashMap<>();
        for (Counter counter : Counter.values()) {
            result.put(counter.label, get(counter));
        }
        return result;
    }
}
