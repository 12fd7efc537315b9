package io.peregrine.samples;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Action;
import io.peregrine.device.Actions;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoverFlags;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.genapi.NodeMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets all cameras that are found take frames at the same moments: their clocks follow one master by IEEE 1588, and a
 * scheduled action triggers them. Prints the skew of their frames.
 */
public final class SynchronisedStart {
    private static final int DEVICE_KEY = 0x50EE6;
    private static final int GROUP_KEY = 1;
    private static final int ALL_GROUPS = -1;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration AHEAD = Duration.ofMillis(300);

    private SynchronisedStart() {}

    private record Source(Device device, CompositeStream stream) {}

    /**
     * Runs the sample.
     *
     * @param arguments the number of frames, 5 when absent; then an interface of this host on which actions are
     *     broadcast, else they are sent to one camera after the other
     */
    public static void main(String[] arguments) {
        int frames = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        List<String> interfaces = arguments.length > 1 ? List.of(arguments[1]) : List.of();
        Devices factory = DeviceFactory.create(PeregrineSettings.load());
        List<DiscoveryInformation> found = factory.discover(DiscoverFlags.FIND_ALL, Duration.ofMillis(500));
        if (found.isEmpty()) {
            throw new IllegalStateException("No camera answered: ./peregrine doctor says why");
        }

        List<Source> sources = new ArrayList<>();
        try {
            for (DiscoveryInformation info : found) {
                sources.add(open(factory, info));
            }
            for (Source source : sources) {
                System.out.println(source.device.info().serialNumber() + " "
                        + source.device.clock().awaitSynchronised(PATIENCE));
                source.stream.start();
            }
            long largest = 0;
            for (int i = 0; i < frames; i++) {
                largest = Math.max(largest, takeTogether(factory, sources, interfaces));
            }
            System.out.println("largest skew " + largest / 1000 + " us");
        } finally {
            for (Source source : sources) {
                source.stream.close();
                source.device.close();
            }
        }
    }

    private static Source open(Devices factory, DiscoveryInformation info) {
        Device device = factory.open(info);
        device.clock().ptp(true);
        device.control().actionSettings().deviceKey(DEVICE_KEY);
        device.control().actionSettings().group(0, GROUP_KEY, ALL_GROUPS);
        NodeMap nodes = device.nodes();
        nodes.enumeration("TriggerSelector").set("FrameStart");
        nodes.enumeration("TriggerMode").set("On");
        nodes.enumeration("TriggerSource").set("Action0");
        return new Source(device, device.stream(CompositeStream.class, 0));
    }

    /** Gives the time between the earliest and the latest frame, in nanoseconds. */
    private static long takeTogether(Devices factory, List<Source> sources, List<String> interfaces) {
        // By IEEE 1588 all have the same time, and a tick is a nanosecond.
        long moment = sources.get(0).device.clock().latch() + AHEAD.toNanos();
        Action action = Action.of(DEVICE_KEY, GROUP_KEY, ALL_GROUPS).at(moment);
        List<Actions.Answer> answers = interfaces.isEmpty()
                ? factory.actions()
                        .send(
                                action,
                                sources.stream()
                                        .map(source -> source.device.info())
                                        .toList(),
                                AHEAD)
                : factory.actions().broadcast(action, interfaces, AHEAD, sources.size());
        for (Actions.Answer answer : answers) {
            if (!answer.accepted() || answer.late()) {
                System.out.println(answer.camera().getAddress().getHostAddress() + " " + answer.status());
            }
        }
        long earliest = Long.MAX_VALUE;
        long latest = Long.MIN_VALUE;
        for (Source source : sources) {
            if (source.stream.waitFor(PATIENCE) instanceof WaitResult.Ok ok) {
                try (Composite composite = ok.composite()) {
                    earliest = Math.min(earliest, composite.timestamp());
                    latest = Math.max(latest, composite.timestamp());
                }
            } else {
                throw new IllegalStateException(source.device + " sent no frame");
            }
        }
        System.out.println(sources.size() + " frames, the first " + (earliest - moment) / 1000
                + " us after the action was due, the last " + (latest - earliest) / 1000 + " us later");
        return latest - earliest;
    }
}
