package io.peregrine.conformance;

import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DeviceRegisters;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import java.time.Duration;

/** Receives a camera's stream and prints its packet size before, meanwhile and afterwards. */
final class PacketSizeMain {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int FRAMES = 5;

    private PacketSizeMain() {}

    /** Arguments: address of the camera, PacketSize. */
    public static void main(String[] arguments) {
        Devices factory =
                DeviceFactory.create(PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
        DiscoveryInformation info = factory.await(arguments[0], LIMIT)
                .setParameter("PacketSize", arguments[1])
                .setParameter("ResendTries", "100")
                .setParameter("FrameRetention", "10s");
        int before = size(factory, info);
        int meanwhile;
        long badBytes;
        try (Device device = factory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            meanwhile = size(factory, info);
            badBytes = WholeFrames.take(stream, FRAMES, LIMIT).badBytes();
        }
        System.out.println("before " + before + ", meanwhile " + meanwhile + ", afterwards " + size(factory, info)
                + ", bad bytes " + badBytes);
    }

    /** As the register SCPS of the first channel says. */
    private static int size(Devices factory, DiscoveryInformation info) {
        try (DeviceRegisters registers = factory.openRegisters(info)) {
            return registers.read(0x0D04) & 0xFFFF;
        }
    }
}
