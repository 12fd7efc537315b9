package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.GroupFrame;
import io.peregrine.composite.StreamGroup;
import io.peregrine.device.Action;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.PeregrineSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes all streams of two cameras together that actions trigger: by block id, then by time with scheduled actions,
 * some of which the second is not meant by. Prints what came of it. Arguments: serial numbers of the cameras.
 */
final class StreamGroupMain {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration TOLERANCE = Duration.ofMillis(45);
    private static final Duration AHEAD = Duration.ofMillis(100);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final int COMPLETE = 20;
    private static final int MOST = 300;
    private static final int KEY = 0x57;
    private static final int BOTH = 1;
    private static final int FIRST_ALONE = 2;

    private final Devices factory;
    private final List<Device> devices;
    private int complete;
    private int alone;
    private long disagreeing;
    private long badBytes;

    private StreamGroupMain(Devices factory, List<Device> devices) {
        this.factory = factory;
        this.devices = devices;
    }

    public static void main(String[] arguments) {
        Devices factory = DeviceFactory.create(PeregrineSettings.load());
        try (Device first = factory.open(factory.await(arguments[0], LIMIT));
                Device second = factory.open(factory.await(arguments[1], LIMIT))) {
            List<Device> both = List.of(first, second);
            for (Device device : both) {
                device.control().actionSettings().deviceKey(KEY);
                device.control().actionSettings().group(0, KEY, device == first ? BOTH | FIRST_ALONE : BOTH);
                device.nodes().enumeration("TriggerMode").set("On");
                device.nodes().enumeration("TriggerSource").set("Action0");
            }
            new StreamGroupMain(factory, both).run(false);
            for (Device device : both) {
                device.clock().ptp(true);
                System.out.println(
                        "clock " + device.clock().awaitSynchronised(LIMIT).port());
            }
            new StreamGroupMain(factory, both).run(true);
        }
    }

    private void run(boolean byTime) {
        Map<String, CompositeStream> streams = new LinkedHashMap<>();
        for (Device device : devices) {
            for (int i = 0; i < device.streamCount(); i++) {
                streams.put(device.info().serialNumber() + i, device.stream(CompositeStream.class, i));
            }
        }
        StreamGroup.Builder builder = byTime ? StreamGroup.byTimestamp(TOLERANCE) : StreamGroup.byBlockId(0);
        streams.forEach(builder::add);
        try (StreamGroup group = builder.patience(LIMIT).build()) {
            group.start();
            for (int turn = 1; (complete < COMPLETE || (byTime && alone < 3)) && turn < MOST; turn++) {
                boolean together = !byTime || turn % 4 != 0;
                trigger(together ? BOTH : FIRST_ALONE, byTime);
                // Only the next frame of the second camera tells that it has none of this moment.
                if (group.waitFor(byTime ? SHORT : LIMIT) instanceof StreamGroup.Result.Ok ok) {
                    take(ok.frame(), byTime);
                }
            }
            group.stop();
        } finally {
            streams.values().forEach(CompositeStream::close);
        }
        String how = byTime ? "time " : "id ";
        System.out.println(how + streams.keySet() + " complete " + Math.min(complete, COMPLETE) + ", disagreeing "
                + disagreeing + ", bad bytes " + badBytes);
        System.out.println(how + "alone " + (alone >= 3));
    }

    private void trigger(int mask, boolean scheduled) {
        Action action = Action.of(KEY, KEY, mask);
        factory.actions()
                .send(
                        scheduled ? action.at(devices.get(0).clock().latch() + AHEAD.toNanos()) : action,
                        devices.stream().map(Device::info).toList(),
                        AHEAD);
    }

    private void take(GroupFrame frame, boolean byTime) {
        String second = devices.get(1).info().serialNumber();
        try (frame) {
            alone += frame.missing().equals(List.of(second + 0, second + 1)) ? 1 : 0;
            for (Composite composite : frame.composites()) {
                badBytes += composite.complete() ? PatternCheck.badBytes(composite) : 0;
            }
            if (frame.complete()) {
                complete++;
                boolean same = byTime
                        ? frame.spread() <= TOLERANCE.toNanos()
                        : frame.composites().stream()
                                        .map(Composite::blockId)
                                        .distinct()
                                        .count()
                                == 1;
                disagreeing += same ? 0 : 1;
            }
        }
    }
}
