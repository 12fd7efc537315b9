package io.peregrine.gendc;

import java.io.Serializable;
import java.util.Objects;

/**
 * Something in a container that is not as GenDC 1.1 wants it.
 *
 * @param severity what it means for the reader
 * @param component index of the component, -1 when it concerns the container
 * @param part index of the part in its component, -1 when it concerns the component or container
 * @param text what was found
 */
public record GenDcProblem(Severity severity, int component, int part, String text) implements Serializable {

    /** What a problem means for the reader, the worst first. */
    public enum Severity {
        /** Nothing of the container can be used; reading it throws {@link GenDcException}. */
        CONTAINER_REJECTED,
        /** The part cannot be used; all others can. */
        PART_REJECTED,
        /** Deviates from the standard, but readable. */
        WARNING,
        /** A type this library does not know; its bytes are there, their meaning is not. */
        SKIPPED
    }

    /** Checks that nothing is null. */
    public GenDcProblem {
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(text, "text");
    }

    /** Severity, place and text in one line. */
    @Override
    public String toString() {
        String place = component < 0
                ? "container"
                : part < 0 ? "component " + component : "component " + component + " part " + part;
        return severity + " " + place + ": " + text;
    }
}
