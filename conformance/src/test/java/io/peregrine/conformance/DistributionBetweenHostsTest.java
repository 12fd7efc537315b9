package io.peregrine.conformance;

import static io.peregrine.conformance.PublishedFramesReport.allOf;
import static io.peregrine.conformance.PublishedFramesReport.count;
import static io.peregrine.conformance.PublishedFramesReport.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
 * A camera with RDMA, a publisher and consumers on separate hosts: one must have all frames, one has to over a network
 * that loses one packet in a hundred, one is stopped for seconds, one is killed, and another comes late.
 */
@EnabledIfPeers({"iptables", "kill"})
@Timeout(360)
class DistributionBetweenHostsTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int CAMERA = 1;
    private static final int PUBLISHER = 2;
    private static final int STEADY = 3;
    private static final int LOSSY = 4;
    private static final int STOPPED = 5;
    private static final String ROUTE = "from:" + NetworkNamespace.Switch.address(PUBLISHER) + ":40456";
    private static final String RATE = "60";
    private static final String FRAMES = "1000";
    /** Those of ten seconds, in which another consumer is stopped. */
    private static final String FRAMES_LATE = "600";

    private static final String FRAMES_STOPPED = "150";
    /** A busy host may hold up the publisher for seconds. */
    private static final String FLOW_SETS = "400";

    private static final String WINDOW = "-Ddistribution.window=4m";

    private static NetworkNamespace.Switch network;
    private static String published;
    private static String steady;
    private static String lossy;
    private static String stopped;
    private static String late;

    @BeforeAll
    static void distributeFrames() {
        network = NetworkNamespace.Switch.connecting(STOPPED);
        CameraProcess.virtual(
                network.host(CAMERA),
                NetworkNamespace.Switch.address(CAMERA),
                "--rdma=software",
                "--serial",
                "PUB-9",
                "--size",
                "320x240",
                "--rate",
                RATE);
        network.lose(LOSSY, 0.01);
        ChildProcess publisher = network.host(PUBLISHER)
                .start(ChildProcess.java(
                        List.of(WINDOW),
                        PeregrineMain.class.getName(),
                        List.of(
                                "publish",
                                NetworkNamespace.Switch.address(CAMERA),
                                "--to",
                                ROUTE,
                                "--mtu",
                                "8928",
                                "--param",
                                "UseRdma=require",
                                "--param",
                                "FlowSetCount=" + FLOW_SETS)));
        publisher.awaitLine("publisher", LIMIT, line -> line.contains("publishing PUB-9"));
        ChildProcess steadily = consumer(STEADY, FRAMES, "wait");
        ChildProcess lossily = consumer(LOSSY, FRAMES, "wait");
        ChildProcess stopping = consumer(STOPPED, FRAMES_STOPPED, "drop");
        ChildProcess killed = consumer(STEADY, FRAMES, "drop");
        for (ChildProcess one : List.of(steadily, lossily, stopping, killed)) {
            one.awaitLine("frame", LIMIT, line -> line.startsWith("first "));
        }
        killed.kill();
        signal(stopping, "-STOP");
        late = consumer(STEADY, FRAMES_LATE, "wait").succeeds(LIMIT);
        signal(stopping, "-CONT");
        stopped = stopping.succeeds(LIMIT);
        steady = steadily.succeeds(LIMIT);
        lossy = lossily.succeeds(LIMIT);
        publisher.terminate();
        publisher.awaitEnd(LIMIT);
        published = publisher.output();
    }

    private static ChildProcess consumer(int host, String frames, String whenSlow) {
        return network.host(host)
                .start(ChildProcess.java(
                        List.of(
                                WINDOW,
                                "-Ddistribution.routes=" + ROUTE,
                                "-Ddistribution.discoveryWindow=60s",
                                "-Ddistribution.whenSlow=" + whenSlow),
                        PublishedFramesMain.class.getName(),
                        List.of("PUB-9", frames)));
    }

    private static void signal(ChildProcess child, String signal) {
        ChildProcess.run(LIMIT, "kill", signal, Long.toString(child.pid()));
    }

    @AfterAll
    static void removeNamespaces() {
        network.close();
    }

    @Test
    void aConsumerHasEveryByteOfEachFrameWhateverHappensToOthers() {
        assertEquals(allOf(FRAMES), result(steady));
    }

    @Test
    void lostPacketsAreSentAgain() {
        assertEquals(allOf(FRAMES), result(lossy));
    }

    @Test
    void aLateConsumerLosesNothing() {
        assertEquals(allOf(FRAMES_LATE), result(late));
    }

    @Test
    void whatAStoppedConsumerMissedIsCounted() {
        assertEquals(0, count(stopped, "bad bytes"), stopped);
        assertEquals(count(stopped, "lost"), count(stopped, "missing"), stopped);
    }

    @Test
    void aStoppedConsumerReportsWhyItMissedFrames() {
        assertEquals(1, count(stopped, "joins"), stopped);
        assertTrue(stopped.contains("diagnosis 1 times this program was cut off and joined again"), stopped);
    }

    @Test
    void theCameraLosesNothing() {
        assertEquals(0, count(published, "frames lost"), published);
        assertEquals(0, count(published, "frames incomplete"), published);
    }

    @Test
    void thePublisherDropsNoFrameBecauseOfAConsumer() {
        assertEquals(0, count(published, "dropped, consumers slow"), published);
    }
}
