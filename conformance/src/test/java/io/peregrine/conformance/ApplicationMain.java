package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Connection;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.testing.ChildProcess;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Has a camera until it is ended, or has lost it for good, and prints what becomes of it. Arguments: name of the
 * camera, parameters for opening as NAME=VALUE, features to set as {@code set:NAME=VALUE}, {@code allow:KEY} to let
 * others take control over by a key, {@code stream} to stream.
 */
final class ApplicationMain {
    private static final Duration FIND_LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);
    /** Whole frames one after the other that make a stream. */
    private static final int FRAMES = 20;

    private final Device device;
    private final CountDownLatch lost = new CountDownLatch(1);
    /** Whole frames to come until it is told that they do. */
    private final AtomicInteger wanted = new AtomicInteger(FRAMES);

    private ApplicationMain(Device device) {
        this.device = device;
    }

    /** Starts it as a process of its own, which says "streaming" when it does. */
    static ChildProcess start(VirtualCamera camera, Duration heartbeat) {
        return ChildProcess.start(ChildProcess.java(
                List.of(),
                ApplicationMain.class.getName(),
                List.of(Loopback.name(camera), "HeartbeatTimeout=" + heartbeat.toMillis() + "ms", "stream")));
    }

    public static void main(String[] arguments) throws InterruptedException {
        Devices factory = DeviceFactory.create(PeregrineSettings.load());
        DiscoveryInformation info = factory.await(arguments[0], FIND_LIMIT);
        List<String> features = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        boolean streams = false;
        for (String argument : List.of(arguments).subList(1, arguments.length)) {
            String[] pair = argument.split("[:=]", 2);
            switch (pair[0]) {
                case "set" -> features.add(pair[1]);
                case "allow" -> keys.add(pair[1]);
                case "stream" -> streams = true;
                default -> info.setParameter(pair[0], pair[1]);
            }
        }
        try (Device device = factory.open(info)) {
            ApplicationMain application = new ApplicationMain(device);
            device.connection().onState(application::tell);
            for (String feature : features) {
                String[] pair = feature.split("=", 2);
                device.nodes().node(pair[0]).setFromText(pair[1]);
            }
            keys.forEach(key -> device.control().allowSwitchover(Integer.parseInt(key)));
            application.describe();
            if (streams) {
                application.stream();
            } else {
                application.lost.await();
            }
        }
    }

    private void describe() {
        System.out.println("holder "
                + device.control()
                        .primaryApplication()
                        .map(holder -> holder.getAddress().getHostAddress())
                        .orElse("nobody"));
        System.out.println(
                "heartbeat " + text("GevHeartbeatTimeout") + " ms, disabled " + text("GevGVCPHeartbeatDisable"));
        System.out.println("acquisition " + text("AcquisitionStatus"));
        System.out.println("open");
    }

    /** Cameras of other makers lack the one or other. */
    private String text(String feature) {
        return device.nodes()
                .find(feature)
                .filter(node -> node.readable())
                .map(node -> node.valueAsText())
                .orElse("not told");
    }

    private void tell(Connection.Event event) {
        boolean back = event.state() == Connection.State.CONNECTED;
        System.out.println("state " + event.state()
                + (back ? " at " + device.info().address().getHostAddress() + " " + event.problems() : "")
                + event.cause().map(cause -> ": " + cause.getMessage()).orElse(""));
        if (back) {
            wanted.set(FRAMES);
        } else if (event.state() == Connection.State.LOST) {
            lost.countDown();
        }
    }

    private void stream() {
        try (CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            WaitResult result = stream.waitFor(POLL);
            while (!(result instanceof WaitResult.Abort)) {
                if (result instanceof WaitResult.Ok ok) {
                    take(ok.composite());
                }
                result = stream.waitFor(POLL);
            }
        }
    }

    private void take(Composite frame) {
        try (frame) {
            if (frame.complete() && wanted.get() > 0 && wanted.decrementAndGet() == 0) {
                System.out.println("streaming");
            }
        }
    }
}
