package io.peregrine.conformance.genapi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an implementation answers a command.
 *
 * @param text the line, where it is no node
 * @param nodes properties of nodes, by name
 */
record Answer(String text, Map<String, Map<String, String>> nodes) {
    static final String REFUSED = "refused ";

    static Answer of(String text) {
        return new Answer(text, Map.of());
    }

    static Answer refused(RuntimeException e) {
        return of(REFUSED + e);
    }

    /** From lines of nodes: cells separated by tabs, the name and then PROPERTY=VALUE. */
    static Answer ofLines(List<String> lines) {
        Map<String, Map<String, String>> nodes = new LinkedHashMap<>();
        for (String line : lines) {
            String[] cells = line.split("\t", -1);
            Map<String, String> properties = new LinkedHashMap<>();
            for (int i = 1; i < cells.length; i++) {
                int equals = cells[i].indexOf('=');
                properties.put(cells[i].substring(0, equals), cells[i].substring(equals + 1));
            }
            nodes.put(cells[0], properties);
        }
        return new Answer("", nodes);
    }

    boolean refused() {
        return text.startsWith(REFUSED);
    }
}
