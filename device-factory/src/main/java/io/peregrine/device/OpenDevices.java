package io.peregrine.device;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Devices that are open, for the case that the program is told to end: then they are closed, so that no camera goes on
 * streaming, or refuses the next application until its heartbeat timeout is over. There is a hook only while there are such
 * devices.
 */
final class OpenDevices {
    private static final System.Logger LOG = System.getLogger(OpenDevices.class.getName());
    /** Whoever ends a program does not wait for long. */
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Set<Device> OPEN = new LinkedHashSet<>();
    private static Optional<Thread> hook = Optional.empty();

    private OpenDevices() {}

    static void opened(Device device) {
        synchronized (OPEN) {
            OPEN.add(device);
            if (hook.isEmpty()) {
                Thread closing = new Thread(OpenDevices::closeAll, "peregrine-shutdown");
                try {
                    Runtime.getRuntime().addShutdownHook(closing);
                    hook = Optional.of(closing);
                } catch (IllegalStateException e) {
                    LOG.log(System.Logger.Level.DEBUG, "Opened while the program ends", e);
                }
            }
        }
    }

    static void closed(Device device) {
        synchronized (OPEN) {
            OPEN.remove(device);
            if (OPEN.isEmpty() && hook.isPresent()) {
                try {
                    Runtime.getRuntime().removeShutdownHook(hook.get());
                } catch (IllegalStateException e) {
                    LOG.log(System.Logger.Level.DEBUG, "Closed while the program ends", e);
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

    private static void closeAll() {
        List<Device> left;
        synchronized (OPEN) {
            left = new ArrayList<>(OPEN);
        }
        long end = System.nanoTime() + LIMIT_NANOS;
        List<Thread> closing = new ArrayList<>();
        for (Device device : left) {
            Thread thread = new Thread(
                    () -> close(device), "peregrine-shutdown-" + device.info().serialNumber());
            thread.setDaemon(true);
            thread.start();
            closing.add(thread);
        }
        closing.forEach(thread -> Threads.join(thread, Math.max(1, end - System.nanoTime())));
    }

    private static void close(Device device) {
        try {
            device.close();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, device + " could not be closed when the program ended", e);
        }
    }
}
