package io.peregrine.conformance.genapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The differences that are meant, each with its reason. A line has six cells, separated by tabs: property, file,
 * content, node, ours, theirs; each is a regular expression for the whole value. The reason is the comment above.
 */
final class Permitted {
    private static final int CELLS = 6;

    private record Rule(String line, List<Pattern> cells) {
        boolean permits(List<String> values) {
            for (int i = 0; i < CELLS; i++) {
                if (!cells.get(i).matcher(values.get(i)).matches()) {
                    return false;
                }
            }
            return true;
        }
    }

    private final List<Rule> rules = new ArrayList<>();
    private final Set<Rule> used = new HashSet<>();

    private Permitted() {}

    static Permitted load(String resource) {
        Permitted permitted = new Permitted();
        boolean reasoned = false;
        try (InputStream in = Permitted.class.getResourceAsStream(resource)) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (line.isBlank()) {
                    reasoned = false;
                } else if (line.startsWith("#")) {
                    reasoned = true;
                } else if (!reasoned) {
                    throw new IllegalStateException("no reason is given above: " + line);
                } else {
                    permitted.rules.add(rule(line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return permitted;
    }

    private static Rule rule(String line) {
        String[] cells = line.split("\t", -1);
        if (cells.length != CELLS) {
            throw new IllegalStateException("there must be " + CELLS + " cells: " + line);
        }
        List<Pattern> patterns = new ArrayList<>();
        for (String cell : cells) {
            patterns.add(Pattern.compile(cell, Pattern.DOTALL));
        }
        return new Rule(line, patterns);
    }

    synchronized boolean permits(Difference difference) {
        List<String> values = List.of(
                difference.property(),
                difference.file(),
                difference.content(),
                difference.node(),
                difference.ours(),
                difference.theirs());
        boolean permits = false;
        for (Rule rule : rules) {
            if (rule.permits(values)) {
                used.add(rule);
                permits = true;
            }
        }
        return permits;
    }

    /** Lines that permitted nothing. */
    synchronized List<String> unused() {
        return rules.stream()
                .filter(rule -> !used.contains(rule))
                .map(Rule::line)
                .toList();
    }
}
