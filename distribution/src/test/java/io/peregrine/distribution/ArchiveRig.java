package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.distribution.archive.ArchiveCatalog;
import io.peregrine.distribution.archive.ArchivedRecording;
import io.peregrine.recording.Camera;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.FreePort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** A publisher, an archive and consumers in this program, which share its media driver. */
final class ArchiveRig implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final int WIDTH = 200;
    static final int HEIGHT = 150;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final String route;

    /**
     * Settings for all in this program.
     *
     * @param kind {@code ipc} or {@code udp}
     */
    ArchiveRig(Path directory, String kind) {
        boolean ipc = kind.equals("ipc");
        route = ipc ? "ipc" : "from:127.0.0.1:" + FreePort.next();
        set(DistributionSettings.ROUTES, route);
        set(DistributionSettings.DISCOVERY_WINDOW, "30s");
        set(DistributionSettings.TERM, "64k");
        set(DistributionSettings.SLOW, "wait");
        set(ArchiveSettings.ADDRESS, ipc ? "ipc" : "127.0.0.1:" + FreePort.next());
        set(ArchiveSettings.DIRECTORY, directory.toString());
        set(ArchiveSettings.SEGMENT, "64k");
        set(ArchiveSettings.FREE, "0");
    }

    void set(String key, String value) {
        System.setProperty(key, value);
        keys.add(key);
    }

    <T extends AutoCloseable> T keep(T resource) {
        open.add(resource);
        return resource;
    }

    FramePublisher publisher(String name) {
        return keep(FramePublisher.start(PublisherSettings.of(name, route)
                .withFrameBytes(1 << 16)
                .withCamera(new Camera(Map.of("DeviceSerialNumber", "A-1"), "", Optional.empty(), Optional.empty()))));
    }

    RecordingService recorder() {
        return recorder(Optional.empty());
    }

    RecordingService recorder(Optional<LongSupplier> usableBytes) {
        return keep(RecordingService.start(DistributionSettings.load(), List.of(), usableBytes));
    }

    /**
     * A recorder in a process of its own.
     *
     * @param others settings that are different there
     */
    ChildProcess archiveProcess(Map<String, String> others) {
        Map<String, String> settings = new LinkedHashMap<>();
        keys.forEach(key -> settings.put(key, System.getProperty(key)));
        settings.putAll(others);
        List<String> options = new ArrayList<>();
        settings.forEach((key, value) -> options.add("-D" + key + "=" + value));
        ChildProcess child =
                keep(ChildProcess.start(ChildProcess.java(options, ArchiveProcess.class.getName(), List.of())));
        child.awaitLine("start of the archive", PATIENCE, line -> line.equals("recording"));
        return child;
    }

    CompositeStream started(String token) {
        Device device = keep(DeviceFactory.open("aeron:" + token));
        CompositeStream stream = keep(device.stream(CompositeStream.class, 0));
        stream.start();
        return stream;
    }

    /** Sends frames, each when the one before is under way. */
    static void send(FramePublisher publisher, long first, long last) {
        Await.until("consumer", PATIENCE, publisher::connected);
        for (long id = first; id <= last; id++) {
            long before = publisher.statistics().framesPublished();
            try (Composite frame = Containers.frame(id, WIDTH, HEIGHT)) {
                assertTrue(publisher.publish(frame), () -> "frame of " + publisher);
            }
            Await.until("sent frame", PATIENCE, () -> publisher.statistics().framesPublished() > before);
        }
    }

    static Composite next(CompositeStream stream) {
        WaitResult result = stream.waitFor(PATIENCE);
        return assertInstanceOf(WaitResult.Ok.class, result, () -> stream.statistics() + " " + stream.diagnosis())
                .composite();
    }

    /** The next frames are these, with every byte. */
    static void expect(CompositeStream stream, long first, long last) {
        for (long id = first; id <= last; id++) {
            try (Composite received = next(stream);
                    Composite sent = Containers.frame(id, WIDTH, HEIGHT)) {
                assertEquals(Containers.describe(sent), Containers.describe(received));
            }
        }
    }

    /** The next frames have the pixels of these; the device's own numbers may differ. */
    static void expectPixels(CompositeStream stream, long first, long last) {
        for (long id = first; id <= last; id++) {
            try (Composite received = next(stream);
                    Composite sent = Containers.frame(id, WIDTH, HEIGHT)) {
                assertEquals(sent.parts().get(0).data(), received.parts().get(0).data());
            }
        }
    }

    List<ArchivedRecording> recordings() {
        try (ArchiveCatalog catalog = AeronStreams.archive(DistributionSettings.load())) {
            return catalog.recordings();
        }
    }

    /** Waits until the newest recording holds a frame. */
    void awaitRecorded(long frame) {
        Await.until("recorded frame " + frame, PATIENCE, () -> {
            List<ArchivedRecording> all = recordings();
            return !all.isEmpty() && all.get(all.size() - 1).lastFrame().orElse(0L) >= frame;
        });
    }

    /** Closes one part now. */
    void close(AutoCloseable part) {
        open.remove(part);
        quit(part);
    }

    private static void quit(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        try {
            for (int i = open.size() - 1; i >= 0; i--) {
                quit(open.get(i));
            }
        } finally {
            keys.forEach(System::clearProperty);
        }
    }
}
