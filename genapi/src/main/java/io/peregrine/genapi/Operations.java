package io.peregrine.genapi;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations on the nodes of a map: one at a time, with bounded work. An operation on nodes that hang on longer chains
 * than any real description has runs on a separate stack, as deep as the chain needs.
 */
final class Operations {
    /** Steps that one operation may take: a hundred times what the largest real description needs. */
    private static final int MAX_WORK = 1_000_000;
    /** Formulas that are evaluated inside each other; they are on the stack. */
    private static final int MAX_LEVELS = 1_500;
    /** Chains up to this length are walked on the stack of the caller. */
    private static final int MAX_LINKS_HERE = 200;
    /** What longer chains may take more. */
    private static final int MORE_FOR_CHAINS = 10;

    private static final long STACK_BYTES = 16 << 20;
    private static final long STACK_BYTES_A_LINK = 8 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Changes changes;
    private int running;
    private int work;
    private int levels;
    private int factor = 1;
    /** The thread that runs an operation for the one that holds the lock and waits for it. */
    private volatile @Nullable Thread substitute;

    Operations(Changes changes) {
        this.changes = changes;
    }

    /** Begins an operation, of which others may be part. */
    void enter() {
        hold();
        if (running++ == 0) {
            work = 0;
            levels = 0;
        }
    }

    /** Ends an operation; after the outermost one, listeners are notified, outside the lock. */
    void exit() {
        running--;
        release();
    }

    /** Keeps other threads out, for several operations, each with its own limits. */
    void hold() {
        if (Thread.currentThread() != substitute) {
            lock.lock();
        }
    }

    /** Whether this thread keeps others out. */
    boolean heldHere() {
        return Thread.currentThread() == substitute || lock.isHeldByCurrentThread();
    }

    void release() {
        if (Thread.currentThread() == substitute) {
            return;
        }
        if (lock.getHoldCount() > 1 || changes.none()) {
            lock.unlock();
            return;
        }
        List<BaseNode> told = changes.take();
        lock.unlock();
        Changes.tell(told);
    }

    /** Counts a step of an operation. */
    void work() {
        if (++work > MAX_WORK * factor) {
            throw new GivenUpException("makes it take more than " + MAX_WORK * factor + " steps");
        }
    }

    /** Begins another part of an operation that is bounded for itself. */
    void restartWork() {
        work = 0;
    }

    /** Goes down into a formula of a number of levels. */
    void descend(int depth) {
        if (levels + depth > MAX_LEVELS * factor) {
            throw new GivenUpException("nests formulas in more than " + MAX_LEVELS * factor + " levels");
        }
        levels += depth;
    }

    void ascend(int depth) {
        levels -= depth;
    }

    /** What an operation ends with whose stack has ended; only the outermost gives up, which has stack again. */
    GivenUpException atEndOfStack(StackOverflowError e) {
        if (running > 1) {
            throw e;
        }
        return nestedTooDeeply();
    }

    private static GivenUpException nestedTooDeeply() {
        return new GivenUpException("nests nodes too deeply");
    }

    /** Whether an operation that follows a chain of this length needs a separate stack. */
    boolean tooDeep(int links) {
        return links > MAX_LINKS_HERE && Thread.currentThread() != substitute;
    }

    /** Runs an operation on a stack that suffices for a chain of this length, while the caller waits. */
    <T> T onOwnStack(int links, Supplier<T> operation) {
        Outcome<T> outcome = new Outcome<>();
        Thread thread = new Thread(
                null, () -> outcome.run(operation), "peregrine-genapi-chain", STACK_BYTES + links * STACK_BYTES_A_LINK);
        thread.setDaemon(true);
        hold();
        substitute = thread;
        factor = MORE_FOR_CHAINS;
        try {
            thread.start();
            join(thread);
        } finally {
            factor = 1;
            substitute = null;
            release();
        }
        return outcome.get();
    }

    /** The operation has ended before the caller goes on, interrupted or not. */
    private static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                thread.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Outcome<T> {
        private @Nullable T result;
        private @Nullable Throwable failure;

        void run(Supplier<T> operation) {
            try {
                result = operation.get();
            } catch (StackOverflowError e) {
                failure = nestedTooDeeply();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }

        @SuppressWarnings("NullAway")
        T get() {
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            if (failure instanceof Error e) {
                throw e;
            }
            return result;
        }
    }
}
