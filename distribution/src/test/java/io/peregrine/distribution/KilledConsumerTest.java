package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.FreePort;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A consumer that must have each frame, in a process of its own that is killed, and another that goes on. */
@Timeout(120)
class KilledConsumerTest {
    private static final String NAME = "line";
    /** More than fit between the publisher and a consumer. */
    private static final int MANY_FRAMES = 200;

    private final DistributionRig rig = new DistributionRig();
    private FramePublisher publisher;
    private CompositeStream other;
    private long given;

    @AfterEach
    void end() throws Exception {
        rig.close();
    }

    private void publish() {
        try (Composite frame = Containers.frame(++given, 200, 150)) {
            publisher.publish(frame);
        }
        if (other.waitFor(Duration.ZERO) instanceof WaitResult.Ok ok) {
            ok.composite().close();
        }
    }

    private boolean isWaitedFor() {
        return publisher.diagnosis().stream().anyMatch(text -> text.contains("has not been heard for"));
    }

    @Test
    void itIsNamedWhileThePublisherWaitsForItAndThenTheOtherGoesOn() {
        String route = rig.route("from:127.0.0.1:" + FreePort.next());
        DistributionSettings settings = DistributionSettings.load()
                .with(DistributionSettings.TERM, "1m")
                .with(DistributionSettings.GONE_AFTER, "5s");
        publisher = rig.publisher(PublisherSettings.of(NAME, route)
                .withCloseTimeout(Duration.ofMillis(100))
                .withDistribution(settings));
        other = rig.consumer(NAME);
        ChildProcess killed = rig.keep(ChildProcess.start(ChildProcess.java(
                List.of(
                        "-D" + DistributionSettings.ROUTES + "=" + route,
                        "-D" + DistributionSettings.SLOW + "=wait",
                        "-D" + DistributionSettings.DISCOVERY_WINDOW + "=30s"),
                ConsumerProcess.class.getName(),
                List.of(NAME))));
        Await.until("frame at both", DistributionRig.PATIENCE, () -> {
            publish();
            return publisher.consumers().stream()
                            .filter(one -> one.framesReceived() > 0)
                            .count()
                    == 2;
        });
        killed.kill();
        Await.until("name of the killed consumer", DistributionRig.PATIENCE, () -> {
            publish();
            return isWaitedFor();
        });
        Await.until("end of the wait", DistributionRig.PATIENCE, () -> {
            publish();
            return !isWaitedFor();
        });
        long before = other.statistics().get(Counter.FRAMES_COMPLETE);
        Await.until("frames after it", DistributionRig.PATIENCE, () -> {
            publish();
            return other.statistics().get(Counter.FRAMES_COMPLETE) > before + MANY_FRAMES;
        });
        assertEquals(
                1,
                publisher.consumers().stream()
                        .filter(one -> one.framesHeldUp() > 0)
                        .count(),
                () -> publisher.consumers() + ", " + publisher);
    }
}
