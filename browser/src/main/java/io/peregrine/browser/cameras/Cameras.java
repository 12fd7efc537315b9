package io.peregrine.browser.cameras;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.recording.RecordingFolder;
import io.peregrine.device.Action;
import io.peregrine.device.Actions;
import io.peregrine.device.DeviceRegisters;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoverFlags;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.configured.ConfiguredDevices;
import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.doctor.CameraDoctor;
import io.peregrine.doctor.Finding;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The cameras that were found and opened. A camera keeps its id as long as the server runs. Safe for use by several
 * threads.
 */
public final class Cameras implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Cameras.class.getName());
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration MOVE_LIMIT = Duration.ofSeconds(10);
    private static final Duration ANSWERS = Duration.ofMillis(500);
    private static final int TICKS_PER_STATISTICS = 5;

    /** Cameras remembered; a network has fewer. */
    private static final int MAX_CAMERAS = 4096;

    private final Devices devices;
    private final Duration window;
    private final Events events;
    private final RecordingFolder folder;
    private final Configuration configuration;
    private final Map<String, Camera> byId = new LinkedHashMap<>();
    private final ScheduledExecutorService ticker;
    private long ticks;

    /**
     * Starts the thread that notifies pages of changes.
     *
     * @param window how long answers to a search are collected
     * @param folder where recordings go
     */
    public Cameras(Devices devices, Duration window, Events events, RecordingFolder folder) {
        this.devices = devices;
        this.window = window;
        this.events = events;
        this.folder = folder;
        configuration = new Configuration(ConfiguredDevices.in(devices.configurationFile()));
        ticker = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "peregrine-browser-events");
            thread.setDaemon(true);
            return thread;
        });
        ScheduledFuture<?> unused =
                ticker.scheduleWithFixedDelay(this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Searches, and gives all cameras known: those that answered, and those that are open. */
    public List<Camera> search() {
        List<DiscoveryInformation> found =
                devices.discover(DiscoverFlags.INCLUDE_INACCESSIBLE.or(DiscoverFlags.INCLUDE_FILES), window);
        synchronized (byId) {
            byId.values().forEach(Camera::missing);
            byId.values().stream().filter(Camera::isFile).forEach(file -> file.found(file.info()));
            for (DiscoveryInformation info : found) {
                known(info).answered(info);
            }
            return list();
        }
    }

    /**
     * Adds a device that a name means, as in {@link Devices#find}.
     *
     * @param name not one that leads to a file
     * @throws HttpProblem if the name leads to a file
     */
    public Camera addNamed(String name) {
        if (name.regionMatches(true, 0, "file:", 0, "file:".length())) {
            throw HttpProblem.badRequest("recordings are opened from the list of recordings");
        }
        return add(devices.find(name));
    }

    /** Adds a recording. */
    public Camera addRecording(Path file) {
        return add(devices.find("file:" + file));
    }

    private Camera add(DiscoveryInformation info) {
        Camera camera;
        synchronized (byId) {
            camera = known(info);
            camera.found(info);
        }
        publishList();
        return camera;
    }

    private Camera known(DiscoveryInformation info) {
        return byKey(Camera.key(info)).orElseGet(() -> create(info));
    }

    /** A free address for a camera; asks the network. */
    public AddressConfiguration suggestAddress(Camera camera) {
        return devices.suggestAddress(camera.info());
    }

    /** Gives a camera an address until it restarts. */
    public void forceAddress(Camera camera, AddressConfiguration address) {
        camera.found(devices.forceAddress(camera.info(), address, MOVE_LIMIT));
        publishList();
    }

    /**
     * Examines how a camera is reached; only reads it.
     *
     * @throws HttpProblem if it is a recording
     */
    public List<Finding> examine(Camera camera) {
        if (camera.isFile()) {
            throw HttpProblem.conflict("a recording is not reached by a network");
        }
        DiscoveryInformation info = camera.info();
        String name = info.serialNumber().isEmpty() ? info.address().getHostAddress() : info.serialNumber();
        return new CameraDoctor(devices, name, () -> devices.find(info.accessToken()), false)
                .controlledHere(camera.opened().filter(OpenCamera::controls).isPresent())
                .examine();
    }

    /**
     * Reads registers of a camera, beside the program that controls it.
     *
     * @throws HttpProblem if it is a recording
     */
    public void readRegisters(Camera camera, Consumer<DeviceRegisters> reader) {
        if (camera.isFile()) {
            throw HttpProblem.conflict("a recording has no registers");
        }
        try (DeviceRegisters registers = devices.openRegisters(camera.info())) {
            reader.accept(registers);
        }
    }

    /** Sends an action to cameras, once; gives the answers that come soon. */
    public List<Actions.Answer> act(Action action, List<Camera> targets) {
        return devices.actions().send(action, targets.stream().map(Camera::info).toList(), ANSWERS);
    }

    /** The devices that the user configured. */
    public Configuration configuration() {
        return configuration;
    }

    private Optional<Camera> byKey(String key) {
        return byId.values().stream().filter(camera -> camera.key().equals(key)).findFirst();
    }

    private Camera create(DiscoveryInformation info) {
        if (byId.size() >= MAX_CAMERAS) {
            throw HttpProblem.conflict("more than " + MAX_CAMERAS + " cameras were found");
        }
        Camera camera = new Camera("c" + (byId.size() + 1), info);
        byId.put(camera.id(), camera);
        configuration.apply(camera);
        return camera;
    }

    /** All cameras known, without a search. */
    public List<Camera> list() {
        synchronized (byId) {
            return List.copyOf(byId.values());
        }
    }

    /**
     * A camera.
     *
     * @throws HttpProblem if there is none of that id
     */
    public Camera camera(String id) {
        synchronized (byId) {
            Camera camera = byId.get(id);
            if (camera == null) {
                throw HttpProblem.notFound("there is no camera " + id);
            }
            return camera;
        }
    }

    /**
     * A camera that is open.
     *
     * @throws HttpProblem if it is not
     */
    public OpenCamera open(String id) {
        return camera(id).opened().orElseThrow(() -> HttpProblem.conflict("the camera is not open"));
    }

    /** Opens a camera with parameters; gives what is open if it is. */
    public OpenCamera connect(String id, Map<String, String> parameters) {
        Camera camera = camera(id);
        OpenCamera open = camera.open(() -> {
            DiscoveryInformation info = devices.find(camera.info().accessToken());
            parameters.forEach(info::setParameter);
            return new OpenCamera(id, devices.open(info), events, folder);
        });
        publishList();
        return open;
    }

    /** Closes a camera; does nothing if it is not open. */
    public void disconnect(String id) {
        camera(id).close();
        publishList();
    }

    /** Notifies pages that the list changed. */
    public void publishList() {
        events.publish(JsonNodeFactory.instance.objectNode().put("type", "cameras"));
    }

    private void tick() {
        ticks++;
        for (Camera camera : list()) {
            try {
                camera.opened().ifPresent(open -> {
                    open.tick(TICK);
                    if (ticks % TICKS_PER_STATISTICS == 0) {
                        open.publishStatistics();
                    }
                });
            } catch (RuntimeException | Error e) {
                // No task of the executor may throw: it would be the last. A camera that was just lost or closed.
                boolean severe = e instanceof Error;
                LOGGER.log(
                        severe ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
                        "No news of camera " + camera.id(),
                        e);
            }
        }
    }

    @Override
    public void close() {
        ticker.shutdownNow();
        List<RuntimeException> failures = new ArrayList<>();
        for (Camera camera : list()) {
            try {
                camera.close();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        failures.forEach(failure ->
                LOGGER.log(System.Logger.Level.WARNING, "A camera was not closed in order: " + failure.getMessage()));
    }
}
