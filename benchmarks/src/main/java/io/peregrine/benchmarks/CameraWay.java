package io.peregrine.benchmarks;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Frames of {@code camera.c}, which sends them to a multicast group: one receiver controls it, others listen. */
final class CameraWay {
    static final String GROUP = "239.192.9.2:40457";
    static final int WIDTH = 2000;

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int PAGE = 1024;

    private CameraWay() {}

    /** Takes what is seen of a frame. */
    interface Taker {
        void take(boolean good, long madeNanos);
    }

    static void receive(String address, boolean control, int packetBytes, Taker taker, AtomicLong lost) {
        DiscoveryInformation info =
                DeviceFactory.create(PeregrineSettings.load()).await(address + ":" + GvspPictures.PORT, LIMIT);
        if (control) {
            info.setParameter("StreamDestination", GROUP);
            info.setParameter("PacketSize", Integer.toString(packetBytes));
        } else {
            info.setParameter("AccessMode", "ReadOnly");
        }
        try (Device device = DeviceFactory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            while (true) {
                if (!(stream.waitFor(LIMIT) instanceof WaitResult.Ok ok)) {
                    throw new IllegalStateException("No frame came: " + stream.statistics());
                }
                try (Composite composite = ok.composite()) {
                    taker.take(
                            composite.complete()
                                    && asMade(composite.parts().get(0).data()),
                            composite.timestamp());
                }
                lost.set(stream.statistics().framesLost());
            }
        }
    }

    /** Whether a pixel of each KiB is that of the camera. */
    private static boolean asMade(ByteBuffer pixels) {
        for (int i = 0; i < pixels.remaining(); i += PAGE) {
            if (pixels.get(pixels.position() + i) != (byte) (i % WIDTH + i / WIDTH)) {
                return false;
            }
        }
        return true;
    }
}
