package io.peregrine.composite;

import io.peregrine.stream.End;
import java.util.Objects;
import java.util.Optional;

/** How a wait for a composite ended. */
public sealed interface WaitResult permits WaitResult.Ok, WaitResult.Timeout, WaitResult.Abort {

    /** The three ways in which a wait ends. */
    enum Status {
        /** A composite is there. */
        OK,
        /** None came in time. */
        TIMEOUT,
        /** None will come: the stream is not running. */
        ABORT
    }

    /** Which of the three it is. */
    Status status();

    /** The composite, if there is one. */
    default Optional<Composite> toOptional() {
        return this instanceof Ok ok ? Optional.of(ok.composite()) : Optional.empty();
    }

    /**
     * A composite is there, perhaps an incomplete one. The caller closes it.
     *
     * @param composite the composite
     */
    record Ok(Composite composite) implements WaitResult {
        /** Checks that there is one. */
        public Ok {
            Objects.requireNonNull(composite, "composite");
        }

        @Override
        public Status status() {
            return Status.OK;
        }
    }

    /** None came in time; the stream is running. */
    record Timeout() implements WaitResult {
        @Override
        public Status status() {
            return Status.TIMEOUT;
        }
    }

    /**
     * None will come: the stream has ended or was never started, or the thread was interrupted.
     *
     * @param end how the stream or the wait ended
     */
    record Abort(End end) implements WaitResult {
        /** Checks that there is an end. */
        public Abort {
            Objects.requireNonNull(end, "end");
        }

        /** Why the stream failed, or the {@link InterruptedException}; empty otherwise. */
        public Optional<Throwable> cause() {
            return end.cause();
        }

        @Override
        public Status status() {
            return Status.ABORT;
        }
    }
}
