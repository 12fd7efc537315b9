package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One element of a device description, as parsed.
 *
 * @param name local name
 * @param attributes attributes by local name
 * @param raw text inside, with all its blanks
 * @param children elements inside
 */
record Element(String name, Map<String, String> attributes, String raw, List<Element> children) {
    /** The text inside, without blanks around it: numbers, names and words. */
    String text() {
        return raw.strip();
    }

    Optional<Element> first(String child) {
        // Before code is compiled, loading looks for ten properties of each node, and most are not there: hashes are
        // compared first, and no iterator is made.
        int hash = child.hashCode();
        for (int i = 0, count = children.size(); i < count; i++) {
            Element element = children.get(i);
            if (element.name.hashCode() == hash && element.name.equals(child)) {
                return Optional.of(element);
            }
        }
        return Optional.empty();
    }

    /** The text of a child with its blanks, as texts for people have them. */
    Optional<String> rawValue(String child) {
        return first(child).map(Element::raw);
    }

    Optional<String> value(String child) {
        Optional<Element> found = first(child);
        return found.isPresent() ? Optional.of(found.get().text()) : Optional.empty();
    }

    List<Element> all(String child) {
        List<Element> found = new ArrayList<>();
        for (Element element : children) {
            if (element.name.equals(child)) {
                found.add(element);
            }
        }
        return found;
    }

    Optional<String> attribute(String key) {
        return Optional.ofNullable(attributes.get(key));
    }
}
