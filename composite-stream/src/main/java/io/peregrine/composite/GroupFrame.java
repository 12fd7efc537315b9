package io.peregrine.composite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Composites of the streams of a group that belong together. It says which streams have none. Close it as soon as the
 * data is no longer needed: it holds memory of each stream. May be read by several threads at the same time.
 */
public final class GroupFrame implements AutoCloseable {
    private final List<String> names;
    private final List<Optional<Composite>> composites;
    private final long spread;

    GroupFrame(List<String> names, FrameMatcher.Match<Composite> match) {
        this.names = names;
        List<Optional<Composite>> found = new ArrayList<>(names.size());
        for (int i = 0; i < names.size(); i++) {
            found.add(match.frame(i));
        }
        composites = List.copyOf(found);
        spread = match.spread();
    }

    /** Names of all streams of the group, in their order. */
    public List<String> names() {
        return names;
    }

    /**
     * The composite of a stream; it is closed with this frame. Empty if it is missing.
     *
     * @param name of the stream in the group
     * @throws IllegalArgumentException if there is no such stream in the group
     */
    public Optional<Composite> composite(String name) {
        int index = names.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("There is no stream " + name + " in the group of " + names);
        }
        return composites.get(index);
    }

    /** The composites that are there, in the order of the streams. */
    public List<Composite> composites() {
        return composites.stream().flatMap(Optional::stream).toList();
    }

    /** Names of the streams that have no composite here. */
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < composites.size(); i++) {
            if (composites.get(i).isEmpty()) {
                missing.add(names.get(i));
            }
        }
        return missing;
    }

    /** Whether every stream has a composite here, and all of them are complete. */
    public boolean complete() {
        return composites.stream()
                .allMatch(composite -> composite.filter(Composite::complete).isPresent());
    }

    /** Largest distance of two composites: ns by time, a number of blocks by block id. */
    public long spread() {
        return spread;
    }

    /** Closes the composites. Idempotent. */
    @Override
    public void close() {
        composites().forEach(Composite::close);
    }

    @Override
    public String toString() {
        return "group of " + names + (missing().isEmpty() ? "" : " without " + missing()) + ", spread " + spread;
    }
}
