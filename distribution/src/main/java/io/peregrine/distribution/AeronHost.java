package io.peregrine.distribution;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.exceptions.AeronException;
import java.io.File;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.IoUtil;
import org.jspecify.annotations.Nullable;

/**
 * This program's part of Aeron: a client, and a media driver where none is started separately. Users of the same
 * settings in one program share one; it ends with the last of them.
 */
final class AeronHost implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(AeronHost.class.getName());
    private static final int MAX_FAILURES_LOGGED = 10;
    /** Guarded by itself. */
    private static final Map<String, AeronHost> OPEN = new HashMap<>();

    private final String key;
    /** So that no other program takes a directory that this one's driver makes, uses and deletes. */
    private final Optional<DirectoryLock> lock;

    private final Optional<MediaDriver> driver;
    private final Aeron aeron;
    private final Map<Route, String> endpoints = new HashMap<>();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile @Nullable Throwable failure;
    /** Guarded by {@link #OPEN}. */
    private int users;
    /** Guarded by {@link #OPEN}. */
    private boolean driverClosed;

    private AeronHost(String key, DistributionSettings settings) {
        this.key = key;
        String directory = settings.directory().orElseGet(() -> settings.embedded() ? DriverDirectory.fresh() : "");
        // A fresh one is no other's.
        lock = settings.directory()
                .filter(named -> settings.embedded())
                .map(Path::of)
                .map(DriverDirectory::take);
        driver = settings.embedded() ? Optional.of(launch(directory, settings)) : Optional.empty();
        Aeron.Context context = new Aeron.Context().errorHandler(this::failed).useConductorAgentInvoker(false);
        if (!directory.isEmpty()) {
            context.aeronDirectoryName(directory);
        }
        if (driver.isPresent()) {
            context.driverTimeoutMs(EmbeddedDriver.SUSPENDED.toMillis());
        }
        Aeron connected = null;
        try {
            connected = Aeron.connect(context);
        } catch (AeronException e) {
            throw new DistributionException(
                    "No media driver answers in " + context.aeronDirectoryName() + " within "
                            + context.driverTimeoutMs() / 1000 + " s: start one, name its directory by "
                            + DistributionSettings.DIRECTORY + ", or set " + DistributionSettings.DRIVER + "=embedded",
                    e);
        } finally {
            if (connected == null) {
                closeDriver();
            }
        }
        aeron = connected;
    }

    /**
     * Opens it, or shares one with the same driver that is open.
     *
     * @throws DistributionException if Java was not started as Aeron needs it, or the driver cannot be started or
     *     reached
     */
    static AeronHost open(DistributionSettings settings) {
        String key = settings.get(DistributionSettings.DRIVER) + " "
                + settings.directory().orElse("") + " " + settings.windowBytes();
        synchronized (OPEN) {
            AeronHost host = OPEN.get(key);
            if (host == null || host.aeron.isClosed()) {
                requireAccess();
                if (host != null) {
                    // No user can do anything with it any longer.
                    host.closeDriver();
                }
                host = new AeronHost(key, settings);
                OPEN.put(key, host);
            }
            host.users++;
            return host;
        }
    }

    /** Aeron works on memory by a class of the JDK that is closed unless Java is started with a flag. */
    private static void requireAccess() {
        try {
            Class.forName("org.agrona.UnsafeApi");
        } catch (ClassNotFoundException | LinkageError e) {
            throw new DistributionException(
                    "Aeron needs access to jdk.internal.misc: start Java with --add-exports"
                            + " java.base/jdk.internal.misc=ALL-UNNAMED (on the module path =org.agrona)",
                    e);
        }
    }

    private MediaDriver launch(String directory, DistributionSettings settings) {
        MediaDriver launched = null;
        try {
            launched = MediaDriver.launch(
                    EmbeddedDriver.context(directory, settings).errorHandler(this::failed));
            return launched;
        } catch (RuntimeException e) {
            // It was free: all that is there now comes from this launch.
            IoUtil.delete(new File(directory), true);
            throw new DistributionException(
                    "The media driver cannot be started in " + directory + ": " + e.getMessage()
                            + ". Check that the directory is not in use, and that /dev/shm has room",
                    e);
        } finally {
            if (launched == null) {
                lock.ifPresent(DirectoryLock::close);
            }
        }
    }

    /** Notes a problem that Aeron reports. */
    void failed(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        if (failures.incrementAndGet() <= MAX_FAILURES_LOGGED) {
            LOGGER.log(System.Logger.Level.DEBUG, "Aeron reports a problem", cause);
        }
    }

    /** The client. */
    Aeron aeron() {
        return aeron;
    }

    /** What the driver reports to a consumer of a session. */
    List<String> receiving(int session) {
        synchronized (OPEN) {
            return status().map(status -> status.receiving(session)).orElseGet(List::of);
        }
    }

    /** What the driver reports to the owner of publications. */
    List<String> sending(List<Long> registrationIds) {
        synchronized (OPEN) {
            return status().map(status -> status.sending(registrationIds)).orElseGet(List::of);
        }
    }

    /** Empty once the memory that the driver writes is gone. */
    private Optional<DriverStatus> status() {
        return users == 0 || aeron.isClosed()
                ? Optional.empty()
                : Optional.of(
                        new DriverStatus(aeron.countersReader(), aeron.context().aeronDirectoryName()));
    }

    /** What went wrong first, empty while nothing did. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Where frames come in that a publisher sends to those who register: the same for all streams of a route. */
    synchronized String endpoint(Route route) {
        return endpoints.computeIfAbsent(
                route, one -> one.publisher().map(AeronHost::freeEndpoint).orElse(""));
    }

    private static String freeEndpoint(InetAddress publisher) {
        InetAddress local = LocalEndpoint.towards(publisher);
        try (DatagramSocket free = new DatagramSocket(new InetSocketAddress(local, 0))) {
            return local.getHostAddress() + ":" + free.getLocalPort();
        } catch (SocketException e) {
            throw new DistributionException("No UDP port is free at " + local.getHostAddress(), e);
        }
    }

    /** Ends it with the last user. */
    @Override
    public void close() {
        synchronized (OPEN) {
            users--;
            if (users > 0) {
                return;
            }
            OPEN.remove(key, this);
            try {
                aeron.close();
            } finally {
                closeDriver();
            }
        }
    }

    private void closeDriver() {
        if (driverClosed) {
            return;
        }
        driverClosed = true;
        try {
            driver.ifPresent(MediaDriver::close);
        } finally {
            lock.ifPresent(DirectoryLock::close);
        }
    }
}
