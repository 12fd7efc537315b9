package io.peregrine.browser.recording;

import io.peregrine.browser.http.HttpProblem;
import io.peregrine.composite.Composite;
import io.peregrine.recording.Camera;
import io.peregrine.recording.Recorder;
import io.peregrine.recording.RecorderSettings;
import io.peregrine.recording.RecordingException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the frames of a camera, at once or with those that came before a trigger. One recording at a time. Safe for
 * use by several threads.
 */
public final class CameraRecording implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CameraRecording.class.getName());
    private static final Duration MAX_SPAN = Duration.ofMinutes(10);
    /** Frames that may wait for the disk beyond those that were kept before the trigger. */
    private static final int COPIES_WAITING = 8;

    private final Function<Consumer<Composite>, Runnable> addTaker;
    private final BooleanSupplier streaming;
    private final Supplier<Camera> snapshot;
    private final RecordingFolder folder;
    private final Runnable onChange;

    private State state = State.IDLE;
    private @Nullable Recorder recorder;
    private @Nullable PreTrigger kept;
    private @Nullable Runnable removeTaker;
    private long endNanos;
    private String target = "";
    private String problem = "";
    private Optional<Recorder.Statistics> last = Optional.empty();

    /** What it does. */
    public enum State {
        /** Nothing. */
        IDLE,
        /** Begins to record. */
        STARTING,
        /** Keeps the last frames in memory. */
        ARMED,
        /** Writes frames. */
        RECORDING,
        /** Writes what is waiting. */
        FINISHING
    }

    /**
     * How far it is.
     *
     * @param state what it does
     * @param target name of the file, empty before the first recording
     * @param problem why the last one ended early, or empty
     * @param statistics of the recording, or the last one
     * @param keptFrames frames in memory before a trigger
     * @param keptSpan time between the first and the last of them
     * @param keptBytes their size
     * @param limited whether there is not enough memory for the time that was asked for
     */
    public record Progress(
            State state,
            String target,
            String problem,
            Optional<Recorder.Statistics> statistics,
            int keptFrames,
            Duration keptSpan,
            long keptBytes,
            boolean limited) {}

    /**
     * Prepares recordings.
     *
     * @param addTaker adds one that gets each frame of the running stream and gives what removes it
     * @param streaming whether the stream runs
     * @param snapshot reads what a recording has of its camera
     * @param onChange called when the state changed
     */
    public CameraRecording(
            Function<Consumer<Composite>, Runnable> addTaker,
            BooleanSupplier streaming,
            Supplier<Camera> snapshot,
            RecordingFolder folder,
            Runnable onChange) {
        this.addTaker = addTaker;
        this.streaming = streaming;
        this.snapshot = snapshot;
        this.folder = folder;
        this.onChange = onChange;
    }

    /**
     * Begins to record.
     *
     * @param label beginning of the name of the file
     * @param limit how long; zero until it is stopped
     * @throws HttpProblem if it records, the stream does not run, or the file cannot be made
     */
    public void start(String label, Duration limit) {
        begin(State.STARTING);
        try {
            Recorder begun = open(label, RecorderSettings.defaults().queueFrames());
            synchronized (this) {
                recorder = begun;
                endNanos = end(limit);
                state = State.RECORDING;
            }
            attach();
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
        onChange.run();
    }

    /**
     * Begins to keep the frames of the last seconds in memory.
     *
     * @throws HttpProblem if it records, or the stream does not run
     */
    public void arm(Duration span) {
        if (span.isNegative() || span.isZero() || span.compareTo(MAX_SPAN) > 0) {
            throw HttpProblem.badRequest("frames are kept for more than 0, at most " + MAX_SPAN.toSeconds() + " s");
        }
        begin(State.ARMED);
        try {
            synchronized (this) {
                kept = new PreTrigger(span, Runtime.getRuntime().maxMemory() / 3);
            }
            attach();
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
        onChange.run();
    }

    /**
     * Writes the frames that were kept, and those that come.
     *
     * @param label beginning of the name of the file
     * @param limit how long frames are recorded that come from now on; zero until it is stopped
     * @throws HttpProblem if no frames are kept, or the file cannot be made
     */
    public void trigger(String label, Duration limit) {
        int frames;
        synchronized (this) {
            if (state != State.ARMED || kept == null) {
                throw HttpProblem.conflict("no frames are kept: begin with that first");
            }
            frames = kept.count();
        }
        // While the file is made, frames come: there is room for as many again.
        Recorder begun = open(label, 2 * frames + COPIES_WAITING);
        if (!recordKept(begun, limit)) {
            begun.close();
            throw HttpProblem.conflict("no frames are kept any longer");
        }
        onChange.run();
    }

    private synchronized boolean recordKept(Recorder begun, Duration limit) {
        PreTrigger before = kept;
        if (state != State.ARMED || before == null) {
            return false;
        }
        for (PreTrigger.Held held : before.take()) {
            begun.record(held.composite(), held.cameNanos());
            held.composite().close();
        }
        recorder = begun;
        endNanos = end(limit);
        state = State.RECORDING;
        return true;
    }

    private synchronized void begin(State next) {
        if (state != State.IDLE) {
            throw HttpProblem.conflict("a recording of this camera is under way: stop it first");
        }
        state = next;
        problem = "";
        last = Optional.empty();
    }

    private Recorder open(String label, int queueFrames) {
        Path path = folder.newTarget(label);
        try {
            Recorder begun = Recorder.start(
                    path,
                    RecorderSettings.defaults()
                            .withQueueFrames(queueFrames)
                            .withCamera(snapshot.get())
                            .withOnFailure(this::failed));
            synchronized (this) {
                target = path.getFileName().toString();
            }
            return begun;
        } catch (RecordingException e) {
            throw HttpProblem.conflict(String.valueOf(e.getMessage()));
        }
    }

    private static long end(Duration limit) {
        return limit.isZero() ? Long.MAX_VALUE : System.nanoTime() + limit.toNanos();
    }

    private synchronized void failed(RecordingException failure) {
        problem = String.valueOf(failure.getMessage());
    }

    /** Without the lock: who adds a taker may wait for one that stops the stream, and that for this one's frames. */
    private void attach() {
        Runnable remove = addTaker.apply(this::take);
        synchronized (this) {
            removeTaker = remove;
        }
    }

    private void abandon() {
        Recorder begun;
        synchronized (this) {
            begun = recorder;
            recorder = null;
            kept = null;
            state = State.IDLE;
        }
        if (begun != null) {
            begun.close();
        }
    }

    private void take(Composite composite) {
        boolean over = false;
        synchronized (this) {
            long now = System.nanoTime();
            if (state == State.ARMED && kept != null) {
                kept.add(composite, now);
            } else if (state == State.RECORDING && recorder != null) {
                over = endNanos != Long.MAX_VALUE && now - endNanos >= 0;
                if (!over) {
                    record(recorder, composite, now);
                }
            }
        }
        if (over) {
            finishLater();
        }
    }

    private void record(Recorder to, Composite composite, long now) {
        if (kept == null) {
            to.record(composite, now);
            return;
        }
        // Its queue is longer than the stream has flow sets.
        try (Composite copy = composite.copy()) {
            to.record(copy, now);
        }
    }

    /** Ends a recording whose stream ended. */
    public void tick() {
        boolean ended;
        synchronized (this) {
            ended = (state == State.RECORDING || state == State.ARMED) && removeTaker != null;
        }
        if (ended && !streaming.getAsBoolean()) {
            finishLater();
        }
    }

    private void finishLater() {
        Thread thread = new Thread(
                () -> {
                    try {
                        stop();
                    } catch (RuntimeException e) {
                        LOGGER.log(System.Logger.Level.WARNING, "A recording did not end in order", e);
                    }
                },
                "peregrine-browser-recording");
        thread.setDaemon(true);
        thread.start();
    }

    /** Ends the recording; what is waiting is written first. Does nothing if there is none. */
    public void stop() {
        Recorder ending;
        Runnable remove;
        synchronized (this) {
            if (state != State.RECORDING && state != State.ARMED) {
                return;
            }
            ending = recorder;
            remove = removeTaker;
            removeTaker = null;
            state = State.FINISHING;
        }
        try {
            if (remove != null) {
                remove.run();
            }
            if (ending != null) {
                ending.close();
            }
        } finally {
            synchronized (this) {
                last = Optional.ofNullable(ending).map(Recorder::statistics);
                recorder = null;
                kept = null;
                state = State.IDLE;
            }
        }
        onChange.run();
    }

    /** How far it is. */
    public synchronized Progress progress() {
        PreTrigger now = kept;
        return new Progress(
                state,
                target,
                problem,
                recorder == null ? last : Optional.of(recorder.statistics()),
                now == null ? 0 : now.count(),
                now == null ? Duration.ZERO : now.span(),
                now == null ? 0 : now.bytes(),
                now != null && now.limited());
    }

    @Override
    public void close() {
        stop();
    }
}
