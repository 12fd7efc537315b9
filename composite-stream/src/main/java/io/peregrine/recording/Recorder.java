package io.peregrine.recording;

import io.peregrine.composite.Composite;
import io.peregrine.composite.internal.FileFailure;
import io.peregrine.recording.RecorderSettings.Form;
import io.peregrine.recording.RecorderSettings.Incomplete;
import io.peregrine.stream.engine.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes composites to disk, as linear GenDC containers, on separate threads: one makes records of them and gives their
 * memory back, the other writes what is there, past the page cache where the file system can do that.
 *
 * <pre>{@code
 * try (Recorder recorder = Recorder.start(Path.of("run.pgr"), RecorderSettings.defaults())) {
 *     for (Composite composite : stream) {
 *         try (composite) {
 *             recorder.record(composite);
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>{@link #record} never waits for the disk. When the disk is slower than the frames, the queue runs full and frames
 * are dropped and counted. When writing fails, for example because the disk is full, the recording ends with the last
 * frame that could be written, further frames are dropped and counted, and the failure is reported once: to the
 * listener of the settings, else by the next {@link #record}, or {@link #close()} if there is none.
 */
public final class Recorder implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Recorder.class.getName());
    /** How long the writer may take to notice that it is to give up. */
    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Path target;
    private final RecorderSettings settings;
    private final RecordWriter writer;
    private final LongSupplier nanoTime;
    private final long begunNanos;
    private final Thread thread;

    // Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Taken> queue = new ArrayDeque<>();
    private boolean writing;
    private boolean closing;
    private boolean givenUp;
    private boolean closed;
    private @Nullable RecordingException failure;
    /** By a method of the program's; {@link RecorderSettings#onFailure()} apart. */
    private boolean failureThrown;
    /** Frames that were given to the writer and are not lost. */
    private long staged;

    private long droppedQueueFull;
    private long droppedAfterFailure;
    private long skipped;
    private int mostQueued;

    /** A frame that waits; the composite is a handle of the recorder's own. */
    private record Taken(Composite composite, long hostNanos) {}

    private Recorder(Path target, RecorderSettings settings, RecordWriter writer, LongSupplier nanoTime) {
        this.target = target;
        this.settings = settings;
        this.writer = writer;
        this.nanoTime = nanoTime;
        begunNanos = nanoTime.getAsLong();
        thread = new Thread(this::run, "peregrine-recorder-" + target.getFileName());
        thread.setDaemon(true);
    }

    /**
     * Begins a recording.
     *
     * @param target the file or directory to be made; a directory may be there if it is empty of recordings
     * @param settings how to record
     * @throws RecordingException if it cannot be made, for example because there is one already
     */
    public static Recorder start(Path target, RecorderSettings settings) {
        return start(target, settings, Output.FILES, System::nanoTime, System.currentTimeMillis());
    }

    static Recorder start(
            Path target, RecorderSettings settings, Output.Opener opener, LongSupplier nanoTime, long createdMillis) {
        try {
            RecordWriter writer = RecordWriter.create(
                    target,
                    settings.form() == Form.DIRECTORY,
                    settings.camera(),
                    createdMillis,
                    settings.checkpointBytes(),
                    opener);
            Recorder recorder = new Recorder(target, settings, writer, nanoTime);
            recorder.thread.start();
            return recorder;
        } catch (IOException e) {
            throw new RecordingException(
                    "Cannot begin the recording " + target + " (" + FileFailure.reason(e)
                            + "): choose a name that is not in use, in a" + " directory that can be written",
                    e);
        }
    }

    /**
     * Records a composite. Returns at once; the composite stays the caller's, to be closed whenever it likes.
     *
     * @return whether it will be recorded; if not, it was counted
     * @throws RecordingException once, if writing failed, unless the settings have a listener for that
     * @throws IllegalStateException if the composite or the recorder is closed
     */
    public boolean record(Composite composite) {
        return record(composite, nanoTime.getAsLong());
    }

    /**
     * Records a composite that came earlier, perhaps before the recording began: a replay keeps its distance from the
     * others.
     *
     * @param cameNanos when it came, by {@link System#nanoTime()}; not before that of the composite recorded before it
     * @return whether it will be recorded; if not, it was counted
     * @throws RecordingException once, if writing failed, unless the settings have a listener for that
     * @throws IllegalStateException if the composite or the recorder is closed
     */
    public boolean record(Composite composite, long cameNanos) {
        long hostNanos = cameNanos - begunNanos;
        lock.lock();
        try {
            if (closing) {
                throw new IllegalStateException("The recorder is closed");
            }
            if (failure != null) {
                droppedAfterFailure++;
                throwFailure();
                return false;
            }
            if (!composite.complete() && settings.incomplete() == Incomplete.SKIP) {
                skipped++;
                return false;
            }
            if (waiting() >= settings.queueFrames()) {
                droppedQueueFull++;
                return false;
            }
            queue.add(new Taken(composite.retain(), hostNanos));
            mostQueued = Math.max(mostQueued, waiting());
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the queue has room for a frame now. What replays frames can wait for it instead of dropping some; a
     * recorder that failed has room, so that its failure is met.
     */
    public boolean hasRoom() {
        lock.lock();
        try {
            return failure != null || waiting() < settings.queueFrames();
        } finally {
            lock.unlock();
        }
    }

    /** Unless it was reported. With the lock. */
    private void throwFailure() {
        if (failure != null && !failureThrown && settings.onFailure().isEmpty()) {
            failureThrown = true;
            throw failure;
        }
    }

    /** Frames that hold memory of the stream. */
    private int waiting() {
        return queue.size() + (writing ? 1 : 0);
    }

    /** What was done so far. */
    public Statistics statistics() {
        lock.lock();
        try {
            RecordWriter.Progress progress = writer.progress();
            return new Statistics(
                    progress.frames(),
                    Math.toIntExact(waiting() + staged - progress.frames()),
                    droppedQueueFull,
                    droppedAfterFailure,
                    skipped,
                    progress.bytes(),
                    mostQueued);
        } finally {
            lock.unlock();
        }
    }

    /** Why writing ended before its time; empty while all is well. */
    public Optional<RecordingException> failure() {
        lock.lock();
        try {
            return Optional.ofNullable(failure);
        } finally {
            lock.unlock();
        }
    }

    // ---- Writer

    private void run() {
        try {
            Optional<Taken> next = next();
            while (next.isPresent()) {
                write(next.get());
                next = next();
            }
            writer.close(!givenUp());
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        }
    }

    private boolean givenUp() {
        lock.lock();
        try {
            return givenUp;
        } finally {
            lock.unlock();
        }
    }

    /** Empty when the recorder is closed and nothing is left. */
    private Optional<Taken> next() {
        lock.lock();
        try {
            while (queue.isEmpty() && !closing) {
                changed.awaitUninterruptibly();
            }
            Taken taken = queue.poll();
            writing = taken != null;
            return Optional.ofNullable(taken);
        } finally {
            lock.unlock();
        }
    }

    private void write(Taken taken) {
        boolean done = false;
        try (Composite composite = taken.composite()) {
            if (failure().isEmpty()) {
                writer.write(composite, taken.hostNanos());
                done = true;
            }
        } catch (IOException | RuntimeException | Error e) {
            writer.fail(e);
            fail(e);
        } finally {
            lock.lock();
            try {
                writing = false;
                if (done) {
                    staged++;
                } else {
                    droppedAfterFailure++;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** The first failure counts. */
    private void fail(Throwable cause) {
        RecordingException reported;
        lock.lock();
        try {
            droppedAfterFailure += staged - writer.frames();
            staged = writer.frames();
            if (failure != null) {
                failure.addSuppressed(cause);
                return;
            }
            String why = givenUp
                    ? "the frames that were waiting could not be written within " + settings.closeTimeout()
                    : FileFailure.reason(cause);
            reported = new RecordingException(
                    "The recording " + target + " ended after " + writer.frames() + " frames: " + why
                            + ". What was written until then can be read",
                    cause);
            failure = reported;
        } finally {
            lock.unlock();
        }
        settings.onFailure().ifPresent(listener -> report(listener, reported));
    }

    private static void report(java.util.function.Consumer<RecordingException> listener, RecordingException reported) {
        try {
            listener.accept(reported);
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "A listener failed when a recording ended early", e);
        }
    }

    // ---- End

    /**
     * Writes what is waiting, for as long as the settings allow, and ends the recording. Idempotent.
     *
     * @throws RecordingException if writing failed, unless {@link #record} threw it or the settings have a listener for
     *     that
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            closing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (!Threads.join(thread, settings.closeTimeout().toNanos())) {
            giveUp();
        }
        if (!Threads.join(thread, GIVE_UP_NANOS)) {
            throw new RecordingException("The thread " + thread.getName() + " hangs in the file system; the recording "
                    + target + " is not finished");
        }
        lock.lock();
        try {
            throwFailure();
        } finally {
            lock.unlock();
        }
    }

    private void giveUp() {
        lock.lock();
        try {
            givenUp = true;
            // An interrupted file channel closes itself, so that writing fails.
            thread.interrupt();
            droppedAfterFailure += queue.size();
            for (Taken taken = queue.poll(); taken != null; taken = queue.poll()) {
                taken.composite().close();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "Recorder[" + target + ", " + statistics() + "]";
    }

    /**
     * What a recorder did so far. Every frame that it was given is in one of the counts, or still in the queue.
     *
     * @param framesWritten frames that are in the recording: the file system has every byte of them
     * @param framesQueued frames that wait for the disk or are being written, here or in the memory of their stream
     * @param framesDroppedQueueFull frames that came faster than the disk takes them
     * @param framesDroppedAfterFailure frames that came, or were waiting, when writing failed or closing took too long
     * @param framesSkippedIncomplete frames that were dropped because they are not complete
     * @param bytesWritten bytes of the containers that were written
     * @param mostFramesQueued the most that ever waited in the memory of their stream
     */
    public record Statistics(
            long framesWritten,
            int framesQueued,
            long framesDroppedQueueFull,
            long framesDroppedAfterFailure,
            long framesSkippedIncomplete,
            long bytesWritten,
            int mostFramesQueued) {

        /** Frames that should be in the recording and are not. */
        public long framesDropped() {
            return framesDroppedQueueFull + framesDroppedAfterFailure;
        }
    }
}
