package io.peregrine.distribution;

import io.aeron.archive.client.PersistentSubscription;
import io.aeron.archive.client.PersistentSubscriptionListener;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.Header;
import io.peregrine.distribution.ArchivedPlace.Start;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.ExternalMemory;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamDiagnosis;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.stream.engine.StreamSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * An archived stream as a stream: replays its recordings one after the other, and goes on with live frames after the
 * last. A slow consumer loses nothing: what it does not read live, it reads from the archive.
 */
final class ArchivedSource implements StreamSource {
    private static final int FRAGMENTS_A_TURN = 256;
    private static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final Supplier<ArchiveClient> connect;
    private final String name;
    private final ArchivedPlace place;
    private final long flowBytes;
    private final DistributionSettings settings;
    private final long memoryLimitBytes;
    private final StreamCounters counters = new StreamCounters();
    private final IdleStrategy idle = new BackoffIdleStrategy(20, 20, 1_000, 200_000);
    private final ControlledFragmentHandler handler = this::onFragment;
    private FlowSetPool pool;

    // Receiver thread, but for the start of a run.
    private @Nullable StreamEngine engine;
    private @Nullable ArchiveClient client;
    private @Nullable Reader reader;
    private @Nullable ContainerAssembly assembly;
    private @Nullable Take take;
    private @Nullable RuntimeException problem;
    private Optional<FlowSet> next = Optional.empty();
    private boolean delivered;
    private boolean pastEnd;
    private long endNanos;
    private long silentSince;

    /**
     * Makes a source.
     *
     * @param connect opens a connection to the archive for each run
     * @param name name of the stream
     * @param place where a run begins, and where it ends
     * @param flowBytes memory of the largest frame
     */
    ArchivedSource(
            Supplier<ArchiveClient> connect,
            String name,
            ArchivedPlace place,
            long flowBytes,
            DistributionSettings settings,
            int flowSetCount,
            long memoryLimitBytes) {
        this.connect = connect;
        this.name = name;
        this.place = place;
        this.flowBytes = flowBytes;
        this.settings = settings;
        this.memoryLimitBytes = memoryLimitBytes;
        pool = allocate(flowSetCount);
    }

    private FlowSetPool allocate(int count) {
        return FlowSetPool.allocate(count, new long[] {Math.max(1, flowBytes)}, memoryLimitBytes);
    }

    @Override
    public String name() {
        return "archive-" + name;
    }

    @Override
    public FlowSetPool pool() {
        return pool;
    }

    @Override
    public void resizePool(int count) {
        if (count < 1) {
            throw new StreamException("A pool of " + count + " flow sets is not possible");
        }
        pool = allocate(count);
    }

    @Override
    public void usePool(ExternalMemory memory) {
        FlowSetPool external = memory.pool(new long[] {Math.max(1, flowBytes)});
        if (!external.hostAccess()) {
            throw new StreamException("An archived stream cannot be replayed into memory of a device");
        }
        pool = external;
    }

    @Override
    public StreamCounters counters() {
        return counters;
    }

    @Override
    public List<String> diagnosis(StreamStatistics counted) {
        List<String> found = new ArrayList<>();
        say(found, counted.get(Counter.RECONNECTS), " times recording was interrupted");
        say(
                found,
                counted.get(Counter.BLOCK_ID_GAPS),
                " frames are not in the archive: it was killed or its disk was full, or the publisher dropped them"
                        + " ('peregrine archive list' shows where)");
        say(
                found,
                counted.get(IncompleteCause.CONNECTION_LOST) + counted.get(IncompleteCause.PACKETS_MISSING),
                " frames were cut off when recording was interrupted");
        say(
                found,
                counted.get(IncompleteCause.DATA_LARGER_THAN_FLOW_SET),
                " frames are larger than the first one: open the stream at a later frame");
        say(
                found,
                counted.get(Counter.FRAMES_DROPPED_UNUSABLE),
                " frames could not be used, because the description of their content is missing or malformed");
        say(found, counted.get(Counter.PACKETS_MALFORMED), " fragments were malformed: 'peregrine archive check'");
        StreamDiagnosis.skipped(counted).ifPresent(found::add);
        return List.copyOf(found);
    }

    private static void say(List<String> found, long count, String sentence) {
        if (count > 0) {
            found.add(count + sentence);
        }
    }

    @Override
    public void begin(StreamEngine by) {
        engine = by;
        problem = null;
        next = Optional.empty();
        pastEnd = false;
        silentSince = System.nanoTime();
        ArchiveClient opened = connect.get();
        boolean begun = false;
        try {
            client = opened;
            endNanos = place.endNanos(ArchiveTime.now());
            Start start = place.find(opened, name);
            open(start.take(), start.position());
            begun = true;
        } catch (AeronException e) {
            throw lost(e.getMessage(), e);
        } finally {
            if (!begun) {
                end();
            }
        }
    }

    private void open(Take from, long position) {
        Take before = take;
        boolean sameRun = before != null && before.session() == from.session();
        if (assembly == null || !sameRun) {
            assembly = new ContainerAssembly(0, counters, this::memory, this::filled);
        } else {
            current(assembly).cutOff(IncompleteCause.CONNECTION_LOST);
            counters.increment(Counter.RECONNECTS);
        }
        take = from;
        reader = from.active()
                ? following(from, position)
                : new Finite(current(client), from, position, from.stopPosition());
        silentSince = System.nanoTime();
    }

    private Reader following(Take from, long position) {
        ArchiveClient archive = current(client);
        if (place.ends()) {
            return new Finite(archive, from, position, archive.end(from));
        }
        boolean reachable =
                settings.routes().stream().anyMatch(route -> route.toString().equals(from.route()));
        return reachable
                ? new Merging(archive, from, position, settings)
                : new Finite(archive, from, position, Long.MAX_VALUE);
    }

    private Optional<FlowSet> memory() {
        Optional<FlowSet> taken = next.isPresent() ? next : pool.take();
        next = Optional.empty();
        return taken;
    }

    private void filled(FlowSet set) {
        delivered = true;
        current(engine).deliver(set);
    }

    @Override
    public void turn() {
        ContainerAssembly frames = current(assembly);
        if (!frames.holdsMemory()) {
            next = next.or(pool::take);
            if (next.isEmpty()) {
                silentSince = System.nanoTime();
                LockSupport.parkNanos(PARK_NANOS);
                return;
            }
        }
        delivered = false;
        int fragments = current(reader).poll(handler, FRAGMENTS_A_TURN);
        if (problem != null) {
            throw problem;
        }
        if (pastEnd) {
            current(engine).finish();
        } else if (fragments > 0) {
            silentSince = System.nanoTime();
        } else if (frames.ended() || current(reader).ended() || silent()) {
            proceed(frames.ended());
        }
        idle.idle(fragments);
    }

    private boolean silent() {
        return System.nanoTime() - silentSince > settings.lostAfter().toNanos();
    }

    /** Goes on with the next recording, or ends. */
    private void proceed(boolean published) {
        Reader done = current(reader);
        Take present = current(take);
        done.check(present);
        Optional<Take> following = later(present);
        if (following.isPresent()) {
            done.close();
            reader = null;
            open(following.get(), following.get().startPosition());
        } else if (published || place.ends()) {
            current(engine).finish();
        } else if (current(client).take(present.id()).map(Take::active).orElse(false)) {
            // The publisher is slow: the archive still waits for it.
            silentSince = System.nanoTime();
        } else if (silent()) {
            if (!present.active()) {
                // All that there is was replayed.
                current(assembly).cutOff(IncompleteCause.DATA_MISSING);
                current(engine).finish();
            } else {
                throw lost(
                        "its publisher is silent since " + settings.lostAfter().toMillis() + " ms", null);
            }
        }
    }

    private Optional<Take> later(Take present) {
        List<Take> all = current(client).takes().stream()
                .filter(one -> one.name().equals(name))
                .toList();
        for (int i = 0; i < all.size() - 1; i++) {
            if (all.get(i).id() == present.id()) {
                return Optional.of(all.get(i + 1));
            }
        }
        return Optional.empty();
    }

    private StreamException lost(@Nullable String reason, @Nullable Throwable cause) {
        return new StreamException(
                "The archived stream '" + name + "' is lost: " + reason
                        + ". Check the archive by 'peregrine archive list', and open the stream again",
                cause);
    }

    private Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        try {
            ContainerAssembly frames = current(assembly);
            if (endNanos < Long.MAX_VALUE
                    && header.reservedValue() > endNanos
                    && FragmentHeader.valid(buffer, offset, length)
                    && FragmentHeader.offset(buffer, offset) == 0
                    && (FragmentHeader.flags(buffer, offset) & FragmentHeader.DESCRIPTION) != 0) {
                pastEnd = true;
                return Action.BREAK;
            }
            frames.onFragment(buffer, offset, length);
        } catch (RuntimeException e) {
            problem = e;
            return Action.BREAK;
        }
        // One frame a turn: there is memory for one.
        return delivered ? Action.BREAK : Action.CONTINUE;
    }

    /** Where fragments come from. */
    private interface Reader extends AutoCloseable {
        int poll(ControlledFragmentHandler handler, int limit);

        /** Whether the recording has no more. */
        boolean ended();

        /** Throws if it has ended before its end. */
        void check(Take take);

        @Override
        void close();
    }

    /** A recording, to its end; or to where it is now and further, without a live stream. */
    private static final class Finite implements Reader {
        private final ArchiveClient.Replay replay;

        Finite(ArchiveClient client, Take take, long position, long end) {
            replay = client.new Replay(take.id(), position, end);
        }

        @Override
        public int poll(ControlledFragmentHandler handler, int limit) {
            return replay.poll(handler, limit);
        }

        @Override
        public boolean ended() {
            return replay.ended();
        }

        @Override
        public void check(Take take) {
            if (!take.active() && replay.ended() && replay.position() < take.stopPosition()) {
                throw new StreamException("Recording " + take.id() + " of '" + take.name() + "' is damaged: it ends at "
                        + replay.position() + " instead of " + take.stopPosition()
                        + ". 'peregrine archive check' shows what can be replayed");
            }
        }

        @Override
        public void close() {
            replay.close();
        }
    }

    /** A recording that is still made, and the live stream after it. */
    private static final class Merging implements Reader, PersistentSubscriptionListener {
        private final PersistentSubscription log;

        Merging(ArchiveClient client, Take take, long position, DistributionSettings settings) {
            Route route = Route.parse(take.route());
            log = PersistentSubscription.create(new PersistentSubscription.Context()
                    .aeron(client.host().aeron())
                    .ownsAeronClient(false)
                    .recordingId(take.id())
                    .startPosition(position)
                    .liveChannel(route.frames(settings, client.host().endpoint(route), take.session()))
                    .liveStreamId(Announcement.FRAMES_STREAM_ID)
                    .replayChannel(client.replayChannel())
                    .replayStreamId(ArchiveClient.REPLAY_STREAM_ID)
                    .aeronArchiveContext(client.newContext())
                    .listener(this));
        }

        @Override
        public int poll(ControlledFragmentHandler handler, int limit) {
            int work = log.controlledPoll(handler, limit);
            if (log.hasFailed()) {
                throw new StreamException(
                        "The archive refuses: " + log.failureReason().getMessage(), log.failureReason());
            }
            return work;
        }

        @Override
        public boolean ended() {
            return false;
        }

        @Override
        public void check(Take take) {
            // Errors come from polling.
        }

        @Override
        public void onLiveJoined() {
            // Without a gap, as its positions say.
        }

        @Override
        public void onLiveLeft() {
            // Goes on from the archive.
        }

        @Override
        public void onError(Exception cause) {
            // Those that end it come from polling.
        }

        @Override
        public void close() {
            log.close();
        }
    }

    @Override
    public void end() {
        try {
            if (assembly != null) {
                assembly.cutOff(IncompleteCause.STREAM_ENDED);
            }
        } finally {
            next = Optional.empty();
            assembly = null;
            take = null;
            if (reader != null) {
                reader.close();
                reader = null;
            }
            if (client != null) {
                client.close();
                client = null;
            }
        }
    }

    @Override
    public void wakeUp() {
        // A turn waits for less than a millisecond.
    }

    @Override
    public void close() {
        // A run has closed what it opened.
    }

    private static <T> T current(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("The stream was not begun");
        }
        return value;
    }

    @Override
    public String toString() {
        return "archived stream '" + name + "' " + place;
    }
}
