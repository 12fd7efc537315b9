package io.peregrine.device;

import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.ScenarioBuilder;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A virtual camera that goes and comes back, and what a device that is opened over it tells of its connection. */
final class LosableCamera implements AutoCloseable {
    static final Duration LONG = Duration.ofSeconds(20);

    private final BlockingQueue<Connection.Event> events = new LinkedBlockingQueue<>();
    private final Scenario scenario;
    private final int port;
    private final Devices factory;
    private VirtualCamera camera;

    /**
     * Starts the camera.
     *
     * @param scenario how it looks; on an address of its own, with a serial number of its own
     * @param otherAddresses where it may come back too
     */
    LosableCamera(ScenarioBuilder scenario, String... otherAddresses) {
        camera = VirtualCamera.start(scenario.port(0).build());
        port = camera.address().getPort();
        this.scenario = scenario.port(port).build();
        List<String> addresses = Stream.concat(
                        Stream.of(this.scenario.bindAddress().getHostAddress()), Stream.of(otherAddresses))
                .map(address -> address + ":" + port)
                .toList();
        factory = DeviceFactory.create(PeregrineSettings.load()
                .with(PeregrineSettings.DISCOVERY_ADDRESSES, String.join(",", addresses))
                .with(PeregrineSettings.DISCOVERY_WINDOW, "100ms")
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
    }

    Devices factory() {
        return factory;
    }

    /** The camera as it is now. */
    VirtualCamera now() {
        return camera;
    }

    int port() {
        return port;
    }

    /** Switches the camera off. */
    void lose() {
        camera.close();
    }

    /** Starts another camera that is the same, with nothing that was set. */
    void comeBack() {
        comeBack(same -> same);
    }

    /** Starts one that is the same but for what is changed here. */
    void comeBack(UnaryOperator<ScenarioBuilder> change) {
        camera = VirtualCamera.start(
                change.apply(scenario.toBuilder().serial(scenario.serial())).build());
    }

    /** Opens the camera; the device's connection is listened to. */
    Device open(String... parameters) {
        Device device = openUnheard(parameters);
        device.connection().onState(events::add);
        return device;
    }

    /** Opens the camera without listening, as another application would. */
    Device openUnheard(String... parameters) {
        DiscoveryInformation info = factory.find(scenario.serial()).setParameter("HeartbeatTimeout", "1500ms");
        for (int i = 0; i < parameters.length; i += 2) {
            info.setParameter(parameters[i], parameters[i + 1]);
        }
        return factory.open(info);
    }

    /** Waits until a connection comes to a state, and forgets what was before. */
    Connection.Event await(Connection.State state) throws InterruptedException {
        List<Connection.Event> seen = new ArrayList<>();
        while (true) {
            Connection.Event event = events.poll(LONG.toSeconds(), TimeUnit.SECONDS);
            if (event == null) {
                throw new AssertionError("no " + state + ", only " + seen);
            }
            seen.add(event);
            if (event.state() == state) {
                return event;
            }
        }
    }

    /** What was told and not waited for. */
    List<Connection.Event> restOfEvents() {
        List<Connection.Event> rest = new ArrayList<>();
        events.drainTo(rest);
        return rest;
    }

    /** The camera goes, is missed, and comes back; gives the event that told so. */
    Connection.Event awayAndBack() throws InterruptedException {
        lose();
        await(Connection.State.RECONNECTING);
        comeBack();
        return await(Connection.State.CONNECTED);
    }

    /** Another application takes control over, and gives it up; the camera itself runs on. */
    Connection.Event robbedAndBack(Device device) throws InterruptedException {
        device.control().allowSwitchover(4711);
        try (Device other = openUnheard("SwitchoverKey", "4711")) {
            await(Connection.State.LOST);
            if (!other.connection().connected()) {
                throw new AssertionError("the other application has lost the camera");
            }
        }
        return await(Connection.State.CONNECTED);
    }

    @Override
    public void close() {
        camera.close();
    }
}
