package io.peregrine.distribution;

import io.peregrine.composite.Composite;
import io.peregrine.recording.FrameContainer;
import io.peregrine.recording.RecordingException;
import java.util.Optional;

/**
 * A frame that waits to be sent.
 *
 * @param composite a handle of the publisher's, closed by the outlet that takes the frame
 * @param frameId number at the publisher
 */
record WaitingFrame(Composite composite, long frameId) implements AutoCloseable {

    /** Its container; empty when nothing is known of its content, or it would be too large. */
    Optional<FrameContainer> container() {
        return container(composite);
    }

    static Optional<FrameContainer> container(Composite composite) {
        try {
            return FrameContainer.of(composite);
        } catch (RecordingException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        composite.close();
    }
}
