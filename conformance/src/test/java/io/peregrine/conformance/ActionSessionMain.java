package io.peregrine.conformance;

import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Action;
import io.peregrine.device.Actions;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceClock;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.PeregrineSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens two cameras, compares their clocks, and lets them act, by broadcast and one by one: at once, at a time, too
 * late, and not at all. Prints what came of it.
 */
final class ActionSessionMain {
    static final int DEVICE_KEY = 0x0A11CE;
    static final int GROUP_KEY = 0x5A;
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(500);

    private ActionSessionMain() {}

    /**
     * Runs the session.
     *
     * @param arguments the interface to broadcast on, and the addresses of the cameras
     */
    public static void main(String[] arguments) {
        List<String> there = List.of(arguments[0]);
        Devices factory = DeviceFactory.create(PeregrineSettings.load());
        Actions actions = factory.actions();
        List<Device> devices = new ArrayList<>();
        List<CompositeStream> streams = new ArrayList<>();
        try {
            for (int i = 1; i < arguments.length; i++) {
                Device device = factory.open(arguments[i]);
                devices.add(device);
                compareClocks(device.clock());
                device.clock().ptp(true);
                device.control().actionSettings().deviceKey(DEVICE_KEY);
                device.control().actionSettings().group(1, GROUP_KEY, i);
                device.nodes().enumeration("TriggerMode").set("On");
                device.nodes().enumeration("TriggerSource").set("Action1");
            }
            for (Device device : devices) {
                System.out.println(
                        "clock=" + device.clock().awaitSynchronised(LONG).port());
                CompositeStream stream = device.stream(CompositeStream.class, 0);
                streams.add(stream);
                stream.start();
            }
            Action everybody = Action.of(DEVICE_KEY, GROUP_KEY, 0x3);
            print("now", actions.broadcast(everybody, there, LONG, devices.size()));
            frames("now", streams, 0);
            print(
                    "unicast",
                    actions.send(everybody, devices.stream().map(Device::info).toList(), LONG));
            frames("unicast", streams, 0);
            long moment = devices.get(0).clock().latch() + 2_000_000_000;
            print("planned", actions.broadcast(everybody.at(moment), there, LONG, devices.size()));
            frames("planned", streams, moment);
            print("late", actions.broadcast(everybody.at(1), there, LONG, devices.size()));
            frames("late", streams, 0);
            print("one", actions.broadcast(Action.of(DEVICE_KEY, GROUP_KEY, 0x2), there, SHORT, 0));
            print("nobody", actions.broadcast(Action.of(DEVICE_KEY, GROUP_KEY + 1, 0x3), there, SHORT, 0));
            devices.forEach(device -> device.control().actionSettings().unconditional(true));
        } finally {
            streams.forEach(CompositeStream::close);
            devices.forEach(Device::close);
        }
        System.out.println("done");
    }

    /** Both hosts have one clock here, by which what is said of the error can be judged. */
    private static void compareClocks(DeviceClock clock) {
        clock.update();
        Instant before = Instant.now();
        long ticks = clock.latch();
        Instant after = Instant.now();
        DeviceClock.BoundedInstant instant = clock.toInstant(ticks);
        boolean within =
                !instant.latest().isBefore(before) && !instant.earliest().isAfter(after);
        System.out.println(
                "latch " + (within ? "within its bounds" : instant + " is not from " + before + " to " + after));
        long start = System.nanoTime();
        clock.reset();
        long sinceReset = clock.latch();
        boolean anew = sinceReset <= System.nanoTime() - start;
        System.out.println("reset " + (anew ? "to the start" : "left " + sinceReset));
    }

    private static void print(String what, List<Actions.Answer> answers) {
        answers.stream()
                .map(answer -> what + "=" + answer.camera().getAddress().getHostAddress() + " " + answer.status())
                .sorted()
                .forEach(System.out::println);
    }

    private static void frames(String what, List<CompositeStream> streams, long notBefore) {
        for (CompositeStream stream : streams) {
            if (stream.waitFor(LONG) instanceof WaitResult.Ok ok) {
                boolean early = ok.composite().timestamp() < notBefore;
                System.out.println("frame " + what + (early ? " EARLY" : ""));
                ok.composite().close();
            }
        }
    }
}
