package io.peregrine.device;

import io.peregrine.genapi.Registration;
import java.time.Duration;
import java.util.List;

/**
 * Entry point: finds devices and opens them.
 *
 * <pre>{@code
 * DiscoveryInformation info = DeviceFactory.first();
 * info.setParameter("UseRdma", "1");
 * try (Device device = DeviceFactory.open(info);
 *         CompositeStream stream = device.stream(CompositeStream.class, 0)) {
 *     stream.start();
 *     for (Composite composite : stream) {
 *         try (composite) {
 *             System.out.println(composite);
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>All methods use the {@linkplain PeregrineSettings#load() settings of the environment}, read at each call;
 * {@link #create} takes other settings, and offers less common operations. Thread-safe.
 */
public final class DeviceFactory {
    private DeviceFactory() {}

    /** Finds and opens devices with other settings. */
    public static Devices create(PeregrineSettings settings) {
        return Devices.of(settings);
    }

    private static Devices devices() {
        return create(PeregrineSettings.load());
    }

    /** Finds every device that can be reached, within the time window of the settings (300 ms unless changed). */
    public static List<DiscoveryInformation> discover() {
        return devices().discover();
    }

    /**
     * Finds devices.
     *
     * @param flags what to include
     * @param window how long answers are collected; later ones are missed
     */
    public static List<DiscoveryInformation> discover(DiscoverFlags flags, Duration window) {
        return devices().discover(flags, window);
    }

    /**
     * Finds a device, for programs that have only one: the first that answers. When several answer, the log says so;
     * {@link #open(String)} takes a certain one.
     *
     * @return the device, never null; parameters may be set before it is opened
     * @throws DeviceNotFoundException if none answers, with what was asked, and what to check
     */
    public static DiscoveryInformation first() {
        return devices().first();
    }

    /**
     * Opens a device that was found, with the parameters of its information.
     *
     * @throws DeviceAccessDeniedException if another application controls it
     * @throws DeviceTimeoutException if it does not answer, or not in time
     * @throws DeviceException if a parameter is wrong, or its description cannot be read
     */
    public static Device open(DiscoveryInformation info) {
        return devices().open(info);
    }

    /**
     * Opens a device that was found, with options on top of the parameters of its information, which stays as it is.
     *
     * @see #open(DiscoveryInformation)
     */
    public static Device open(DiscoveryInformation info, OpenOptions options) {
        return devices().open(info, options);
    }

    /**
     * Opens a device by access token, IPv4 address (with or without port), the name that it has in the file of
     * configured devices, serial number, user-defined name (DeviceUserID) or MAC address, a recording by {@code file:}
     * and its path, or a stream that another program publishes by {@code aeron:} and its name. A configured device has
     * the parameters of the file.
     *
     * @throws DeviceException if no such device answers, or several do
     * @see #open(DiscoveryInformation)
     */
    public static Device open(String name) {
        return devices().open(name);
    }

    /**
     * Opens a device by name, with options.
     *
     * @see #open(String)
     */
    public static Device open(String name, OpenOptions options) {
        return devices().open(name, options);
    }

    /**
     * Has a step run when the program is asked to terminate (SIGTERM, Ctrl-C, {@code System.exit}), before the devices
     * that are open then are closed for it. Steps run one after another, on a thread of the library, while all other
     * threads of the program go on: a step may wait until another thread has finished its work with a device. The
     * program ends no sooner than the step returns.
     *
     * @param step what to do; it must end within seconds
     * @return closing it takes the step back
     */
    public static Registration beforeDevicesClose(Runnable step) {
        return ProgramEnd.beforeDevicesClose(step);
    }
}
