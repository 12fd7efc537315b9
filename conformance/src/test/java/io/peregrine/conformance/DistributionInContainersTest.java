package io.peregrine.conformance;

import static io.peregrine.conformance.PublishedFramesReport.allOf;
import static io.peregrine.conformance.PublishedFramesReport.count;
import static io.peregrine.conformance.PublishedFramesReport.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Await;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Testcontainers;

/**
 * A camera with RDMA, the host that receives and publishes it, and consumers, each in a container of its own: one of
 * them loses a packet in a hundred, one is paused for ten seconds, one is killed, and another comes late.
 */
@EnabledIfDocker
@Testcontainers(disabledWithoutDocker = true)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class DistributionInContainersTest {
    private static final int PUBLISHER = 50;
    private static final String MAIN = "io.peregrine.cli.PeregrineMain";
    private static final String RATE = "60";
    private static final String FRAMES = "1000";
    /** Those of ten seconds, in which another consumer is paused. */
    private static final String FRAMES_LATE = "600";

    private static final String FRAMES_PAUSED = "600";
    /** A busy host may hold up the publisher for seconds. */
    private static final String FLOW_SETS = "400";

    private static final String WINDOW = "-Ddistribution.window=4m";

    private static CameraNetwork network;
    private static String route;
    private static String published;
    private static String steady;
    private static String lossy;
    private static String paused;
    private static String late;

    @BeforeAll
    static void distributeFrames() {
        network = new CameraNetwork();
        String address = network.address(PUBLISHER);
        route = "from:" + address + ":40456";
        GenericContainer<?> camera =
                network.virtualCamera("PUB-7", "--rdma=software", "--size", "160x120", "--rate", RATE);
        GenericContainer<?> publisher = network.startAt(
                address,
                ContainerImages.peregrine(),
                WINDOW,
                MAIN,
                "publish",
                network.address(camera),
                "--to",
                route,
                "--param",
                "UseRdma=require",
                "--param",
                "FlowSetCount=" + FLOW_SETS);
        awaitLine(publisher, "publishing PUB-7");
        GenericContainer<?> steadily = consumer(FRAMES, "wait");
        GenericContainer<?> lossily = consumer(FRAMES, "wait");
        network.lose(lossily, 0.01);
        GenericContainer<?> pausing = consumer(FRAMES_PAUSED, "drop");
        GenericContainer<?> killed = consumer(FRAMES, "drop");
        for (GenericContainer<?> one : List.of(steadily, lossily, pausing, killed)) {
            awaitLine(one, "first ");
        }
        network.stop(killed);
        network.pause(pausing);
        late = awaitLine(consumer(FRAMES_LATE, "wait"), "whole ");
        network.unpause(pausing);
        paused = awaitLine(pausing, "whole ");
        steady = awaitLine(steadily, "whole ");
        lossy = awaitLine(lossily, "whole ");
        network.terminate(publisher);
        published = awaitLine(publisher, "cut off");
    }

    private static GenericContainer<?> consumer(String frames, String whenSlow) {
        return network.start(
                ContainerImages.peregrine(),
                WINDOW,
                "-Ddistribution.routes=" + route,
                "-Ddistribution.discoveryWindow=60s",
                "-Ddistribution.whenSlow=" + whenSlow,
                PublishedFramesMain.class.getName(),
                "PUB-7",
                frames);
    }

    /** All that a host has said as soon as a line has this in it. */
    private static String awaitLine(GenericContainer<?> host, String part) {
        Await.until(
                "'" + part + "'",
                CameraNetwork.LIMIT,
                () -> host.getLogs().lines().anyMatch(line -> line.contains(part)),
                host::getLogs);
        return host.getLogs();
    }

    @AfterAll
    static void removeNetwork() {
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
    void whatAPausedConsumerMissedIsCounted() {
        assertTrue(count(paused, "missing") > 0, paused);
        assertEquals(count(paused, "lost"), count(paused, "missing"), paused);
    }

    @Test
    void theCameraLosesNothing() {
        assertEquals(0, count(published, "frames lost"), published);
    }

    @Test
    void thePublisherDropsNoFrameBecauseOfAConsumer() {
        assertEquals(0, count(published, "dropped, consumers slow"), published);
    }
}
