package io.peregrine.gendc;

import io.peregrine.gendc.GenDcProblem.Severity;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * What the checks make of a container, for people: it never throws because of what the bytes are.
 *
 * @param container the container; empty when it cannot be used at all
 * @param problems everything that was found, the container's rejection included
 */
public record GenDcReport(Optional<GenDcContainer> container, List<GenDcProblem> problems) {

    /** Keeps a copy of the list. */
    public GenDcReport {
        problems = List.copyOf(problems);
    }

    /**
     * Checks a container.
     *
     * @param linear from position (first byte of the descriptor) to limit; the position is not moved
     */
    public static GenDcReport of(ByteBuffer linear) {
        try {
            GenDcContainer container = GenDcContainer.parse(linear);
            return new GenDcReport(Optional.of(container), container.problems());
        } catch (GenDcException e) {
            return new GenDcReport(Optional.empty(), e.problems());
        }
    }

    /** Problems of a severity. */
    public List<GenDcProblem> problems(Severity severity) {
        return problems.stream()
                .filter(problem -> problem.severity() == severity)
                .toList();
    }

    /** Whether the container and each of its parts can be used. */
    public boolean usable() {
        return problems(Severity.CONTAINER_REJECTED).isEmpty()
                && problems(Severity.PART_REJECTED).isEmpty();
    }

    /** Whether strict mode would accept it: nothing was found but types that are not known. */
    public boolean strictlyConformant() {
        return problems(Severity.SKIPPED).size() == problems.size();
    }

    /** A line with the verdict, and one for each problem. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (container.isEmpty()) {
            text.append("container rejected");
        } else if (!usable()) {
            text.append("usable but for some parts");
        } else {
            text.append(strictlyConformant() ? "follows GenDC 1.1" : "usable");
        }
        problems.forEach(problem -> text.append("\n  ").append(problem));
        return text.toString();
    }
}
