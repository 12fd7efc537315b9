package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Connection;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.OpenFiles;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * An application that streams from several cameras, whatever happens to them, and tells in a file how they are.
 * Arguments: a directory, serial numbers of the cameras. It ends when the directory has a file {@code end}.
 */
final class SoakClientMain {
    static final String STATUS = "status.properties";
    static final String END = "end";
    static final double GAIN = 3;
    static final double EXPOSURE_MICROS = 1234;

    /** The rest are with the receiver. */
    static final int FLOW_SETS_FOR_THE_USER = 12;

    private static final int FLOW_SETS = 16;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long TELL_NANOS = 100_000_000;
    private static final int REMEMBERED_FRAMES = 4096;

    private SoakClientMain() {}

    /** One camera and what came of it. */
    private static final class Watched {
        private final String serial;
        private final Device device;
        private final CompositeStream stream;
        private final AtomicLong whole = new AtomicLong();
        private final AtomicLong incomplete = new AtomicLong();
        private final AtomicLong badBytes = new AtomicLong();
        private final AtomicLong twice = new AtomicLong();
        private final AtomicLong losses = new AtomicLong();
        private final AtomicLong returns = new AtomicLong();
        private final AtomicLong settingsWrong = new AtomicLong();
        private volatile String ended = "";
        private volatile String lastCause = "";
        private volatile boolean over;
        private volatile int heldAtOnce;
        private final Set<String> seen = new LinkedHashSet<>();
        private Thread user;

        Watched(String serial) {
            this.serial = serial;
            Devices factory = DeviceFactory.create(PeregrineSettings.load());
            DiscoveryInformation info = factory.await(serial, LIMIT);
            info.setParameter("Reconnect", "1")
                    .setParameter("HeartbeatTimeout", "500ms")
                    .setParameter("FlowSetCount", Integer.toString(FLOW_SETS));
            device = factory.open(info);
            device.nodes().floating("Gain").set(GAIN);
            device.nodes().floating("ExposureTime").set(EXPOSURE_MICROS);
            device.connection().onState(this::moved);
            stream = device.stream(CompositeStream.class, 0);
        }

        private void moved(Connection.Event event) {
            event.cause().ifPresent(cause -> lastCause = String.valueOf(cause.getMessage()));
            if (event.state() == Connection.State.LOST) {
                losses.incrementAndGet();
            } else if (event.state() == Connection.State.CONNECTED) {
                returns.incrementAndGet();
                settingsWrong.addAndGet(event.problems().size());
                try {
                    if (device.nodes().floating("Gain").value() != GAIN
                            || device.nodes().floating("ExposureTime").value() != EXPOSURE_MICROS) {
                        settingsWrong.incrementAndGet();
                    }
                } catch (RuntimeException e) {
                    // Lost again; the next return tells.
                    lastCause = String.valueOf(e.getMessage());
                }
            }
        }

        void start() {
            stream.start();
            user = new Thread(this::watch, "user of " + serial);
            user.start();
        }

        private void watch() {
            try {
                while (!over) {
                    WaitResult result = stream.waitFor(Duration.ofMillis(200));
                    if (result instanceof WaitResult.Ok ok) {
                        look(ok);
                    } else if (result instanceof WaitResult.Abort abort) {
                        ended = String.valueOf(abort.cause().orElse(null));
                        return;
                    }
                }
            } catch (RuntimeException | Error e) {
                ended = e.toString();
            }
        }

        private void look(WaitResult.Ok ok) {
            try (Composite composite = ok.composite()) {
                if (!seen.add(composite.blockId() + "@" + composite.timestamp())) {
                    twice.incrementAndGet();
                }
                if (seen.size() > REMEMBERED_FRAMES) {
                    seen.remove(seen.iterator().next());
                }
                if (composite.complete()) {
                    badBytes.addAndGet(PatternCheck.badBytes(composite));
                    whole.incrementAndGet();
                } else {
                    badBytes.addAndGet(PatternCheck.badBytesOfCompleteItems(composite));
                    incomplete.incrementAndGet();
                }
            }
        }

        void tell(Properties into) {
            into.setProperty(serial + ".state", device.connection().state().name());
            into.setProperty(serial + ".whole", Long.toString(whole.get()));
            into.setProperty(serial + ".incomplete", Long.toString(incomplete.get()));
            into.setProperty(serial + ".badBytes", Long.toString(badBytes.get()));
            into.setProperty(serial + ".twice", Long.toString(twice.get()));
            into.setProperty(serial + ".losses", Long.toString(losses.get()));
            into.setProperty(serial + ".returns", Long.toString(returns.get()));
            into.setProperty(serial + ".settingsWrong", Long.toString(settingsWrong.get()));
            into.setProperty(serial + ".ended", ended);
            into.setProperty(serial + ".lastCause", lastCause);
            into.setProperty(
                    serial + ".reconnects", Long.toString(stream.statistics().get(Counter.RECONNECTS)));
            into.setProperty(serial + ".heldAtOnce", Integer.toString(heldAtOnce));
        }

        /**
         * Holds as many composites at once as there are, but for those with the receiver: a lost flow set makes them
         * fewer.
         */
        private void holdAll() {
            List<Composite> held = new ArrayList<>();
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (held.size() < FLOW_SETS_FOR_THE_USER && System.nanoTime() - deadline < 0) {
                if (stream.waitFor(Duration.ofMillis(200)) instanceof WaitResult.Ok ok) {
                    held.add(ok.composite());
                }
            }
            heldAtOnce = held.size();
            held.forEach(Composite::close);
        }

        void end() throws InterruptedException {
            over = true;
            user.join();
            holdAll();
            stream.stop();
            stream.close();
            device.close();
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path directory = Path.of(arguments[0]);
        List<Watched> all = new ArrayList<>();
        for (int i = 1; i < arguments.length; i++) {
            all.add(new Watched(arguments[i]));
        }
        all.forEach(Watched::start);
        while (!Files.exists(directory.resolve(END))) {
            tell(directory, all);
            LockSupport.parkNanos(TELL_NANOS);
        }
        for (Watched each : all) {
            each.end();
        }
        tell(directory, all);
        List<String> left = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("peregrine") || name.startsWith("gvcp"))
                .toList();
        System.out.println("threads left: " + left);
    }

    private static void tell(Path directory, List<Watched> all) {
        Properties status = new Properties();
        all.forEach(each -> each.tell(status));
        status.setProperty("threads", Long.toString(Thread.getAllStackTraces().size()));
        status.setProperty("files", Long.toString(OpenFiles.count()));
        StringWriter text = new StringWriter();
        try {
            status.store(text, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        replace(directory.resolve(STATUS), text.toString());
    }

    /** Gives a file another content, so that a reader sees the whole of the old one or of the new one. */
    static void replace(Path file, String content) {
        try {
            Path draft = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), content);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
