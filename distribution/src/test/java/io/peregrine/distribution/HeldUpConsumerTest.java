package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.composite.Composite;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.FreePort;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A consumer in a process of its own that stands still while its publisher ends. Costs three seconds each. */
@Timeout(120)
class HeldUpConsumerTest {
    private static final String NAME = "line";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** More than a socket holds. */
    private static final int FRAMES = 100;

    private final DistributionRig rig = new DistributionRig();

    @AfterEach
    void end() throws Exception {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void itGetsTheEndOnceItGoesOn(boolean shared) {
        String route = rig.route("from:127.0.0.1:" + FreePort.next());
        FramePublisher publisher = rig.publisher(PublisherSettings.of(NAME, route)
                .withShared(shared)
                .withQueueFrames(FRAMES)
                .withCloseTimeout(LIMIT));
        ChildProcess consumer = rig.keep(ChildProcess.start(ChildProcess.java(
                List.of("-D" + DistributionSettings.ROUTES + "=" + route, "-D" + DistributionSettings.SLOW + "=wait"),
                ConsumerProcess.class.getName(),
                List.of(NAME))));
        Await.until("consumer", LIMIT, publisher::connected);
        consumer.suspend();
        // Longer than a publisher waits for consumers that do not report, and less than until one is cut off.
        CompletableFuture<Void> goesOn = CompletableFuture.runAsync(
                consumer::resume, CompletableFuture.delayedExecutor(1500, TimeUnit.MILLISECONDS));
        for (long id = 1; id <= FRAMES; id++) {
            try (Composite frame = Containers.frame(id, 200, 150)) {
                publisher.publish(frame);
            }
        }
        publisher.close();
        goesOn.join();
        assertEquals(0, consumer.awaitEnd(LIMIT), consumer::output);
        assertEquals(FRAMES, consumer.output().lines().filter("frame"::equals).count(), consumer::output);
    }
}
