package io.peregrine.browser.cameras;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.frames.FrameSource;
import io.peregrine.browser.frames.ViewerList;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.StreamingMode;
import io.peregrine.stream.StreamStatistics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The stream of an open camera, which all its viewers share. Safe for use by several threads. */
public final class Acquisition implements AutoCloseable {
    private final String id;
    private final Device device;
    private final ViewerList viewers;
    private final Runnable onState;
    private @Nullable CompositeStream stream;
    private @Nullable FrameSource source;
    private String ended = "";

    Acquisition(String id, Device device, ViewerList viewers, Runnable onState) {
        this.id = id;
        this.device = device;
        this.viewers = viewers;
        this.onState = onState;
    }

    /** Starts the stream; does nothing if it runs. */
    public void start() {
        synchronized (this) {
            if (source != null) {
                return;
            }
            CompositeStream started = stream;
            if (started == null) {
                started = device.stream(CompositeStream.class, 0);
                stream = started;
            }
            started.start();
            ended = "";
            source = new FrameSource("peregrine-browser-frames-" + id, started, viewers, this::endedByItself);
        }
        onState.run();
    }

    /** Stops the stream; does nothing if it does not run. */
    public void stop() {
        synchronized (this) {
            if (source == null) {
                return;
            }
            FrameSource running = source;
            source = null;
            running.finish();
            try {
                if (stream != null) {
                    stream.stop();
                }
            } finally {
                running.close();
            }
        }
        onState.run();
    }

    /** Does something that the camera refuses while it streams; a stream that runs is stopped, and started again. */
    <T> T whileStopped(Supplier<T> work) {
        boolean restart = running();
        stop();
        try {
            return work.get();
        } finally {
            if (restart) {
                start();
            }
        }
    }

    private void endedByItself(Optional<Throwable> cause) {
        synchronized (this) {
            if (source == null) {
                return;
            }
            source = null;
            ended = cause.map(Throwable::getMessage).orElse("all frames were delivered");
        }
        onState.run();
    }

    /** Whether frames are taken. */
    public synchronized boolean running() {
        return source != null;
    }

    /**
     * Adds one that gets every frame; see {@link FrameSource#addTaker}.
     *
     * @return removes it
     * @throws HttpProblem if the stream does not run
     */
    public synchronized Runnable addTaker(Consumer<Composite> taker) {
        if (source == null) {
            throw HttpProblem.conflict("the camera is not streaming: start it first");
        }
        return source.addTaker(taker);
    }

    /**
     * Waits for the next frame and gives a copy of it, to be closed.
     *
     * @throws HttpProblem if none comes in time
     */
    public Composite next(Duration limit) {
        CompletableFuture<Composite> next = new CompletableFuture<>();
        Runnable remove = addTaker(composite -> {
            if (!next.isDone()) {
                next.complete(composite.copy());
            }
        });
        try {
            return next.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw HttpProblem.conflict("no frame came within " + limit.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw HttpProblem.conflict("the server ends");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            remove.run();
        }
    }

    /** Whether it runs, by which protocol, and why it ended or shows nothing. */
    public synchronized ObjectNode state() {
        ObjectNode state = JsonNodeFactory.instance.objectNode();
        state.put("running", source != null);
        state.put("ended", ended);
        state.put("problem", source == null ? "" : source.problem());
        if (source != null) {
            StreamingMode mode = device.streamingMode();
            state.put("protocol", mode.protocol().name());
            state.put("requested", mode.requested().name());
            mode.reason().ifPresent(reason -> state.put("reason", reason));
            mode.rdma()
                    .ifPresent(rdma -> state.putObject("rdma")
                            .put("provider", rdma.provider())
                            .put("device", rdma.device())
                            .put("mode", rdma.mode())
                            .put("reason", rdma.reason()));
        }
        return state;
    }

    /** Counters since the start, as text since they have 64 bits. */
    public ObjectNode statistics() {
        ObjectNode counters = JsonNodeFactory.instance.objectNode();
        CompositeStream current = current();
        if (current != null) {
            StreamStatistics statistics = current.statistics();
            statistics.asMap().forEach((counter, value) -> counters.put(counter.name(), Long.toString(value)));
        }
        return counters;
    }

    /** What went wrong and what to do about it, one sentence each. */
    public ArrayNode diagnosis() {
        ArrayNode sentences = JsonNodeFactory.instance.arrayNode();
        CompositeStream current = current();
        List<String> found = current == null ? List.of() : current.diagnosis();
        found.forEach(sentences::add);
        return sentences;
    }

    private synchronized @Nullable CompositeStream current() {
        return stream;
    }

    @Override
    public void close() {
        try {
            stop();
        } finally {
            CompositeStream current = current();
            if (current != null) {
                current.close();
            }
        }
    }
}
