package io.peregrine.conformance;

import static io.peregrine.conformance.PublishedFramesReport.allOf;
import static io.peregrine.conformance.PublishedFramesReport.count;
import static io.peregrine.conformance.PublishedFramesReport.result;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.cli.PeregrineMain;
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
    private static final String ROUTE = "239.192.78.1:40456";
    private static final String RATE = "30";
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
        CameraProcess.virtual(
                network.host(CAMERA),
                NetworkNamespace.Switch.address(CAMERA),
                "--serial",
                "VIEW-1",
                "--size",
                "320x240",
                "--rate",
                RATE);
        ChildProcess publisher = network.host(PUBLISHER)
                .start(ChildProcess.java(
                        List.of(at(PUBLISHER)),
                        PeregrineMain.class.getName(),
                        List.of(
                                "publish",
                                NetworkNamespace.Switch.address(CAMERA),
                                "--to",
                                ROUTE,
                                "--mtu",
                                "8928",
                                "--param",
                                "FlowSetCount=" + FLOW_SETS)));
        publisher.awaitLine("publisher", LIMIT, line -> line.contains("publishing VIEW-1"));
        ChildProcess recorder = consumer(RECORDER, FRAMES, "wait");
        ChildProcess other = consumer(OTHER, FRAMES, "drop");
        ChildProcess viewer = consumer(VIEWER, FRAMES, "drop");
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

    private static String at(int host) {
        return "-Ddistribution.interface=" + NetworkNamespace.Switch.address(host);
    }

    private static ChildProcess consumer(int host, String frames, String whenSlow) {
        return network.host(host)
                .start(ChildProcess.java(
                        List.of(
                                at(host),
                                "-Ddistribution.routes=" + ROUTE,
                                "-Ddistribution.discoveryWindow=60s",
                                "-Ddistribution.whenSlow=" + whenSlow),
                        PublishedFramesMain.class.getName(),
                        List.of("VIEW-1", frames)));
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
