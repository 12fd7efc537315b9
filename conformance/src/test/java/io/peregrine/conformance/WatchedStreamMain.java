package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import java.time.Duration;

/**
 * Streams from the camera whose name is given until it is ended, and says after every few whole frames what came so
 * far, in one line of NAME=NUMBER.
 */
final class WatchedStreamMain {
    private static final Duration FIND_LIMIT = Duration.ofSeconds(30);
    private static final Duration FRAME_LIMIT = Duration.ofSeconds(20);
    private static final int FRAMES_A_LINE = 5;
    /** Ids further ahead are none of the camera's. */
    private static final long FURTHEST = 300;

    private long first;
    private long last;
    private long delivered;
    private long complete;
    private long bad;

    private WatchedStreamMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        DiscoveryInformation info =
                DeviceFactory.create(PeregrineSettings.load()).await(arguments[0], FIND_LIMIT);
        info.setParameter("Payload", "Image").setParameter("FlowSetCount", "16");
        try (Device device = DeviceFactory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            device.events().enable("ExposureEnd");
            stream.start();
            new WatchedStreamMain().watch(device, stream);
        }
    }

    private void watch(Device device, CompositeStream stream) throws InterruptedException {
        WaitResult result = stream.waitFor(FRAME_LIMIT);
        while (result instanceof WaitResult.Ok ok) {
            try (Composite frame = ok.composite()) {
                look(frame);
                if (frame.complete() && complete % FRAMES_A_LINE == 0) {
                    System.out.println(line(device, stream.statistics()));
                }
            }
            result = stream.waitFor(FRAME_LIMIT);
        }
        System.out.println("ended: " + result);
    }

    private void look(Composite frame) {
        delivered++;
        if (!frame.complete()) {
            return;
        }
        complete++;
        bad += PatternCheck.badBytes(frame);
        long id = frame.blockId();
        first = first == 0 ? id : first;
        if (last == 0 || (id > last && id - last < FURTHEST)) {
            last = id;
        }
    }

    private String line(Device device, StreamStatistics counters) {
        StringBuilder line = new StringBuilder("seen first=" + first + " last=" + last + " delivered=" + delivered
                + " complete=" + complete + " bad=" + bad + " lost=" + counters.framesLost()
                + " damaged=" + (counters.get(Counter.FRAMES_INCOMPLETE) + counters.framesLost())
                + " EVENTS_FOREIGN=" + device.events().statistics().foreign()
                + " EVENTS_FOREIGN_PORT=" + device.events().statistics().foreignPort());
        for (Counter counter : Counter.values()) {
            line.append(" ").append(counter).append("=").append(counters.get(counter));
        }
        return line.toString();
    }
}
