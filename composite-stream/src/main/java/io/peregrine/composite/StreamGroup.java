package io.peregrine.composite;

import io.peregrine.stream.End;
import io.peregrine.stream.engine.Failures;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * Streams, of one device or of several, whose composites are taken together: those that were made at the same time, or
 * have the same block id, within a tolerance. A composite whose partners do not come is given without them, and what is
 * missing is named: as soon as the other streams have gone on, after the patience at the latest, and earlier when too
 * many composites of its stream would be held. Composites of a stream come in their order, each once.
 *
 * <pre>{@code
 * try (StreamGroup group = StreamGroup.byTimestamp(Duration.ofMillis(2))
 *         .add("left", left)
 *         .add("right", right)
 *         .build()) {
 *     group.start();
 *     for (GroupFrame frame : group) {
 *         try (frame) {
 *             ...
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>Iterating gives frames until all streams have ended. A stream that fails is missing from then on, and the others
 * go on; when they have ended too, the iteration throws, as it does when the group was never started and when the
 * thread is interrupted.
 *
 * <p>The group has no thread: composites are taken from the streams by the waiting thread. While a stream is in a
 * group, no one else takes from it. One thread waits at a time; others may start, stop and close meanwhile.
 */
public final class StreamGroup implements AutoCloseable, Iterable<GroupFrame> {
    /** Longest wait at one stream before the others are looked at again. */
    private static final long TURN_NANOS = 5_000_000;

    private static final Duration ITERATOR_WAIT = Duration.ofSeconds(1);

    /** How a wait ended. */
    public sealed interface Result {
        /**
         * Composites that belong together, perhaps not all. The caller closes them.
         *
         * @param frame the composites
         */
        record Ok(GroupFrame frame) implements Result {}

        /** None came in time; at least one stream is running. */
        record Timeout() implements Result {}

        /**
         * None will come: all streams have ended, or the thread was interrupted.
         *
         * @param end how they ended: that of the first that failed, if one did
         */
        record Abort(End end) implements Result {
            /** Why the first of them failed, or the {@link InterruptedException}; empty when the user ended them. */
            public Optional<Throwable> cause() {
                return end.cause();
            }
        }
    }

    private record Member(String name, CompositeStream stream, LongUnaryOperator toNanos) {}

    private final List<Member> members;
    private final List<String> names;
    private final boolean byTimestamp;
    private final FrameMatcher<Composite> matcher;
    private final ReentrantLock taking = new ReentrantLock();
    private int turn;
    private volatile boolean closed;

    private StreamGroup(Builder builder) {
        members = List.copyOf(builder.members.values());
        names = members.stream().map(Member::name).toList();
        byTimestamp = builder.byTimestamp;
        matcher = new FrameMatcher<>(
                members.size(), builder.tolerance, builder.patience.toNanos(), builder.heldComposites);
    }

    /**
     * Begins a group by time.
     *
     * @param tolerance largest distance of two composites that belong together; less than half the time between two
     *     frames
     */
    public static Builder byTimestamp(Duration tolerance) {
        return new Builder(true, tolerance.toNanos());
    }

    /**
     * Begins a group by block id, for streams that are started together and triggered together.
     *
     * @param tolerance largest distance of two block ids that belong together, usually 0
     */
    public static Builder byBlockId(long tolerance) {
        return new Builder(false, tolerance);
    }

    /** Collects the streams of a group. */
    public static final class Builder {
        private final boolean byTimestamp;
        private final long tolerance;
        private final Map<String, Member> members = new LinkedHashMap<>();
        private Duration patience = Duration.ofSeconds(1);
        private int heldComposites = 4;

        private Builder(boolean byTimestamp, long tolerance) {
            if (tolerance < 0) {
                throw new IllegalArgumentException("A tolerance is not negative: " + tolerance);
            }
            this.byTimestamp = byTimestamp;
            this.tolerance = tolerance;
        }

        /**
         * Adds a stream whose device counts nanoseconds on a clock that all devices of the group share (IEEE 1588), or
         * that is matched by block id.
         *
         * @param name how the group calls it
         * @param stream the stream; it stays the caller's to close
         */
        public Builder add(String name, CompositeStream stream) {
            return add(name, stream, LongUnaryOperator.identity());
        }

        /**
         * Adds a stream whose device has a separate clock.
         *
         * @param name how the group calls it
         * @param stream the stream; it stays the caller's to close
         * @param toNanos makes ns of a clock common to the group of a time in ticks of the device; not called for a
         *     group by block id
         */
        public Builder add(String name, CompositeStream stream, LongUnaryOperator toNanos) {
            Member member = new Member(
                    Objects.requireNonNull(name, "name"),
                    Objects.requireNonNull(stream, "stream"),
                    Objects.requireNonNull(toNanos, "toNanos"));
            if (members.putIfAbsent(name, member) != null) {
                throw new IllegalArgumentException("The group has two streams with the name " + name);
            }
            return this;
        }

        /**
         * Sets how long a composite waits for its partners; a second, if not set.
         *
         * @param longest positive
         */
        public Builder patience(Duration longest) {
            if (longest.isNegative() || longest.isZero()) {
                throw new IllegalArgumentException("A group needs patience, not " + longest);
            }
            patience = longest;
            return this;
        }

        /**
         * Sets how many composites of a stream wait for their partners at the same time; 4, if not set. Each holds a
         * flow set, so that it has to be well below the number of flow sets of the streams.
         *
         * @param count at least 1
         */
        public Builder heldComposites(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("At least one composite of a stream has to wait, not " + count);
            }
            heldComposites = count;
            return this;
        }

        /** Makes the group. */
        public StreamGroup build() {
            if (members.isEmpty()) {
                throw new IllegalArgumentException("A group needs streams");
            }
            return new StreamGroup(this);
        }
    }

    /**
     * Starts all engines, then all devices, one right after the other. When one cannot be started, all are ended again.
     * What came before and still waits for partners is given without them first.
     *
     * @throws CompositeException if the group or a stream is closed
     */
    public void start() {
        if (closed) {
            throw new CompositeException("The group is closed: build a new one");
        }
        taking.lock();
        try {
            matcher.restart();
            members.forEach(member -> member.stream.engineStart());
            members.forEach(member -> member.stream.deviceStart());
        } catch (RuntimeException e) {
            Failures failures = new Failures();
            failures.add(e);
            members.forEach(member -> failures.attempt(member.stream::abort));
            failures.throwIfAny();
        } finally {
            taking.unlock();
        }
    }

    /** Stops all devices, then all engines, each even if others fail. What came until then can still be waited for. */
    public void stop() {
        Failures failures = new Failures();
        members.forEach(member -> failures.attempt(member.stream::deviceStop));
        members.forEach(member -> failures.attempt(member.stream::engineStop));
        failures.throwIfAny();
    }

    /**
     * Waits for the next composites that belong together.
     *
     * @param timeout how long to wait; zero looks without waiting
     * @return the composites, which the caller closes, or why there are none
     * @throws CompositeException if what arrived is not what a stream is for
     */
    public Result waitFor(Duration timeout) {
        long wait = timeout.toNanos();
        long started = System.nanoTime();
        taking.lock();
        try {
            while (true) {
                if (closed) {
                    return new Result.Abort(overall());
                }
                Optional<Result> result = look(wait - (System.nanoTime() - started));
                if (result.isPresent()) {
                    return result.get();
                }
            }
        } finally {
            taking.unlock();
        }
    }

    /** Takes what is there, and waits a moment when nothing is. Empty to look again. */
    private Optional<Result> look(long leftNanos) {
        Optional<Result> ready = ready();
        if (ready.isPresent()) {
            return ready;
        }
        boolean came = false;
        for (int i = 0; i < members.size(); i++) {
            turn = (turn + 1) % members.size();
            if (!matcher.ended(turn)) {
                WaitResult result = members.get(turn).stream.waitFor(Duration.ZERO);
                if (interrupted(result)) {
                    return Optional.of(new Result.Abort(((WaitResult.Abort) result).end()));
                }
                came |= take(turn, result);
                ready = ready();
                if (ready.isPresent()) {
                    return ready;
                }
            }
        }
        if (came) {
            return Optional.empty();
        }
        int next = matcher.missingSource();
        for (int i = 0; next < 0 && i < members.size(); i++) {
            next = matcher.ended(i) ? -1 : i;
        }
        if (next < 0) {
            matcher.flush();
            return ready().or(() -> Optional.of(new Result.Abort(overall())));
        }
        long now = System.nanoTime();
        long moment = Math.max(0, Math.min(Math.min(leftNanos, TURN_NANOS), matcher.nanosUntilNext(now)));
        WaitResult result = members.get(next).stream.waitFor(Duration.ofNanos(moment));
        if (interrupted(result)) {
            return Optional.of(new Result.Abort(((WaitResult.Abort) result).end()));
        }
        take(next, result);
        matcher.onTime(System.nanoTime());
        return ready().or(() -> leftNanos <= moment ? Optional.of(new Result.Timeout()) : Optional.empty());
    }

    private Optional<Result> ready() {
        return matcher.next().map(match -> new Result.Ok(new GroupFrame(names, match)));
    }

    private static boolean interrupted(WaitResult result) {
        return result instanceof WaitResult.Abort abort && abort.end() instanceof End.Interrupted;
    }

    /** Whether something came. */
    private boolean take(int index, WaitResult result) {
        long now = System.nanoTime();
        if (result instanceof WaitResult.Ok ok) {
            Composite composite = ok.composite();
            if (byTimestamp && composite.timestamp() == 0) {
                matcher.acceptAlone(index, composite, now); // Its leader is missing, and with it its time.
            } else {
                matcher.accept(index, key(index, composite), composite, now);
            }
            return true;
        }
        if (result instanceof WaitResult.Abort) {
            matcher.end(index, now);
        }
        return false;
    }

    private long key(int index, Composite composite) {
        try {
            return byTimestamp ? members.get(index).toNanos.applyAsLong(composite.timestamp()) : composite.blockId();
        } catch (RuntimeException e) {
            composite.close(); // The clock is the user's and may fail.
            throw e;
        }
    }

    /** The end of all streams together: that of the first which did not end as it should, or else of the first. */
    private End overall() {
        List<End> ends =
                members.stream().flatMap(member -> member.stream.end().stream()).toList();
        return ends.stream()
                .filter(End.Failed.class::isInstance)
                .findFirst()
                .or(() -> ends.stream().filter(end -> !end.orderly()).findFirst())
                .or(() -> closed ? Optional.of(new End.Closed()) : Optional.empty())
                .or(() -> ends.stream().findFirst())
                .orElseGet(End.Closed::new);
    }

    /**
     * Frames as they come, until all streams have ended. Each has to be closed. {@code hasNext} and {@code next} throw
     * what the iteration over a stream throws, when one of the streams failed or was never started, or the thread was
     * interrupted.
     */
    @Override
    public Iterator<GroupFrame> iterator() {
        return new FrameIterator<>(this::await, "The streams have ended");
    }

    /** Waits once for an iteration; false at an orderly end. */
    private boolean await(Consumer<GroupFrame> frame) {
        Result result = waitFor(ITERATOR_WAIT);
        if (result instanceof Result.Ok ok) {
            frame.accept(ok.frame());
        } else if (result instanceof Result.Abort abort) {
            requireOrderly(abort.end());
            return false;
        }
        return true;
    }

    /** Throws what the stream would that ended so. */
    private void requireOrderly(End end) {
        if (!end.orderly()) {
            throw members.stream()
                    .map(Member::stream)
                    .filter(stream -> stream.end().equals(Optional.of(end)))
                    .findFirst()
                    .orElse(members.get(0).stream)
                    .exception(end);
        }
    }

    /** Ends all streams and closes what the group holds. The streams stay the caller's to close. Idempotent. */
    @Override
    public void close() {
        closed = true;
        Failures failures = new Failures();
        members.forEach(member -> failures.attempt(member.stream::abort));
        taking.lock();
        try {
            matcher.flush();
            for (Optional<FrameMatcher.Match<Composite>> match = matcher.next();
                    match.isPresent();
                    match = matcher.next()) {
                new GroupFrame(names, match.get()).close();
            }
        } finally {
            taking.unlock();
        }
        failures.throwIfAny();
    }
}
