package io.peregrine.device;

import io.peregrine.gvcp.MacAddress;
import io.peregrine.stream.engine.Threads;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Devices that are open or being opened, for the case that the program is asked to terminate: they are closed then, so
 * that no camera goes on streaming, or refuses the next application until its heartbeat timeout is over. There is a
 * hook only while there are such devices.
 */
final class OpenDevices {
    private static final System.Logger LOGGER = System.getLogger(OpenDevices.class.getName());
    /** The end of a program does not wait for long. */
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Stands for a device that is being opened. */
    private static final WeakReference<AutoCloseable> OPENING = new WeakReference<>(null);

    /** A device that is forgotten must not be held here. */
    private static final Map<Holdings, WeakReference<AutoCloseable>> OPEN = new LinkedHashMap<>();

    private static Optional<Thread> hook = Optional.empty();

    private OpenDevices() {}

    /** A device is being opened, until it is {@link #opened} or {@link #closed}. */
    static void opening(Holdings holdings) {
        put(holdings, OPENING);
    }

    /**
     * A device is open, until it is {@link #closed}.
     *
     * @throws DeviceException if the end of the program came before
     */
    static void opened(AutoCloseable device, Holdings holdings) {
        synchronized (OPEN) {
            holdings.requireHeld();
            put(holdings, new WeakReference<>(device));
        }
    }

    private static void put(Holdings holdings, WeakReference<AutoCloseable> device) {
        synchronized (OPEN) {
            OPEN.put(holdings, device);
            if (hook.isEmpty()) {
                Thread closing = new Thread(OpenDevices::closeAll, "peregrine-shutdown");
                try {
                    Runtime.getRuntime().addShutdownHook(closing);
                    hook = Optional.of(closing);
                } catch (IllegalStateException e) {
                    LOGGER.log(System.Logger.Level.DEBUG, "Opened while the program ends", e);
                }
            }
        }
    }

    static void closed(Holdings holdings) {
        synchronized (OPEN) {
            OPEN.remove(holdings);
            OPEN.notifyAll();
            if (OPEN.isEmpty() && hook.isPresent()) {
                try {
                    Runtime.getRuntime().removeShutdownHook(hook.get());
                } catch (IllegalStateException e) {
                    LOGGER.log(System.Logger.Level.DEBUG, "Closed while the program ends", e);
                }
                hook = Optional.empty();
            }
        }
    }

    /** Number of devices that a hook would close now. */
    static int count() {
        synchronized (OPEN) {
            return hook.isPresent() ? OPEN.size() : 0;
        }
    }

    /**
     * What of this program controls a device, or is about to, if something does.
     *
     * @param asking was refused, and does not count
     */
    static Optional<Holdings> controlling(MacAddress device, Holdings asking) {
        synchronized (OPEN) {
            return OPEN.keySet().stream()
                    .filter(holdings -> holdings != asking)
                    .filter(holdings -> holdings.controls(device))
                    .findFirst();
        }
    }

    private static void closeAll() {
        ProgramEnd.runSteps();
        List<Holdings> left;
        synchronized (OPEN) {
            left = new ArrayList<>(OPEN.keySet());
        }
        long end = System.nanoTime() + LIMIT_NANOS;
        List<Thread> closing = new ArrayList<>();
        left.forEach(holdings -> {
            Thread thread = new Thread(() -> close(holdings), "peregrine-shutdown-" + holdings);
            thread.setDaemon(true);
            thread.start();
            closing.add(thread);
        });
        closing.forEach(thread -> Threads.join(thread, Math.max(1, end - System.nanoTime())));
    }

    /** Closes a device; of one that is being opened, what there is: its thread then fails and gives up the rest. */
    private static void close(Holdings holdings) {
        if (device(holdings) == OPENING) {
            holdings.release();
        }
        WeakReference<AutoCloseable> device = device(holdings);
        if (device == OPENING) {
            close(holdings, () -> {});
        } else if (device != null) {
            close(holdings, device.get());
        }
    }

    private static @Nullable WeakReference<AutoCloseable> device(Holdings holdings) {
        synchronized (OPEN) {
            return OPEN.get(holdings);
        }
    }

    /** Closes a device, and returns when it is closed, also if another thread was about it. */
    static void close(Holdings holdings, @Nullable AutoCloseable device) {
        try {
            if (device != null) {
                device.close();
            } else if (holdings.release()) {
                closed(holdings);
            }
            awaitClosed(holdings);
        } catch (Exception e) {
            LOGGER.log(System.Logger.Level.WARNING, holdings + " could not be closed when the program ended", e);
        }
    }

    private static void awaitClosed(Holdings holdings) throws InterruptedException {
        synchronized (OPEN) {
            while (OPEN.containsKey(holdings)) {
                OPEN.wait();
            }
        }
    }
}
