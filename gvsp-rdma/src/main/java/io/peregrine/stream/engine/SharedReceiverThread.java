package io.peregrine.stream.engine;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that receives for several streams in turn, where one for each would be too many. It looks at each of them
 * and pauses when nothing came for any; it lives as long as one of them runs.
 */
public final class SharedReceiverThread {
    /** What a stream does in its turn, on this thread alone. */
    interface Work {
        /**
         * Takes what is there, without waiting.
         *
         * @return whether anything was
         */
        boolean look();

        /** Whether this was the last turn. */
        boolean over();

        /** Ends it. */
        void finish();
    }

    private static final Work[] NONE = {};
    private static final long PAUSE_NANOS = 250_000;
    private static final ConcurrentHashMap<String, SharedReceiverThread> NAMED = new ConcurrentHashMap<>();

    private final String name;
    private final List<Work> works = new CopyOnWriteArrayList<>();
    /** Null while nothing runs. Guarded by this object for writing. */
    private volatile Thread thread;

    private SharedReceiverThread(String name) {
        this.name = name;
    }

    /**
     * The thread of a name, the same for everyone in this process.
     *
     * @param name any text
     */
    public static SharedReceiverThread named(String name) {
        return NAMED.computeIfAbsent(Objects.requireNonNull(name, "name"), SharedReceiverThread::new);
    }

    synchronized void add(Work work) {
        works.add(work);
        if (thread == null) {
            thread = new Thread(this::run, "peregrine-streams-" + name);
            thread.setDaemon(true);
            thread.start();
        } else {
            wakeUp();
        }
    }

    /** Whether the caller is on this thread. */
    boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    /** Ends a pause. Any thread. */
    void wakeUp() {
        LockSupport.unpark(thread);
    }

    private void run() {
        while (left()) {
            boolean any = false;
            for (Work work : works.toArray(NONE)) {
                any |= work.look();
                if (work.over()) {
                    works.remove(work);
                    work.finish();
                }
            }
            if (!any) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        }
    }

    private synchronized boolean left() {
        if (works.isEmpty()) {
            thread = null;
            return false;
        }
        return true;
    }

    @Override
    public String toString() {
        return "SharedReceiverThread[" + name + ", " + works.size() + " streams]";
    }
}
