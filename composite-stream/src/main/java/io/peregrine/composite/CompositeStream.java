package io.peregrine.composite;

import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.stream.End;
import io.peregrine.stream.FlowInfo;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.engine.ExternalMemory;
import io.peregrine.stream.engine.Failures;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamChannel;
import io.peregrine.stream.engine.Timeouts;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Composites of every kind from one stream of a device.
 *
 * <p>The engine is the receiving half on this side, the device half is the acquisition of the camera. {@link #start()}
 * starts the engine, then the device; {@link #stop()} stops the device, then the engine, and what was received until
 * then can still be waited for; {@link #abort()} ends both and wakes all waiting threads. Start, stop and abort can be
 * called by any thread while others wait. Several threads may wait at the same time; each composite goes to one of
 * them. {@link #end()} says how the stream ended.
 *
 * <p>Iterating gives composites until the stream is stopped, aborted or closed, or has given all that was asked for (a
 * recording, AcquisitionMode SingleFrame or MultiFrame). When it ends otherwise the iteration throws, so that a loop
 * that just ends has seen everything: when the stream failed, when it was never started, and when the thread is
 * interrupted, which it stays.
 *
 * <p>Each composite holds memory of the stream until it is closed.
 *
 * <p>{@link ImageStream} and {@link PointCloudStream} give what their name says, and differ in nothing else.
 */
public sealed class CompositeStream implements AutoCloseable, Iterable<Composite>
        permits ImageStream, PointCloudStream {
    private static final System.Logger LOGGER = System.getLogger(CompositeStream.class.getName());

    /** Longest wait at the channel before the state of the stream is looked at again. */
    private static final long TURN_NANOS = 100_000_000;

    private static final Duration ITERATOR_WAIT = Duration.ofSeconds(1);

    private final StreamChannel channel;
    private final AcquisitionControl device;
    private final Holders holders = new Holders(System::nanoTime, CompositeStream::warn);
    private final ReentrantLock transition = new ReentrantLock();
    /** Where the last frame of this run came from; null before the first. */
    private volatile @Nullable FlowSetPool lastPool;

    /** Null while a thread uses it: another one that maps at the same time makes its own. */
    private final AtomicReference<@Nullable CompositeMapper> spareMapper = new AtomicReference<>();

    private final AtomicLong framesUnsuitable = new AtomicLong();
    /** How the user has cut this run off, if so; then nothing can be taken any more. */
    private final AtomicReference<@Nullable End> cutOff = new AtomicReference<>();

    private volatile boolean closed;
    private boolean engineStarted;
    private boolean deviceStarted;

    CompositeStream(StreamChannel channel, AcquisitionControl device) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.device = Objects.requireNonNull(device, "device");
    }

    /**
     * Makes a stream of a kind, not started yet.
     *
     * @param type {@link CompositeStream}, {@link ImageStream} or {@link PointCloudStream}
     * @param channel where flow sets come from; closed with the stream
     * @param device the device half
     * @throws CompositeException if there is no such kind
     * @hidden Users get it from their device.
     */
    // For the modules that make channels; Error Prone does not know the tag.
    @SuppressWarnings({"exports", "InvalidBlockTag"})
    public static <T> T create(Class<T> type, StreamChannel channel, AcquisitionControl device) {
        CompositeStream stream;
        if (type == ImageStream.class) {
            stream = new ImageStream(channel, device);
        } else if (type == PointCloudStream.class) {
            stream = new PointCloudStream(channel, device);
        } else if (type == CompositeStream.class) {
            stream = new CompositeStream(channel, device);
        } else {
            throw new CompositeException("There are no streams of " + type.getSimpleName()
                    + ": use CompositeStream, ImageStream or PointCloudStream");
        }
        return type.cast(stream);
    }

    /** What this kind of stream lets through, for messages; empty text when it is everything. */
    String wanted() {
        return "";
    }

    /** Whether a composite is what this kind of stream is for. */
    boolean suits(Composite composite) {
        return true;
    }

    /**
     * Starts the engine, then the device. When the device cannot be started, the engine is stopped again.
     *
     * @throws CompositeException if the stream is closed
     */
    public void start() {
        exclusively(() -> {
            engineStart();
            try {
                deviceStart();
            } catch (RuntimeException e) {
                Failures failures = new Failures();
                failures.add(e);
                failures.attempt(this::engineAbort);
                failures.throwIfAny();
            }
        });
    }

    /** Stops the device, then the engine; each even if the other fails. Does nothing when not started. */
    public void stop() {
        exclusively(() -> {
            Failures failures = new Failures();
            failures.attempt(this::deviceStop);
            failures.attempt(this::engineStop);
            failures.throwIfAny();
        });
    }

    /** Ends device and engine at once, and every wait. What was received and not taken is dropped. */
    public void abort() {
        device.requireFreeThread();
        cutOff(new End.Stopped());
        exclusively(() -> {
            Failures failures = new Failures();
            failures.attempt(this::deviceAbort);
            failures.attempt(this::engineAbort);
            failures.throwIfAny();
        });
    }

    /** Starts the receiving half. Does nothing when it runs; a stream that ended by itself is stopped first. */
    public void engineStart() {
        exclusively(() -> {
            if (closed) {
                throw new CompositeException("The stream is closed: get a new one from the device");
            }
            if (engineStarted) {
                if (channel.running()) {
                    return;
                }
                stop();
            }
            lastPool = null;
            holders.restart();
            holders.trace(LOGGER.isLoggable(System.Logger.Level.DEBUG));
            channel.start();
            cutOff.set(null);
            engineStarted = true;
        });
    }

    /** Stops the receiving half; what was received can still be waited for. Does nothing when it is not started. */
    public void engineStop() {
        exclusively(() -> {
            if (engineStarted) {
                engineStarted = false;
                channel.stop();
            }
        });
    }

    /** Ends the receiving half and every wait at once. */
    public void engineAbort() {
        device.requireFreeThread();
        cutOff(new End.Stopped());
        exclusively(() -> {
            engineStarted = false;
            channel.abort();
        });
    }

    /** Starts acquisition on the device. Does nothing when it is started; one that has finished is stopped first. */
    public void deviceStart() {
        exclusively(() -> {
            try {
                acquire();
            } catch (RuntimeException e) {
                Failures failures = new Failures();
                failures.add(e);
                failures.attempt(this::deviceAbort);
                failures.throwIfAny();
            }
        });
    }

    private void acquire() {
        if (closed) {
            throw new CompositeException("The stream is closed: get a new one from the device");
        }
        if (channel.end().filter(End.Finished.class::isInstance).isPresent()) {
            deviceStop();
        }
        if (!deviceStarted) {
            // Whatever of it works has to be taken back.
            deviceStarted = true;
            device.startAcquisition();
        }
    }

    /** Stops acquisition on the device. Does nothing when it is not started. */
    public void deviceStop() {
        exclusively(() -> {
            if (deviceStarted) {
                deviceStarted = false;
                device.stopAcquisition();
            }
        });
    }

    /** Ends acquisition on the device at once. Does nothing when it is not started. */
    public void deviceAbort() {
        exclusively(() -> {
            if (deviceStarted) {
                deviceStarted = false;
                device.abortAcquisition();
            }
        });
    }

    /** Runs a change of state; no two at the same time. */
    private void exclusively(Runnable change) {
        device.requireFreeThread();
        transition.lock();
        try {
            change.run();
        } finally {
            transition.unlock();
        }
    }

    /** The first end counts. */
    private void cutOff(End end) {
        cutOff.compareAndSet(null, channel.end().orElse(end));
    }

    /**
     * Waits for the next composite. After a failure the answer is always {@link WaitResult.Abort} with its cause; after
     * {@link #stop()} and at the end of what was asked for first what is left, then {@link WaitResult.Abort} without
     * cause. When the waiting thread is interrupted, the answer is {@link WaitResult.Abort} with the
     * {@link InterruptedException}, and the thread stays interrupted. A thread that waits asks Linux for a short time
     * slice, so that it runs soon after it is woken; its share of the processor stays the same.
     *
     * @param timeout how long to wait; zero looks without waiting
     * @return the composite, which the caller closes, or why there is none
     * @throws CompositeException if what arrived is not what this kind of stream is for. A frame that is not because it
     *     is incomplete is dropped, counted ({@link #framesUnsuitable()}), and waiting goes on
     */
    public WaitResult waitFor(Duration timeout) {
        long left = Timeouts.nanos(timeout);
        long started = System.nanoTime();
        while (true) {
            // Asked before the poll: what came until the end is given first.
            Optional<End> end = channel.end();
            Optional<End> nothingLeft = nothingLeft(end);
            if (nothingLeft.isPresent()) {
                return new WaitResult.Abort(nothingLeft.get());
            }
            long now = left - (System.nanoTime() - started);
            Optional<FlowSet> filled;
            try {
                filled = channel.poll(Duration.ofNanos(Math.max(0, Math.min(now, TURN_NANOS))));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new WaitResult.Abort(new End.Interrupted(e));
            }
            if (filled.isPresent()) {
                Optional<Composite> composite = accept(map(filled.get()));
                if (composite.isPresent()) {
                    return new WaitResult.Ok(composite.get());
                }
                if (left - (System.nanoTime() - started) <= 0) {
                    return new WaitResult.Timeout();
                }
                continue;
            }
            FlowSetPool pool = lastPool;
            if (channel.running() && pool != null) {
                holders.look(pool);
            }
            if (end.isPresent()) {
                return new WaitResult.Abort(end.get());
            }
            if (now <= TURN_NANOS && left - (System.nanoTime() - started) <= 0) {
                return nothingLeft(channel.end())
                        .<WaitResult>map(WaitResult.Abort::new)
                        .orElseGet(WaitResult.Timeout::new);
            }
        }
    }

    private Optional<Composite> accept(Composite composite) {
        boolean accepted = false;
        try {
            if (suits(composite)) {
                accepted = true;
                return Optional.of(composite);
            }
            if (!composite.complete()) {
                framesUnsuitable.incrementAndGet();
                return Optional.empty();
            }
            throw new CompositeException(getClass().getSimpleName() + " needs " + wanted() + ", but the device sent "
                    + composite + ": use CompositeStream, or set the device up to send one component");
        } finally {
            if (!accepted) {
                composite.close();
            }
        }
    }

    private static void warn(String text, @Nullable Throwable stack) {
        LOGGER.log(System.Logger.Level.WARNING, text, stack);
    }

    /** How the user cut the stream off, or its end, if that is one after which nothing can be taken. */
    private Optional<End> nothingLeft(Optional<End> end) {
        End byUser = cutOff.get();
        if (byUser != null) {
            return Optional.of(byUser);
        }
        boolean leavesSome = end.isEmpty() || end.get() instanceof End.Stopped || end.get() instanceof End.Finished;
        return leavesSome ? Optional.empty() : end;
    }

    private Composite map(FlowSet flowSet) {
        lastPool = flowSet.pool();
        CompositeMapper spare = spareMapper.getAndSet(null);
        CompositeMapper mapper = spare == null ? new CompositeMapper() : spare;
        Composite composite = Composite.of(flowSet, holders, mapper);
        flowSet.times().mapped(flowSet.block());
        spareMapper.set(mapper);
        return composite;
    }

    /**
     * Composites as they come, until the stream is stopped, aborted or closed, or has given all that was asked for.
     * Each has to be closed. {@code hasNext} and {@code next} throw when it ends otherwise: it failed, was never
     * started, or the thread was interrupted, which it stays. Of streams of a device they throw a
     * {@code DeviceException}, of others a {@link CompositeException}.
     */
    @Override
    public Iterator<Composite> iterator() {
        return new FrameIterator<>(this::await, "The stream has ended");
    }

    /** Waits once for an iteration; false at an orderly end. */
    private boolean await(Consumer<Composite> frame) {
        WaitResult result = waitFor(ITERATOR_WAIT);
        if (result instanceof WaitResult.Ok ok) {
            frame.accept(ok.composite());
        } else if (result instanceof WaitResult.Abort abort) {
            requireOrderly(abort.end());
            return false;
        }
        return true;
    }

    private void requireOrderly(End end) {
        if (!end.orderly()) {
            throw exception(end);
        }
    }

    /** What an iteration throws at an end that is not orderly. */
    RuntimeException exception(End end) {
        return Endings.exception(end, device);
    }

    /**
     * How the stream ended, or that it was never started. Empty while it runs, and while what was received may still
     * come, but for a failure, which shows at once.
     */
    public Optional<End> end() {
        return Optional.ofNullable(cutOff.get()).or(channel::end);
    }

    /** Whether the receiving half is running. */
    public boolean running() {
        return channel.running();
    }

    /** Why the stream failed; empty while all is well, or when the user ended it. */
    public Optional<Throwable> failure() {
        return end().filter(End.Failed.class::isInstance).flatMap(End::cause);
    }

    /**
     * Incomplete frames that were dropped because they are not what this kind of stream is for; 0 for a plain composite
     * stream. Frames that newer ones replaced are in {@link StreamStatistics.Counter#FRAMES_SKIPPED}.
     */
    public long framesUnsuitable() {
        return framesUnsuitable.get();
    }

    /**
     * What went wrong so far and what to do about it: one sentence for each cause, most severe first; empty when
     * nothing is lost. Of a stream that is running and has received nothing within a second, why that may be: it asks
     * the device then, which takes a moment.
     */
    public List<String> diagnosis() {
        return channel.diagnosis();
    }

    /**
     * Counters of the stream now, from its start on. What is counted later is not seen in them. Of a stream over RDMA
     * the device is asked what it dropped, a few times a second at most, which takes a moment.
     */
    public StreamStatistics statistics() {
        return channel.statistics();
    }

    /**
     * Sets the number of flow sets, that is of composites that can be received and held at the same time, for the next
     * start, and gives back a pool of the user's, without the frames in it that were not taken. Only while the stream
     * is not running.
     *
     * @param flowSets number of flow sets
     * @throws StreamException if the number is not possible, or the stream is running
     */
    public void registerManagedFlowSetPool(int flowSets) {
        exclusively(() -> channel.resizePool(flowSets));
    }

    /**
     * What each flow of a flow set needs as the device is set up now, in the order of flow ids: memory for
     * {@link #registerExternalFlowSetPool}. While the stream is not running, the device is asked, and switched to the
     * payload that a start would choose.
     *
     * @throws RuntimeException of a device a {@code DeviceException}, if it does not answer or cannot be set up
     */
    public List<FlowInfo> flowSetInfo() {
        return channel.flowSetInfo();
    }

    /**
     * Receives frames into memory of the user's from the next start on, whatever the transport. Only while the stream
     * is not running. A pool that was registered before is given back, without the frames that were not taken. Whether
     * the memory is large enough is checked by each start, against what the device needs then; a start that finds it
     * too small throws and says what is needed.
     *
     * <p>Composites that are held from one run to the next take their flow sets out of use. A start after a change of
     * the payload needs all of them closed.
     *
     * @throws StreamException if the pool belongs to a stream, or this one is running
     * @throws CompositeException if the stream is closed
     */
    public void registerExternalFlowSetPool(ExternalFlowSetPool pool) {
        exclusively(() -> {
            if (closed) {
                throw new CompositeException("The stream is closed: get a new one from the device");
            }
            ExternalMemory memory = pool.lend();
            boolean taken = false;
            try {
                channel.usePool(memory);
                taken = true;
            } finally {
                if (!taken) {
                    memory.release();
                }
            }
        });
    }

    /**
     * Gives back a pool of the user's, and allocates flow sets at the next start again, as many as before. Only while
     * the stream is not running; does nothing when none is registered.
     *
     * @throws StreamException if the stream is running
     */
    public void deregisterExternalFlowSetPool() {
        exclusively(channel::useManagedPool);
    }

    /**
     * How often a wait found that no frame can come because composites that are not closed hold all flow sets. Counts
     * once until one of them is closed. The first time after a start, a warning names the threads that hold them; if
     * debug messages of this class were logged at the start, also where the oldest was taken, at the cost of a stack
     * trace for each composite.
     */
    public long starvations() {
        return holders.starvations();
    }

    /** Whether {@link #close()} was called. */
    public boolean closed() {
        return closed;
    }

    /** Aborts the stream and closes its channel. Composites that the user holds stay usable until they are closed. */
    @Override
    public void close() {
        exclusively(() -> {
            if (closed) {
                return;
            }
            Failures failures = new Failures();
            cutOff(new End.Closed());
            if (engineStarted || deviceStarted) {
                failures.attempt(this::abort);
            }
            closed = true;
            failures.attempt(channel::close);
            failures.throwIfAny();
        });
    }
}
