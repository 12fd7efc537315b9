package io.peregrine.conformance;

import io.peregrine.testing.Await;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Testcontainers;

/** A camera with RDMA, the host that receives and publishes it, and consumers, each in a container of its own. */
@EnabledIfDocker
@Testcontainers(disabledWithoutDocker = true)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class DistributionInContainersTest extends DistributionPromises {
    private static final int PUBLISHER = 50;
    private static final String STREAM = "PUB-7";

    private static CameraNetwork network;
    private static String route;
    private static Outcome outcome;

    @BeforeAll
    static void distributeFrames() {
        network = new CameraNetwork();
        String address = network.address(PUBLISHER);
        route = "from:" + address + ":40456";
        GenericContainer<?> camera = network.virtualCamera(STREAM, "--rdma=software", "--size", "160x120");
        GenericContainer<?> publisher = network.startAt(
                address,
                ContainerImages.peregrine(),
                Stream.concat(
                                Stream.of(WINDOW, "io.peregrine.cli.PeregrineMain"),
                                publish(network.address(camera), route).stream())
                        .toArray(String[]::new));
        awaitLine(publisher, "publishing " + STREAM);
        program("wait", FrameAskerMain.class, network.address(camera));
        GenericContainer<?> steadily = consumer(FRAMES, "wait");
        GenericContainer<?> lossily = consumer(FRAMES, "wait");
        network.lose(lossily, LOSS);
        GenericContainer<?> pausing = consumer(FRAMES_STOPPED, "drop");
        GenericContainer<?> killed = consumer(FRAMES, "drop");
        for (GenericContainer<?> one : List.of(steadily, lossily, pausing, killed)) {
            awaitLine(one, "first ");
        }
        network.stop(killed);
        network.pause(pausing);
        String late = awaitLine(consumer(FRAMES_LATE, "wait"), "whole ");
        network.unpause(pausing);
        String paused = awaitLine(pausing, "whole ");
        String steady = awaitLine(steadily, "whole ");
        String lossy = awaitLine(lossily, "whole ");
        network.terminate(publisher);
        outcome = new Outcome(awaitLine(publisher, "cut off"), steady, lossy, paused, late);
    }

    private static GenericContainer<?> consumer(String frames, String whenSlow) {
        return program(whenSlow, PublishedFramesMain.class, frames);
    }

    /** A program that takes frames of the stream. */
    private static GenericContainer<?> program(String whenSlow, Class<?> main, String argument) {
        return network.start(
                ContainerImages.peregrine(),
                Stream.concat(consumerOptions(route, whenSlow).stream(), Stream.of(main.getName(), STREAM, argument))
                        .toArray(String[]::new));
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

    @Override
    Outcome outcome() {
        return outcome;
    }
}
