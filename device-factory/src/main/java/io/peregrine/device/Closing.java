package io.peregrine.device;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The end of a device: one thread closes it, the others that want it closed wait for that. */
final class Closing {
    private static final System.Logger LOGGER = System.getLogger(Closing.class.getName());
    /** Longer than any end takes. A thread that is needed for the end in a way that is not known waits no longer. */
    private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicReference<@Nullable Thread> closer = new AtomicReference<>();

    /** True for the first thread, which is to close the device and to call {@link #end}. */
    boolean begin() {
        return closer.compareAndSet(null, Thread.currentThread());
    }

    boolean begun() {
        return closer.get() != null;
    }

    /** Whether this thread is the one that closes. */
    boolean byThisThread() {
        return closer.get() == Thread.currentThread();
    }

    void end() {
        done.countDown();
    }

    /** Waits for the end; an interrupt does not shorten that. */
    void await() {
        long start = System.nanoTime();
        boolean interrupted = false;
        while (true) {
            try {
                if (!done.await(start + LIMIT_NANOS - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    LOGGER.log(System.Logger.Level.WARNING, "The device that another thread closes is not closed yet");
                }
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
