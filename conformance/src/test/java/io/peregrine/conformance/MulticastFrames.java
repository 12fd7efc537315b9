package io.peregrine.conformance;

import io.peregrine.cli.PeregrineMain;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.NetworkNamespace;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A virtual camera that is published to a multicast group, and its consumers, each on a host at a virtual switch. */
final class MulticastFrames {
    static final String GROUP = "239.192.78.1";
    private static final String ROUTE = GROUP + ":40456";
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final NetworkNamespace.Switch network;
    private final String stream;

    /**
     * On a network.
     *
     * @param stream serial number of the camera, the name of its stream
     */
    MulticastFrames(NetworkNamespace.Switch network, String stream) {
        this.network = network;
        this.stream = stream;
    }

    /** Starts the camera, which sends 30 frames of 310 kB a second, and its publisher; returns when that publishes. */
    ChildProcess publish(int camera, int publisher, String... more) {
        String address = NetworkNamespace.Switch.address(camera);
        CameraProcess.virtual(network.host(camera), address, "--serial", stream, "--size", "320x240", "--rate", "30");
        ChildProcess started = network.host(publisher)
                .start(ChildProcess.java(
                        List.of(at(publisher)),
                        PeregrineMain.class.getName(),
                        Stream.concat(Stream.of("publish", address, "--to", ROUTE, "--mtu", "8928"), Stream.of(more))
                                .toList()));
        started.awaitLine("publisher", LIMIT, line -> line.contains("publishing " + stream));
        return started;
    }

    /** Starts a consumer that takes a number of whole frames. */
    ChildProcess consumer(int host, String frames, String whenSlow) {
        return network.host(host)
                .start(ChildProcess.java(
                        List.of(
                                at(host),
                                "-Ddistribution.routes=" + ROUTE,
                                "-Ddistribution.discoveryWindow=60s",
                                "-Ddistribution.whenSlow=" + whenSlow),
                        PublishedFramesMain.class.getName(),
                        List.of(stream, frames)));
    }

    private static String at(int host) {
        return "-Ddistribution.interface=" + NetworkNamespace.Switch.address(host);
    }
}
