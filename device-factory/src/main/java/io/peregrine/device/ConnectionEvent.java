package io.peregrine.device;

import io.peregrine.stream.End;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What happened to the connection to a device.
 *
 * @param state where the connection is from now on; the same as before when only the reason is new
 * @param cause why the device was lost, or why it could not be connected again yet; empty when it is connected or
 *     closed
 * @param problems settings that a device that came back did not take, one sentence each; empty when all is as it was
 * @param end how the connection ended for good: {@link End.Failed} or {@link End.Closed}; empty while it may come back
 */
public record ConnectionEvent(
        ConnectionState state, Optional<Throwable> cause, List<String> problems, Optional<End> end) {
    /** Makes an event. */
    public ConnectionEvent {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(end, "end");
        problems = List.copyOf(problems);
    }
}
