package io.peregrine.distribution;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.archive.codecs.SourceLocation;
import io.aeron.archive.status.RecordingPos;
import io.aeron.exceptions.AeronException;
import io.peregrine.distribution.Retention.Deletion;
import io.peregrine.distribution.Retention.Held;
import io.peregrine.distribution.StreamWatch.Heard;
import io.peregrine.distribution.archive.ArchiveRecorder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/**
 * Records what is published into an archive, on a separate thread, and deletes what is too much. When the archive ends,
 * it is started or found again, and recording goes on. Neither slows a camera: the publisher drops frames, and what the
 * archive lacks is counted by the numbers of frames.
 */
final class RecordingService implements ArchiveRecorder {
    private static final System.Logger LOGGER = System.getLogger(RecordingService.class.getName());
    private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int MAX_PROBLEMS = 16;
    /** An earlier deletion goes on for less than that number of looks. */
    private static final int MANY_REFUSALS = 3;

    private static final int MIN_TERM_BYTES = 64 << 10;
    /** A message has at most an eighth of a term. */
    private static final int MESSAGES_A_TERM = 16;

    private final DistributionSettings settings;
    private final ArchiveSettings archiving;
    private final Set<String> names;
    private final ArchiveRoom room;
    private final Retention retention;
    private final Thread thread;

    // Recorder thread only, but for the start.
    private @Nullable ArchiveEngine engine;
    private @Nullable ArchiveClient client;
    private @Nullable StreamWatch watch;
    private @Nullable WritingPace pace;
    private final Map<Integer, Long> recorded = new HashMap<>();
    /** Sessions that are not recorded. */
    private final Set<Integer> shared = new HashSet<>();

    private final Map<Integer, Long> lastWhole = new HashMap<>();
    private final Set<Long> joined = new HashSet<>();
    /** Recordings that have ended; true if their publisher said that nothing more comes. */
    private final Map<Long, Boolean> closed = new HashMap<>();

    private final Map<Long, Long> ends = new HashMap<>();
    private final Map<Long, Integer> refusals = new HashMap<>();
    private long nextLook = System.nanoTime();

    // Guarded by this.
    private final List<String> problems = new ArrayList<>();
    private int streams;
    private long bytesRecorded;
    private long framesMissing;
    private long interruptions;
    private long pauses;
    private boolean paused;
    private long segmentsDeleted;

    private volatile boolean closing;

    private RecordingService(DistributionSettings settings, List<String> names, Optional<LongSupplier> usable) {
        this.settings = settings;
        archiving = ArchiveSettings.of(settings);
        this.names = Set.copyOf(names);
        room = usable.map(measure -> new ArchiveRoom(archiving, measure))
                .orElseGet(() -> ArchiveRoom.onDisk(archiving));
        retention = new Retention(archiving);
        thread = new Thread(this::run, "peregrine-archive");
        thread.setDaemon(true);
    }

    static RecordingService start(DistributionSettings settings, List<String> names) {
        return start(settings, names, Optional.empty());
    }

    /** With another measure of the disk. */
    static RecordingService start(DistributionSettings settings, List<String> names, Optional<LongSupplier> usable) {
        if (settings.routes().isEmpty()) {
            throw new DistributionException("No routes are known on which to look for streams: set "
                    + DistributionSettings.ROUTES + ", for example to 239.192.7.1:40456");
        }
        RecordingService service = new RecordingService(settings, names, usable);
        service.open();
        service.thread.start();
        return service;
    }

    private void open() {
        boolean opened = false;
        AeronHost host = AeronHost.open(settings);
        try {
            if (archiving.directory().isPresent()) {
                engine = ArchiveEngine.launch(host, archiving.directory().get(), archiving);
            }
            // An archive within this program is reached within it; another one by its address.
            String address =
                    archiving.directory().isPresent() || archiving.address().isEmpty()
                            ? ArchiveSettings.IPC
                            : archiving.address();
            client = ArchiveClient.open(AeronHost.open(settings), address);
            pace = new WritingPace(
                    client.host().aeron().countersReader(), client.archive().archiveId());
            watch = new StreamWatch(host, settings, name -> names.isEmpty() || names.contains(name));
            for (Take take : client.takes()) {
                joined.add(take.id());
                new FrameSeeker(client).tail(take).last().ifPresent(id -> lastWhole.put(take.session(), id));
            }
            opened = true;
        } finally {
            if (!opened) {
                shut();
            }
            host.close();
        }
    }

    /** Closes what is open of it. */
    private void shut() {
        recorded.clear();
        quietly(watch);
        watch = null;
        quietly(client);
        client = null;
        quietly(engine);
        engine = null;
    }

    private static void quietly(@Nullable AutoCloseable part) {
        if (part != null) {
            try {
                part.close();
            } catch (Exception | Error e) {
                LOGGER.log(System.Logger.Level.DEBUG, "A part of the archive does not end in order", e);
            }
        }
    }

    // ---- Recorder thread

    private void run() {
        while (!closing) {
            try {
                if (client == null) {
                    open();
                }
                turn();
            } catch (RuntimeException | Error e) {
                // The archive, or its media driver, has ended; by an error where a file that it maps has no room on the
                // disk.
                problem("The archive was lost, and is started or looked for again: "
                        + (e instanceof Error ? e : e.getMessage()));
                shut();
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
        if (client != null) {
            stopAll();
        }
        shut();
    }

    private void turn() {
        int messages = current(watch).poll();
        if (System.nanoTime() - nextLook >= 0) {
            look();
            nextLook = System.nanoTime() + LOOK_NANOS;
        }
        for (Heard one : current(watch).streams()) {
            if (one.announcement().contact().shared()) {
                refuseShared(one);
            } else if (one.described() && !recorded.containsKey(session(one)) && !pausedNow()) {
                beginIfRoom(one);
            }
        }
        if (messages == 0) {
            LockSupport.parkNanos(PARK_NANOS);
        }
    }

    private static int session(Heard one) {
        return one.announcement().session();
    }

    private void refuseShared(Heard one) {
        if (shared.add(session(one))) {
            problem("'" + one.announcement().name() + "' is not recorded: its consumers share the frames (--share), and"
                    + " an archive would take theirs away. Publish it once more, without --share and on another route");
        }
    }

    private synchronized boolean pausedNow() {
        return paused;
    }

    private void beginIfRoom(Heard one) {
        try {
            begin(one);
        } catch (ArchiveException e) {
            if (e.errorCode() != ArchiveException.STORAGE_SPACE) {
                throw e;
            }
            room.refused();
            pause("The disk of the archive is full");
        }
    }

    private void begin(Heard one) {
        ArchiveClient archive = current(client);
        if (archive.camera(session(one)).description().isEmpty()) {
            recordCamera(one);
        }
        Route route = one.route();
        String channel = route.frames(settings, archive.host().endpoint(route), session(one)) + "|alias="
                + Take.alias(one.announcement().name(), route);
        long subscription =
                archive.archive().startRecording(channel, Announcement.FRAMES_STREAM_ID, SourceLocation.REMOTE, false);
        recorded.put(session(one), subscription);
    }

    /** What was announced becomes a separate recording, as it came. */
    private void recordCamera(Heard one) {
        AeronArchive archive = current(client).archive();
        int largest = Math.max(one.brief().length, one.description().length);
        int term = Math.max(MIN_TERM_BYTES, Integer.highestOneBit(largest) * MESSAGES_A_TERM * 2);
        String channel = "aeron:ipc?term-length=" + term + "|alias=" + ArchiveClient.cameraAlias(session(one));
        ExclusivePublication publication =
                archive.addRecordedExclusivePublication(channel, ArchiveClient.CAMERAS_STREAM_ID);
        try {
            offer(publication, one.brief());
            offer(publication, one.description());
            CountersReader counters = current(client).host().aeron().countersReader();
            int counter = CountersReader.NULL_COUNTER_ID;
            long begin = System.nanoTime();
            while (counter == CountersReader.NULL_COUNTER_ID
                    || counters.getCounterValue(counter) < publication.position()) {
                within(begin);
                counter = RecordingPos.findCounterIdBySession(counters, publication.sessionId(), archive.archiveId());
            }
        } finally {
            archive.stopRecording(publication);
            publication.close();
        }
    }

    private static void offer(ExclusivePublication publication, byte[] message) {
        long begin = System.nanoTime();
        long result = publication.offer(new UnsafeBuffer(message));
        while (result < 0) {
            if (result == Publication.CLOSED) {
                throw new DistributionException("The media driver of the archive has ended");
            }
            within(begin);
            result = publication.offer(new UnsafeBuffer(message));
        }
    }

    private static void within(long begin) {
        if (System.nanoTime() - begin > ANSWER_NANOS) {
            throw new DistributionException("The archive does not record what is known of a camera");
        }
        LockSupport.parkNanos(PARK_NANOS);
    }

    /** Once a second: what goes on, what is missing, and what has to go. */
    private void look() {
        ArchiveClient archive = current(client);
        if (engine != null && engine.dead()) {
            throw new DistributionException(
                    archive.host().failure().map(Throwable::getMessage).orElse("it has ended"));
        }
        archive.error().ifPresent(text -> problem("The archive reports: " + text));
        if (current(watch).dropped() > 0) {
            once("Announcements that do not end were dropped: check which programs send to the routes");
        }
        List<Take> takes = archive.takes();
        List<Held> held =
                takes.stream().map(take -> new Held(take, archive.end(take))).toList();
        current(pace).look().ifPresent(this::problem);
        count(held);
        makeRoom(held);
        for (Heard one : current(watch).streams()) {
            supervise(one, takes);
        }
    }

    private void count(List<Held> held) {
        FrameSeeker seeker = new FrameSeeker(current(client));
        long added = 0;
        for (Held one : held) {
            Take take = one.take();
            long before = ends.getOrDefault(take.id(), joined.contains(take.id()) ? one.end() : take.startPosition());
            added += one.end() - before;
            ends.put(take.id(), one.end());
            if (!joined.contains(take.id())) {
                seeker.begin(take).ifPresent(first -> join(take, first.frameId()));
            }
            if (!take.active() && joined.contains(take.id())) {
                ended(take, seeker);
            }
        }
        List<Long> present = held.stream().map(one -> one.take().id()).toList();
        ends.keySet().retainAll(present);
        refusals.keySet().retainAll(present);
        closed.keySet().retainAll(present);
        synchronized (this) {
            bytesRecorded += added;
            streams = (int) held.stream().filter(one -> one.take().active()).count();
        }
    }

    /** The first frame of a recording: what is between it and the last of the one before is missing. */
    private void join(Take take, long first) {
        joined.add(take.id());
        Long last = lastWhole.get(take.session());
        if (last != null) {
            synchronized (this) {
                interruptions++;
                framesMissing += Math.max(0, first - last - 1);
            }
            problem(Math.max(0, first - last - 1) + " frames of '" + take.name() + "' are not in the archive: "
                    + (last + 1) + " to " + (first - 1) + ", when recording was interrupted");
        }
    }

    /** Notes how a recording has ended: that takes a replay of its last megabytes, and does not change. */
    private void ended(Take take, FrameSeeker seeker) {
        if (!closed.containsKey(take.id())) {
            FrameAudit tail = seeker.tail(take);
            closed.put(take.id(), tail.ended());
            tail.last().ifPresent(id -> lastWhole.put(take.session(), id));
        }
    }

    /** A stream that is silent is stopped; one that goes on although nothing is recorded is begun again. */
    private void supervise(Heard one, List<Take> takes) {
        Long subscription = recorded.get(session(one));
        if (current(watch).forget(one, settings.lostAfter().toNanos())) {
            shared.remove(session(one));
            if (subscription != null) {
                stop(session(one));
            }
            return;
        }
        List<Take> own =
                takes.stream().filter(take -> take.session() == session(one)).toList();
        boolean broken = subscription != null && !own.isEmpty() && own.stream().noneMatch(Take::active);
        if (broken && !endsInOrder(own.get(own.size() - 1))) {
            problem("Recording of '" + one.announcement().name() + "' was interrupted and begins again");
            stop(session(one));
        }
    }

    private boolean endsInOrder(Take take) {
        ended(take, new FrameSeeker(current(client)));
        return closed.getOrDefault(take.id(), false);
    }

    private void stop(int session) {
        Long subscription = recorded.remove(session);
        if (subscription != null) {
            current(client).archive().tryStopRecording(subscription);
        }
    }

    private void stopAll() {
        try {
            for (int session : List.copyOf(recorded.keySet())) {
                stop(session);
            }
        } catch (AeronException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The archive does not answer at the end", e);
        }
    }

    // ---- Room

    private void makeRoom(List<Held> held) {
        long lacking = room.lackingBytes();
        long needed = archiving.overwrite() ? lacking : 0;
        retention.apply(
                held, needed, ArchiveTime.now(), new Marks(current(client)), deletion -> delete(deletion, needed > 0));
        if (lacking > 0 && !archiving.overwrite()) {
            pause("The disk of the archive has less than " + room.reserveBytes() + " bytes left");
        } else if (room.enough()) {
            goOn();
        }
    }

    private void pause(String reason) {
        synchronized (this) {
            if (paused) {
                return;
            }
            paused = true;
            pauses++;
        }
        problem(reason + ": recording pauses until there is room. Delete something, or set " + ArchiveSettings.KEEP
                + ", " + ArchiveSettings.KEEP_FOR + " or " + ArchiveSettings.FULL + "=overwrite");
        stopAll();
    }

    private synchronized void goOn() {
        paused = false;
    }

    /** Whether the archive does it. */
    private boolean delete(Deletion deletion, boolean needed) {
        AeronArchive archive = current(client).archive();
        Take take = deletion.take();
        try {
            if (deletion.start().isPresent()) {
                archive.purgeSegments(take.id(), deletion.start().getAsLong());
            } else {
                archive.purgeRecording(take.id());
            }
        } catch (ArchiveException e) {
            // A replay holds it, or an earlier deletion still goes on: the next look tries again.
            LOGGER.log(System.Logger.Level.DEBUG, "Not deleted yet: " + deletion, e);
            if (needed && refusals.merge(take.id(), 1, Integer::sum) == MANY_REFUSALS) {
                problem("The oldest files of '" + take.name() + "' cannot be deleted while they are replayed: newer"
                        + " ones go instead. End consumers of the archive that are paused");
            }
            return false;
        }
        refusals.remove(take.id());
        synchronized (this) {
            segmentsDeleted += deletion.segments();
        }
        return true;
    }

    private record Marks(ArchiveClient client) implements Retention.Times {
        @Override
        public OptionalLong sentAt(Take take, long position) {
            Optional<FrameSeeker.Mark> mark = new FrameSeeker(client).from(take, position);
            return mark.isPresent() ? OptionalLong.of(mark.get().sentNanos()) : OptionalLong.empty();
        }

        @Override
        public OptionalLong lastSent(Take take) {
            FrameAudit tail = new FrameSeeker(client).tail(take);
            return tail.last().isPresent() ? OptionalLong.of(tail.lastNanos()) : OptionalLong.empty();
        }
    }

    // ---- For any thread

    private synchronized void once(String text) {
        if (!problems.contains(text)) {
            problem(text);
        }
    }

    private synchronized void problem(String text) {
        LOGGER.log(System.Logger.Level.DEBUG, text);
        boolean said = !problems.isEmpty() && problems.get(problems.size() - 1).equals(text);
        if (!said && problems.size() < MAX_PROBLEMS) {
            problems.add(text);
        }
    }

    @Override
    public synchronized Statistics statistics() {
        return new Statistics(streams, bytesRecorded, framesMissing, interruptions, pauses, paused, segmentsDeleted);
    }

    @Override
    public synchronized List<String> diagnosis() {
        return List.copyOf(problems);
    }

    @Override
    public void close() {
        closing = true;
        boolean interrupted = false;
        long begin = System.nanoTime();
        while (thread.isAlive() && System.nanoTime() - begin < END_NANOS) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, RETRY_NANOS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> T current(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("The archive is not open");
        }
        return value;
    }

    @Override
    public String toString() {
        return "ArchiveRecorder[" + statistics() + "]";
    }
}
