package io.peregrine.browser.cameras;

import io.peregrine.browser.http.HttpProblem;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.configured.ConfiguredDevice;
import io.peregrine.device.configured.ConfiguredDevices;
import io.peregrine.device.configured.ConfiguredDevicesException;
import java.util.List;
import java.util.function.Supplier;

/** The devices that the user configured, for the cameras of the page. Safe for use by several threads. */
public final class Configuration {
    private static final System.Logger LOGGER = System.getLogger(Configuration.class.getName());

    private final ConfiguredDevices devices;

    Configuration(ConfiguredDevices devices) {
        this.devices = devices;
    }

    /** Where it is kept. */
    public String file() {
        return devices.file().toString();
    }

    /**
     * All of them.
     *
     * @throws HttpProblem if the file cannot be used
     */
    public List<ConfiguredDevice> list() {
        return attempt(devices::list);
    }

    /** Gives a camera that was found its name and parameters. A file that cannot be used keeps no camera away. */
    void apply(Camera camera) {
        DiscoveryInformation info = camera.info();
        try {
            devices.list().stream()
                    .filter(device -> device.byAddressOnly()
                            ? device.address().equals(address(info))
                            : device.means(info.macAddress(), info.serialNumber()))
                    .filter(device -> !camera.isFile())
                    .findFirst()
                    .ifPresent(device -> camera.configured(device.name(), device.parameters()));
        } catch (ConfiguredDevicesException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "Cameras are shown without their configuration", e);
        }
    }

    /**
     * Configures a camera with its present parameters.
     *
     * @param name by which programs open it from now on
     * @throws HttpProblem if the name is not possible, or belongs to another device, or the file cannot be used
     */
    public void configure(Camera camera, String name) {
        if (camera.isFile()) {
            throw HttpProblem.conflict("a recording is opened by its path, it needs no configuration");
        }
        boolean taken = list().stream().anyMatch(device -> device.name().equals(name) && !isAt(camera, device));
        if (taken) {
            throw HttpProblem.conflict(
                    "another device is configured as " + name + ": choose another name, or remove it");
        }
        String before = camera.configured();
        put(camera, name);
        if (!before.isEmpty() && !before.equals(name)) {
            attempt(() -> devices.remove(before));
        }
        camera.configured(name, camera.parameters());
    }

    private static boolean isAt(Camera camera, ConfiguredDevice device) {
        DiscoveryInformation info = camera.info();
        return device.means(info.macAddress(), info.serialNumber())
                || device.address().equals(address(info));
    }

    /** Keeps the parameters of a camera, if it is configured. */
    public void update(Camera camera) {
        if (!camera.configured().isEmpty()) {
            put(camera, camera.configured());
        }
    }

    private void put(Camera camera, String name) {
        DiscoveryInformation info = camera.info();
        attempt(() -> {
            devices.put(new ConfiguredDevice(
                    name, info.macAddress(), info.serialNumber(), address(info), camera.parameters()));
            return true;
        });
    }

    /**
     * Removes a device from the configuration.
     *
     * @param cameras those that may be it
     * @throws HttpProblem if there is none of that name, or the file cannot be used
     */
    public void remove(String name, List<Camera> cameras) {
        if (!attempt(() -> devices.remove(name))) {
            throw HttpProblem.notFound("no device of that name is configured");
        }
        cameras.stream().filter(camera -> camera.configured().equals(name)).forEach(Camera::forget);
    }

    private static String address(DiscoveryInformation info) {
        return info.address().getHostAddress() + ":" + info.port();
    }

    private static <T> T attempt(Supplier<T> step) {
        try {
            return step.get();
        } catch (ConfiguredDevicesException e) {
            throw HttpProblem.conflict(String.valueOf(e.getMessage()));
        }
    }
}
