package io.peregrine.stream;

import java.util.Objects;
import java.util.Optional;

/**
 * How a source of frames ended: a stream, a wait or an iteration over it, the connection to its device. The layer where
 * it ends makes one of these, and every layer above passes it up unchanged. The first end counts: a stream that failed
 * and was then closed has failed.
 */
public sealed interface End permits End.NotStarted, End.Stopped, End.Closed, End.Finished, End.Failed, End.Interrupted {

    /** It was never started. */
    record NotStarted() implements End {}

    /** The user stopped or aborted it. */
    record Stopped() implements End {}

    /** The user closed it, or the device that it belongs to. */
    record Closed() implements End {}

    /** Everything requested has arrived: a recording to its last frame, or an acquisition of a number of frames. */
    record Finished() implements End {}

    /**
     * It failed.
     *
     * @param failure what happened
     */
    record Failed(Throwable failure) implements End {
        /** Checks that there is a failure. */
        public Failed {
            Objects.requireNonNull(failure, "failure");
        }

        @Override
        public Optional<Throwable> cause() {
            return Optional.of(failure);
        }
    }

    /**
     * Only the wait ended, because its thread was interrupted; the stream continues.
     *
     * @param interrupt the interrupt
     */
    record Interrupted(InterruptedException interrupt) implements End {
        /** Checks that there is an interrupt. */
        public Interrupted {
            Objects.requireNonNull(interrupt, "interrupt");
        }

        @Override
        public Optional<Throwable> cause() {
            return Optional.of(interrupt);
        }
    }

    /** What led to it; empty unless it failed or was interrupted. */
    default Optional<Throwable> cause() {
        return Optional.empty();
    }

    /** Whether it ended as intended: stopped, closed or finished. */
    default boolean orderly() {
        return this instanceof Stopped || this instanceof Closed || this instanceof Finished;
    }
}
