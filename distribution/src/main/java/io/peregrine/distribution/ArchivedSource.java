package io.peregrine.distribution;

import io.aeron.archive.client.PersistentSubscription;
import io.aeron.archive.client.PersistentSubscriptionListener;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import io.peregrine.distribution.ArchivedPlace.Start;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamDiagnosis;
import io.peregrine.stream.engine.StreamEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An archived stream as a stream: replays its recordings one after the other, and goes on with live frames after the
 * last. A slow consumer loses nothing: what it does not read live, it reads from the archive.
 */
final class ArchivedSource extends LogSource {
    private static final int FRAGMENTS_A_TURN = 256;

    private final Supplier<ArchiveClient> connect;
    private final String name;
    private final ArchivedPlace place;
    private final DistributionSettings settings;

    // Receiver thread, but for the start of a run.
    private @Nullable ArchiveClient client;
    private @Nullable Reader reader;
    private @Nullable Take take;
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
        super(0, flowBytes, flowSetCount, memoryLimitBytes);
        this.connect = connect;
        this.name = name;
        this.place = place;
        this.settings = settings;
    }

    @Override
    public String name() {
        return "archive-" + name;
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
                " frames were cut off when recording was interrupted, or the publisher was killed");
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

    @Override
    public void begin(StreamEngine by) {
        begun(by);
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
        if (assembly() != null) {
            frames().cutOff(IncompleteCause.CONNECTION_LOST);
        }
        if (assembly() == null || !sameRun) {
            assembleAnew();
        } else {
            counters().increment(Counter.RECONNECTS);
        }
        take = from;
        reader = from.active()
                ? following(from, position)
                : finite(current(client), from, position, from.stopPosition());
        silentSince = System.nanoTime();
    }

    private Reader following(Take from, long position) {
        ArchiveClient archive = current(client);
        if (place.ends()) {
            return finite(archive, from, position, archive.end(from));
        }
        boolean reachable =
                settings.routes().stream().anyMatch(route -> route.toString().equals(from.route()));
        return reachable
                ? new Merging(archive, from, position, settings)
                : new Finite(archive, from, position, Long.MAX_VALUE);
    }

    /** An archive refuses to replay nothing. */
    private static Reader finite(ArchiveClient archive, Take from, long position, long end) {
        return position < end ? new Finite(archive, from, position, end) : new Nothing();
    }

    @Override
    public void turn() {
        if (!holdsMemory()) {
            silentSince = System.nanoTime();
            park();
            return;
        }
        int fragments = read(current(reader), FRAGMENTS_A_TURN);
        if (pastEnd) {
            engine().finish();
        } else if (fragments > 0) {
            silentSince = System.nanoTime();
        } else if (frames().ended() || current(reader).ended() || silent()) {
            proceed(frames().ended());
        }
        idle(fragments);
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
            engine().finish();
        } else if (current(client).take(present.id()).map(Take::active).orElse(false)) {
            // The publisher is slow: the archive still waits for it.
            silentSince = System.nanoTime();
        } else if (silent()) {
            if (!present.active()) {
                // All that there is was replayed.
                frames().cutOff(IncompleteCause.DATA_MISSING);
                engine().finish();
            } else {
                throw lost(
                        "its publisher is silent since " + settings.lostAfter().toMillis() + " ms", null);
            }
        }
    }

    private Optional<Take> later(Take present) {
        List<Take> all = current(client).takes(name);
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

    @Override
    boolean ends(DirectBuffer buffer, int offset, int length, Header header) {
        pastEnd = endNanos < Long.MAX_VALUE
                && header.reservedValue() > endNanos
                && FragmentHeader.valid(buffer, offset, length)
                && FragmentHeader.offset(buffer, offset) == 0
                && (FragmentHeader.flags(buffer, offset) & FragmentHeader.DESCRIPTION) != 0;
        return pastEnd;
    }

    /** Where fragments come from. */
    private interface Reader extends LogReader, AutoCloseable {
        /** Whether the recording has no more. */
        boolean ended();

        /** Throws if it has ended before its end. */
        void check(Take take);

        @Override
        void close();
    }

    /** A recording of which nothing is left. */
    private static final class Nothing implements Reader {
        @Override
        public int poll(ControlledFragmentHandler handler, int limit) {
            return 0;
        }

        @Override
        public boolean ended() {
            return true;
        }

        @Override
        public void check(Take take) {
            // It is whole.
        }

        @Override
        public void close() {
            // Nothing was begun.
        }
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
                        "The archive refuses to replay: " + log.failureReason().getMessage()
                                + ". Check it by 'peregrine archive list', and open the stream again",
                        log.failureReason());
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
            if (assembly() != null) {
                frames().cutOff(IncompleteCause.STREAM_ENDED);
            }
        } finally {
            ended();
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
    public void close() {
        // A run has closed what it opened.
    }

    @Override
    public String toString() {
        return "archived stream '" + name + "' " + place;
    }
}
