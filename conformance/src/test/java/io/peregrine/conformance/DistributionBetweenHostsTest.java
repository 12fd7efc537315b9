package io.peregrine.conformance;

import static io.peregrine.conformance.PublishedFramesReport.count;
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

/** A camera with RDMA, a publisher and consumers on separate hosts. */
@EnabledIfPeers({"ethtool", "iptables", "kill"})
@Timeout(360)
class DistributionBetweenHostsTest extends DistributionPromises {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int CAMERA = 1;
    private static final int PUBLISHER = 2;
    private static final int STEADY = 3;
    private static final int LOSSY = 4;
    private static final int STOPPED = 5;
    private static final String CAMERA_ADDRESS = NetworkNamespace.Switch.address(CAMERA);
    private static final String ROUTE = "from:" + NetworkNamespace.Switch.address(PUBLISHER) + ":40456";
    private static final String STREAM = "PUB-9";

    private static NetworkNamespace.Switch network;
    private static Outcome outcome;

    @BeforeAll
    static void distributeFrames() {
        network = NetworkNamespace.Switch.connecting(STOPPED);
        CameraProcess.virtual(
                network.host(CAMERA), CAMERA_ADDRESS, "--rdma=software", "--serial", STREAM, "--size", "320x240");
        network.lose(LOSSY, LOSS);
        ChildProcess publisher = network.host(PUBLISHER)
                .start(ChildProcess.java(
                        List.of(WINDOW),
                        PeregrineMain.class.getName(),
                        publish(CAMERA_ADDRESS, ROUTE, "--mtu", "8928")));
        publisher.awaitLine("publisher", LIMIT, line -> line.contains("publishing " + STREAM));
        ChildProcess asking = network.host(STEADY)
                .start(ChildProcess.java(
                        consumerOptions(ROUTE, "wait"),
                        FrameAskerMain.class.getName(),
                        List.of(STREAM, CAMERA_ADDRESS)));
        ChildProcess steadily = consumer(STEADY, FRAMES, "wait");
        ChildProcess lossily = consumer(LOSSY, FRAMES, "wait");
        ChildProcess stopping = consumer(STOPPED, FRAMES_STOPPED, "drop");
        ChildProcess killed = consumer(STEADY, FRAMES, "drop");
        for (ChildProcess one : List.of(steadily, lossily, stopping, killed)) {
            one.awaitLine("frame", LIMIT, line -> line.startsWith("first "));
        }
        killed.kill();
        stopping.suspend();
        String late = consumer(STEADY, FRAMES_LATE, "wait").succeeds(LIMIT);
        stopping.resume();
        String stopped = stopping.succeeds(LIMIT);
        String steady = steadily.succeeds(LIMIT);
        String lossy = lossily.succeeds(LIMIT);
        asking.kill();
        publisher.terminate();
        publisher.awaitEnd(LIMIT);
        outcome = new Outcome(publisher.output(), steady, lossy, stopped, late);
    }

    private static ChildProcess consumer(int host, String frames, String whenSlow) {
        return network.host(host)
                .start(ChildProcess.java(
                        consumerOptions(ROUTE, whenSlow),
                        PublishedFramesMain.class.getName(),
                        List.of(STREAM, frames)));
    }

    @AfterAll
    static void removeNamespaces() {
        network.close();
    }

    @Override
    Outcome outcome() {
        return outcome;
    }

    @Test
    void aStoppedConsumerReportsWhyItMissedFrames() {
        String stopped = outcome.stopped();
        assertEquals(1, count(stopped, "joins"), stopped);
        assertTrue(stopped.contains("diagnosis 1 times this program was cut off and joined again"), stopped);
    }
}
