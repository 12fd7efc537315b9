package io.peregrine.distribution;

import io.aeron.CommonContext;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.RecordingDescriptorConsumer;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.TimeoutException;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FragmentHandler;
import io.peregrine.distribution.Announcement.Brief;
import io.peregrine.distribution.Announcement.Description;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection to an archive: what it holds, and replay of it. For one thread. */
final class ArchiveClient implements AutoCloseable {
    /** Aeron stream of what is known of cameras, as it was announced. */
    static final int CAMERAS_STREAM_ID = 0x504D;
    /** Aeron stream on which frames are replayed. */
    static final int REPLAY_STREAM_ID = 0x504C;

    /** Stream of cameras in archives of earlier versions. */
    private static final int OLD_CAMERAS_STREAM_ID = 0x5049;

    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final int FRAGMENTS_A_TURN = 256;
    private static final int MAX_RECORDINGS = 1 << 20;

    private final AeronHost host;
    private final AeronArchive archive;
    private final String replayChannel;
    private final AeronArchive.Context context;

    private ArchiveClient(AeronHost host, String address) {
        this.host = host;
        context = context(host, address);
        replayChannel =
                address.equals(ArchiveSettings.IPC) ? CommonContext.IPC_CHANNEL : context.controlResponseChannel();
        try {
            archive = AeronArchive.connect(context.clone());
        } catch (AeronException e) {
            throw new DistributionException(silent(address, e), e);
        }
    }

    private static String silent(String address, AeronException cause) {
        // A time-out of Aeron's names its own states and channels, which help nobody.
        String reason = cause instanceof TimeoutException ? "" : " (" + AeronReason.of(cause) + ")";
        if (address.equals(ArchiveSettings.IPC)) {
            return "No archive answers on this media driver: check that one runs, with the same "
                    + DistributionSettings.DIRECTORY + reason;
        }
        return "No archive answers at " + address + " within " + TimeUnit.NANOSECONDS.toSeconds(ANSWER_NANOS)
                + " s: check that one runs there ('peregrine archive record --at " + address + "'), that "
                + ArchiveSettings.ADDRESS + " or --at names its address and port, and that firewalls let UDP pass to"
                + " it, and back to this host (" + local(address) + ", any port)" + reason;
    }

    private static AeronArchive.Context context(AeronHost host, String address) {
        AeronArchive.Context context = new AeronArchive.Context()
                .aeron(host.aeron())
                .ownsAeronClient(false)
                .errorHandler(host::failed)
                .messageTimeoutNs(ANSWER_NANOS);
        if (address.equals(ArchiveSettings.IPC)) {
            return context.controlRequestChannel(AeronArchive.Configuration.localControlChannel())
                    .controlRequestStreamId(AeronArchive.Configuration.localControlStreamId())
                    .controlResponseChannel(AeronArchive.Configuration.localControlChannel());
        }
        return context.controlRequestChannel("aeron:udp?endpoint=" + address)
                .controlResponseChannel("aeron:udp?endpoint=" + local(address) + ":0");
    }

    /** Address of this host on the way to the archive. */
    private static String local(String address) {
        return ArchiveSettings.route(address)
                .publisher()
                .map(publisher -> LocalEndpoint.towards(publisher).getHostAddress())
                .orElseThrow();
    }

    /**
     * Connects.
     *
     * @param host taken over
     * @param address address and port of the archive, or {@code ipc}
     * @throws DistributionException if no archive answers
     */
    static ArchiveClient open(AeronHost host, String address) {
        boolean opened = false;
        try {
            ArchiveClient client = new ArchiveClient(host, address);
            opened = true;
            return client;
        } finally {
            if (!opened) {
                host.close();
            }
        }
    }

    AeronArchive archive() {
        return archive;
    }

    AeronHost host() {
        return host;
    }

    /** Settings of another connection of the same kind. */
    AeronArchive.Context newContext() {
        return context.clone();
    }

    /** Channel on which this host receives what is replayed; with port 0, for each replay one that is free. */
    String replayChannel() {
        return replayChannel;
    }

    /** Recordings of frames, oldest first. */
    List<Take> takes() {
        List<Take> found = new ArrayList<>();
        archive.listRecordings(0, MAX_RECORDINGS, into(found));
        found.sort(Comparator.comparingLong(Take::startMillis).thenComparingLong(Take::id));
        return found;
    }

    /** Recordings of the frames of a stream, oldest first. */
    List<Take> takes(String name) {
        return takes().stream().filter(take -> take.name().equals(name)).toList();
    }

    /** A recording of frames as it is now; empty when it was deleted. */
    Optional<Take> take(long id) {
        List<Take> found = new ArrayList<>();
        archive.listRecording(id, into(found));
        return found.stream().findFirst();
    }

    /**
     * A recording of the archive.
     *
     * @param end byte after its last; {@link AeronArchive#NULL_POSITION} as long as it goes on
     */
    private record Listed(
            long id,
            String channel,
            int session,
            int stream,
            long startMillis,
            long start,
            long end,
            int termBytes,
            int segmentBytes) {}

    private static RecordingDescriptorConsumer each(Consumer<Listed> consumer) {
        return (control,
                correlation,
                id,
                startMillis,
                stopMillis,
                start,
                stop,
                term,
                segment,
                termBytes,
                mtu,
                session,
                stream,
                stripped,
                channel,
                source) ->
                consumer.accept(new Listed(id, channel, session, stream, startMillis, start, stop, termBytes, segment));
    }

    private static RecordingDescriptorConsumer into(List<Take> found) {
        return each(one -> {
            if (one.stream == Announcement.FRAMES_STREAM_ID) {
                Take.of(
                                one.id,
                                one.channel,
                                one.session,
                                one.startMillis,
                                one.start,
                                one.end,
                                one.termBytes,
                                one.segmentBytes)
                        .ifPresent(found::add);
            }
        });
    }

    /** Byte after the last that is recorded now. */
    long end(Take take) {
        if (!take.active()) {
            return take.stopPosition();
        }
        long position = archive.getMaxRecordedPosition(take.id());
        return position == AeronArchive.NULL_POSITION ? take.startPosition() : position;
    }

    /** What was announced of a session: its stream, and its camera. */
    record Camera(Optional<Brief> stream, Optional<Description> description) {}

    /** What was recorded of the camera of a session. */
    Camera camera(int session) {
        List<Listed> found = new ArrayList<>();
        for (int stream : new int[] {OLD_CAMERAS_STREAM_ID, CAMERAS_STREAM_ID}) {
            archive.listRecordingsForUri(0, MAX_RECORDINGS, cameraAlias(session), stream, each(found::add));
        }
        Optional<Brief> brief = Optional.empty();
        Optional<Description> description = Optional.empty();
        for (Listed one : found) {
            long end = one.end == AeronArchive.NULL_POSITION ? archive.getRecordingPosition(one.id) : one.end;
            List<Announcement.Message> messages = new ArrayList<>();
            FragmentHandler assembler = new Reassembly()
                    .to((message, header) -> Announcement.parse(ByteBuffer.wrap(message))
                            .filter(known -> known.session() == session)
                            .ifPresent(messages::add));
            replay(one.id, one.start, end, (buffer, offset, length, header) -> {
                assembler.onFragment(buffer, offset, length, header);
                return ControlledFragmentHandler.Action.CONTINUE;
            });
            for (Announcement.Message message : messages) {
                if (message instanceof Brief known) {
                    brief = Optional.of(known);
                } else if (message instanceof Description known) {
                    description = Optional.of(known);
                }
            }
        }
        return new Camera(brief, description);
    }

    static String cameraAlias(int session) {
        return "peregrine-camera-" + Integer.toHexString(session) + "-";
    }

    /**
     * Replays a part of a recording.
     *
     * @param from a boundary between frames of the log
     * @param to where it ends
     * @param handler takes the fragments; {@code BREAK} ends the replay
     * @return how far it came: less than {@code to} if it was ended, or the recording is damaged
     * @throws DistributionException if the archive refuses
     */
    long replay(long recording, long from, long to, ControlledFragmentHandler handler) {
        if (from >= to) {
            return from;
        }
        try (Replay replay = new Replay(recording, from, to)) {
            boolean[] broken = {false};
            ControlledFragmentHandler watched = (buffer, offset, length, header) -> {
                ControlledFragmentHandler.Action action = handler.onFragment(buffer, offset, length, header);
                broken[0] |= action == ControlledFragmentHandler.Action.BREAK;
                return action;
            };
            long silentSince = System.nanoTime();
            while (!replay.ended() && !broken[0]) {
                if (replay.poll(watched, FRAGMENTS_A_TURN) > 0) {
                    silentSince = System.nanoTime();
                } else if (System.nanoTime() - silentSince > ANSWER_NANOS
                        || Thread.currentThread().isInterrupted()) {
                    break;
                } else {
                    LockSupport.parkNanos(PARK_NANOS);
                }
            }
            return replay.position();
        }
    }

    /** A part of a recording that is replayed. */
    final class Replay implements AutoCloseable {
        private final long recording;
        private final long to;
        private final long session;
        private final Subscription subscription;
        private @Nullable Image image;
        private long position;

        /**
         * Starts to replay.
         *
         * @param to where it ends; {@link Long#MAX_VALUE} to go on with what is recorded from now on
         */
        Replay(long recording, long from, long to) {
            this.recording = recording;
            this.to = to;
            position = from;
            if (replayChannel.equals(CommonContext.IPC_CHANNEL)) {
                session = start(replayChannel);
                // Without it, this would slow down the replays of others.
                subscription =
                        host.aeron().addSubscription(replayChannel + "?session-id=" + (int) session, REPLAY_STREAM_ID);
                return;
            }
            subscription = host.aeron().addSubscription(replayChannel, REPLAY_STREAM_ID);
            boolean started = false;
            try {
                session = start(LocalEndpoint.resolved(subscription));
                started = true;
            } finally {
                if (!started) {
                    subscription.close();
                }
            }
        }

        private long start(String channel) {
            long length = to == Long.MAX_VALUE ? AeronArchive.REPLAY_ALL_AND_FOLLOW : to - position;
            try {
                return archive.startReplay(recording, position, length, channel, REPLAY_STREAM_ID);
            } catch (AeronException e) {
                throw new DistributionException(
                        "Recording " + recording + " cannot be replayed from position " + position + ": "
                                + e.getMessage() + ". Check the archive by 'peregrine archive check'",
                        e);
            }
        }

        /** Hands on what is there; returns the number of fragments. */
        int poll(ControlledFragmentHandler handler, int limit) {
            Image present = image;
            if (present == null) {
                present = subscription.imageBySessionId((int) session);
                if (present == null) {
                    return 0;
                }
                if (present.joinPosition() != position) {
                    throw new DistributionException("Recording " + recording + " is replayed from position "
                            + present.joinPosition() + " instead of " + position
                            + ": another program reads stream " + REPLAY_STREAM_ID + " of Aeron on " + replayChannel
                            + ". Let it use another one");
                }
                image = present;
            }
            int fragments = present.controlledPoll(handler, limit);
            position = present.position();
            return fragments;
        }

        /** Whether nothing more comes. */
        boolean ended() {
            Image present = image;
            if (position >= to) {
                return true;
            }
            return present != null && (present.isClosed() || atEnd(present));
        }

        private static boolean atEnd(Image present) {
            return present.isEndOfStream() && present.position() >= present.endOfStreamPosition();
        }

        /** Byte after the last that was handed on. */
        long position() {
            return position;
        }

        @Override
        public void close() {
            if (position < to) {
                try {
                    archive.stopReplay(session);
                } catch (AeronException e) {
                    // It has ended by itself.
                    host.failed(e);
                }
            }
            subscription.close();
        }

        @Override
        public String toString() {
            return "replay of recording " + recording + " at " + position;
        }
    }

    /** Any error that the archive has reported meanwhile. */
    Optional<String> error() {
        return Optional.ofNullable(archive.pollForErrorResponse());
    }

    @Override
    public void close() {
        try {
            archive.close();
        } finally {
            host.close();
        }
    }
}
