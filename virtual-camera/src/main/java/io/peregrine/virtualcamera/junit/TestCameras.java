package io.peregrine.virtualcamera.junit;

import io.peregrine.virtualcamera.Content;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.ScenarioBuilder;
import io.peregrine.virtualcamera.StreamPayload;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts cameras as annotations describe them, each at its own address where the host has 127.0.0.0/8. */
final class TestCameras {
    private static final int FIRST_NETWORK = 128;
    private static final int NETWORKS = 64;

    /** Two programs that test at the same time mostly have separate networks; free ports serve the others. */
    private static final int NETWORK =
            FIRST_NETWORK + (int) (ProcessHandle.current().pid() % NETWORKS);

    private static final AtomicInteger STARTED = new AtomicInteger();

    private TestCameras() {}

    static VirtualCamera start(GevCamera annotation) {
        return VirtualCamera.start(
                scenario(annotation).bindAddress(freeAddress()).port(0).build());
    }

    /** Everything but the address. */
    static ScenarioBuilder scenario(GevCamera annotation) {
        Scenario base = Scenario.parse(annotation.scenario().isEmpty() ? "{}" : annotation.scenario());
        ScenarioBuilder builder = base.toBuilder();
        int width = annotation.width() == 0 ? base.width() : annotation.width();
        int height = annotation.height() == 0 ? base.height() : annotation.height();
        builder.size(width, height)
                .sensorSize(Math.max(base.sensorWidth(), width), Math.max(base.sensorHeight(), height));
        if (!annotation.serial().isEmpty()) {
            builder.serial(annotation.serial());
        }
        if (!annotation.userName().isEmpty()) {
            builder.userName(annotation.userName());
        }
        if (annotation.frameRate() != 0) {
            builder.frameRate(annotation.frameRate());
        }
        if (!annotation.pixelFormat().isEmpty()) {
            builder.pixelFormat(annotation.pixelFormat());
        }
        if (annotation.components().length > 0) {
            builder.components(Set.of(annotation.components()));
        }
        if (annotation.content() != Content.COMPONENTS) {
            builder.content(annotation.content());
        }
        if (annotation.payload() != StreamPayload.AUTOMATIC) {
            builder.payload(annotation.payload());
        }
        if (annotation.flows() != Scenario.Flows.SINGLE) {
            builder.flows(annotation.flows());
        }
        if (!annotation.rdmaProvider().isEmpty()) {
            builder.rdmaProvider(annotation.rdmaProvider());
        }
        if (!annotation.faults().isEmpty()) {
            builder.faults(
                    Scenario.parse("{\"faults\": " + annotation.faults() + "}").faults());
        }
        return builder;
    }

    private static InetAddress freeAddress() {
        int number = STARTED.getAndIncrement();
        byte[] own = {127, (byte) NETWORK, (byte) (number / 254), (byte) (number % 254 + 1)};
        try {
            InetAddress address = InetAddress.getByAddress(own);
            try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(address, 0))) {
                return probe.getLocalAddress();
            } catch (IOException e) {
                // Some systems have one address of the loopback network only.
                return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
