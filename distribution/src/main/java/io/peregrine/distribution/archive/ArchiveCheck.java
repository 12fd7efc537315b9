package io.peregrine.distribution.archive;

import java.util.Optional;

/**
 * What reading a recording from its begin to its end has shown.
 *
 * @param id number of the recording
 * @param name name of the stream
 * @param framesComplete frames that are whole, with right checksums
 * @param framesIncomplete frames that are cut off: one at the end of a recording that was interrupted
 * @param framesNotReceived frames within the recording that the publisher dropped, or that were lost on their way to it
 * @param malformed fragments that contradict themselves
 * @param problem why it could not be read to its end; empty when it could
 */
public record ArchiveCheck(
        long id,
        String name,
        long framesComplete,
        long framesIncomplete,
        long framesNotReceived,
        long malformed,
        Optional<String> problem) {

    /** Whether all that was recorded can be replayed. */
    public boolean intact() {
        return problem.isEmpty() && malformed == 0;
    }
}
