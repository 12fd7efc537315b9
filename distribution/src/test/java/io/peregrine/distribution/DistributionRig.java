package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.testing.Await;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/** Publishers and consumers of a test, and the settings under which they find each other; all of it ends with it. */
final class DistributionRig {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Map<String, String> before = new LinkedHashMap<>();

    DistributionRig() {
        set(DistributionSettings.DISCOVERY_WINDOW, "20s");
    }

    /** Sets a system property until the end. */
    void set(String key, String value) {
        before.putIfAbsent(key, System.getProperty(key, ""));
        System.setProperty(key, value);
    }

    /** A route on which this program also looks for streams. */
    String route(String text) {
        set(DistributionSettings.ROUTES, text);
        return text;
    }

    <T extends AutoCloseable> T keep(T resource) {
        open.push(resource);
        return resource;
    }

    FramePublisher publisher(PublisherSettings settings) {
        return keep(FramePublisher.start(settings.withFrameBytes(1 << 16)));
    }

    CompositeStream consumer(String name) {
        Device device = keep(DeviceFactory.open("aeron:" + name));
        CompositeStream stream = keep(device.stream(CompositeStream.class, 0));
        stream.start();
        return stream;
    }

    static void awaitConsumers(FramePublisher publisher) {
        Await.until("consumer", PATIENCE, publisher::connected);
    }

    static Composite next(CompositeStream stream) {
        return assertInstanceOf(WaitResult.Ok.class, stream.waitFor(PATIENCE)).composite();
    }

    /** Publishes a frame and waits until it is sent. */
    static void send(FramePublisher publisher, long id) {
        long already = publisher.statistics().framesPublished();
        try (Composite frame = Containers.frame(id, 200, 150)) {
            assertTrue(publisher.publish(frame), () -> "frame " + id + " of " + publisher);
        }
        Await.until("sent frame", PATIENCE, () -> publisher.statistics().framesPublished() > already);
    }

    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        before.forEach((key, value) -> {
            if (value.isEmpty()) {
                System.clearProperty(key);
            } else {
                System.setProperty(key, value);
            }
        });
    }
}
