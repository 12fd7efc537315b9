package io.peregrine.conformance;

import static io.peregrine.conformance.PublishedFramesReport.allOf;
import static io.peregrine.conformance.PublishedFramesReport.count;
import static io.peregrine.conformance.PublishedFramesReport.result;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A camera is published to a multicast group. While a viewer is stopped, with its media driver, a recorder that must
 * have each frame and a consumer that may drop some take theirs, which is many times the viewer's window.
 */
@EnabledIfPeers("kill")
@Timeout(240)
class StoppedViewerTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int CAMERA = 1;
    private static final int PUBLISHER = 2;
    private static final int RECORDER = 3;
    private static final int OTHER = 4;
    private static final int VIEWER = 5;
    /**
     * Frames of 310 kB for 10 s: 88 windows. No more a second than programs that have just started carry: what one that
     * is waited for has left to catch up comes faster than any that nothing waits for can take.
     */
    private static final String FRAMES = "300";
    /** Those of 3 s, for which a busy host may hold up the publisher; a viewer that is waited for does so for 5 s. */
    private static final String FLOW_SETS = "90";

    private static NetworkNamespace.Switch network;
    private static String published;
    private static String recorded;
    private static String dropping;
    private static String viewed;

    @BeforeAll
    static void stopTheViewer() {
        network = NetworkNamespace.Switch.connecting(VIEWER);
        MulticastFrames frames = new MulticastFrames(network, "VIEW-1");
        ChildProcess publisher = frames.publish(CAMERA, PUBLISHER, "--param", "FlowSetCount=" + FLOW_SETS);
        ChildProcess recorder = frames.consumer(RECORDER, FRAMES, "wait");
        ChildProcess other = frames.consumer(OTHER, FRAMES, "drop");
        ChildProcess viewer = frames.consumer(VIEWER, FRAMES, "drop");
        for (ChildProcess one : List.of(recorder, other, viewer)) {
            one.awaitLine("frame", LIMIT, line -> line.startsWith("first "));
        }
        viewer.suspend();
        recorded = recorder.succeeds(LIMIT);
        dropping = other.succeeds(LIMIT);
        viewer.resume();
        viewed = viewer.succeeds(LIMIT);
        publisher.terminate();
        publisher.awaitEnd(LIMIT);
        published = publisher.output();
    }

    @AfterAll
    static void removeNamespaces() {
        network.close();
    }

    @Test
    void theRecorderHasEachFrame() {
        assertEquals(allOf(FRAMES), result(recorded), recorded);
    }

    @Test
    void theConsumerThatMayDropFramesHasEachOfThem() {
        assertEquals(allOf(FRAMES), result(dropping), dropping + published);
    }

    @Test
    void thePublisherDropsNone() {
        assertEquals(0, count(published, "dropped, consumers slow"), published);
    }

    @Test
    void theViewerJoinsAgain() {
        assertEquals(1, count(viewed, "joins"), viewed);
    }
}
