package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoverFlags;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;

/**
 * A whole session for a capture: discovery, control, an image stream and a GenDC stream, both with lost packets that
 * come again. Prints what happened as {@code name=value}.
 */
final class CapturedSessionMain {
    static final String SERIAL = "CAPTURE1";
    static final int WIDTH = 160;
    static final int HEIGHT = 96;
    static final int FRAMES = 40;
    static final int PACKET_SIZE_BYTES = 1500;

    private CapturedSessionMain() {}

    public static void main(String[] arguments) {
        Scenario scenario = Scenario.builder()
                .serial(SERIAL)
                .userName("on record")
                .size(WIDTH, HEIGHT)
                .frameRate(50)
                .flows(Scenario.Flows.PER_COMPONENT)
                .resendBlocks(32)
                .build();
        try (VirtualCamera camera = VirtualCamera.start(scenario)) {
            DiscoveryInformation info = DeviceFactory.discover(DiscoverFlags.FIND_ALL, Duration.ofMillis(500))
                    .get(0)
                    .setParameter("PacketSize", Integer.toString(PACKET_SIZE_BYTES));
            camera.faults().seed(11).lossPerMille(20);
            stream(info, "Image");
            stream(info, "GenDC");
            System.out.println("lost=" + camera.statistics().packetsLostByFault());
            System.out.println("sent=" + camera.statistics().packetsSent());
            System.out.println("resendRequests=" + camera.statistics().resendRequests());
            System.out.println("resent=" + camera.statistics().packetsResent());
        }
    }

    private static void stream(DiscoveryInformation info, String payload) {
        info.setParameter("Payload", payload);
        try (Device device = DeviceFactory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            device.nodes().floating("ExposureTime").set(2500);
            stream.start();
            System.out.println("port" + payload + "="
                    + device.nodes().integer("GevSCPHostPort").value());
            int good = 0;
            for (int frame = 0; frame < FRAMES; frame++) {
                if (stream.waitFor(Duration.ofSeconds(5)) instanceof WaitResult.Ok ok) {
                    try (Composite composite = ok.composite()) {
                        good += composite.complete() && PatternCheck.badBytes(composite) == 0 ? 1 : 0;
                    }
                }
            }
            stream.stop();
            System.out.println("good" + payload + "=" + good);
        }
    }
}
