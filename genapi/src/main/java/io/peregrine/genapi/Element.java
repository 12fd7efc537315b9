package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One element of a device description, as parsed. Immutable: its arrays are not to be changed.
 *
 * <p>Loading looks for twenty properties of each node, most of which are not there, before code is compiled. So what is
 * not there is found without looking at the children, and nothing is allocated.
 */
final class Element {
    static final Element[] NO_CHILDREN = {};
    static final String[] NO_ATTRIBUTES = {};

    private final String name;
    private final String[] attributes;
    private final String raw;
    private final Element[] children;
    /** A bit for the name of each child; different names can share one. */
    private final long childNames;

    /**
     * Makes an element.
     *
     * @param name local name
     * @param attributes local name and value of each attribute in turn; not to be changed afterwards
     * @param raw text inside, with all its blanks
     * @param children elements inside; not to be changed afterwards
     */
    Element(String name, String[] attributes, String raw, Element[] children) {
        this.name = name;
        this.attributes = attributes;
        this.raw = raw;
        this.children = children;
        long names = 0;
        for (Element child : children) {
            names |= bit(child.name);
        }
        childNames = names;
    }

    private static long bit(String name) {
        int hash = name.hashCode();
        return 1L << (hash ^ hash >>> 6);
    }

    String name() {
        return name;
    }

    /** Local name and value of each attribute in turn. */
    String[] attributes() {
        return attributes;
    }

    /** The text inside, with all its blanks. */
    String raw() {
        return raw;
    }

    Element[] children() {
        return children;
    }

    /** The text inside, without blanks around it: numbers, names and words. */
    String text() {
        return raw.strip();
    }

    boolean has(String child) {
        return firstOrNull(child) != null;
    }

    @Nullable
    Element firstOrNull(String child) {
        if ((childNames & bit(child)) != 0) {
            for (Element element : children) {
                if (element.name.equals(child)) {
                    return element;
                }
            }
        }
        return null;
    }

    /** The text of a child without blanks around it. */
    @Nullable
    String valueOrNull(String child) {
        Element found = firstOrNull(child);
        return found == null ? null : found.text();
    }

    Optional<String> value(String child) {
        return Optional.ofNullable(valueOrNull(child));
    }

    /** Whether a child is there and has a text. */
    boolean says(String child, String text) {
        return text.equals(valueOrNull(child));
    }

    /** The text of a child with its blanks, as texts for people have them. */
    Optional<String> rawValue(String child) {
        Element found = firstOrNull(child);
        return found == null ? Optional.empty() : Optional.of(found.raw);
    }

    List<Element> all(String child) {
        if ((childNames & bit(child)) == 0) {
            return List.of();
        }
        List<Element> found = new ArrayList<>();
        for (Element element : children) {
            if (element.name.equals(child)) {
                found.add(element);
            }
        }
        return found;
    }

    @Nullable
    String attributeOrNull(String key) {
        for (int i = 0; i < attributes.length; i += 2) {
            if (attributes[i].equals(key)) {
                return attributes[i + 1];
            }
        }
        return null;
    }

    Optional<String> attribute(String key) {
        return Optional.ofNullable(attributeOrNull(key));
    }
}
