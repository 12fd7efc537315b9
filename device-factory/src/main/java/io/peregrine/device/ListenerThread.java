package io.peregrine.device;

import io.peregrine.genapi.Registration;
import io.peregrine.stream.engine.Threads;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifies listeners of one event after another on a separate thread, so that the source of events never waits for
 * them. The thread is there from the first listener on.
 */
final class ListenerThread<E> implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ListenerThread.class.getName());
    /** Events that wait for slow listeners at most. */
    private static final int MAX_WAITING = 1024;

    private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** One event for some of the listeners, or the end when there is none. */
    private record Task(Runnable call) {}

    private final String name;
    private final List<Consumer<E>> listeners = new CopyOnWriteArrayList<>();
    private final Runner runner;
    private @Nullable Thread thread;

    /**
     * Makes one without a thread.
     *
     * @param name of the thread
     * @param holdings get the thread
     */
    ListenerThread(String name, Holdings holdings) {
        this.name = name;
        runner = holdings.put(name, new Runner());
    }

    /**
     * The part that the thread knows: the events to deliver. Listeners may lead to a device, which a thread must not
     * hold.
     */
    private static final class Runner implements Runnable, AutoCloseable {
        private final BlockingQueue<Task> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
        private volatile boolean closed;

        @Override
        public void run() {
            while (!closed || !waiting.isEmpty()) {
                try {
                    waiting.take().call().run();
                } catch (InterruptedException e) {
                    // Only closing ends this thread, after what is left to tell.
                }
            }
        }

        /** Ends the thread after what is left; false if it has to be woken. */
        boolean end() {
            closed = true;
            return waiting.offer(new Task(() -> {}));
        }

        @Override
        public void close() {
            end();
        }
    }

    /** Calls a listener with every event from now on. */
    Registration add(Consumer<E> listener) {
        listeners.add(listener);
        begin();
        return () -> listeners.remove(listener);
    }

    private synchronized void begin() {
        if (thread == null && !runner.closed) {
            thread = new Thread(runner, name);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Whether a thread is the one that calls the listeners. */
    synchronized boolean runsOn(Thread asked) {
        return thread == asked;
    }

    /** Notifies all listeners of an event. Never waits. */
    void tell(E event) {
        if (!listeners.isEmpty()) {
            offer(() -> listeners.forEach(listener -> call(listener, event)));
        }
    }

    /** Notifies one listener of an event that the others know already. Never waits. */
    void tell(Consumer<E> listener, E event) {
        begin();
        offer(() -> call(listener, event));
    }

    private void offer(Runnable call) {
        if (!runner.closed && !runner.waiting.offer(new Task(call))) {
            LOGGER.log(System.Logger.Level.WARNING, "{0}: a listener blocks, and an event was dropped", name);
        }
    }

    private void call(Consumer<E> listener, E event) {
        try {
            listener.accept(event);
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.WARNING, name + ": a listener failed with " + event, e);
        }
    }

    /** Delivers the events that are left, and ends the thread. May be called by a listener. */
    @Override
    public void close() {
        Thread ending;
        boolean told;
        synchronized (this) {
            told = runner.end();
            ending = thread;
        }
        if (ending == null || ending == Thread.currentThread()) {
            return;
        }
        // A blocking listener is asked to end, and what waits behind it still comes.
        if (!told) {
            ending.interrupt();
        }
        if (!Threads.join(ending, JOIN_NANOS)) {
            ending.interrupt();
            if (!Threads.join(ending, JOIN_NANOS)) {
                LOGGER.log(System.Logger.Level.WARNING, "{0}: a listener does not return, its thread stays", name);
            }
        }
    }
}
