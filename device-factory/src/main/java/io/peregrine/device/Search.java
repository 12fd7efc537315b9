package io.peregrine.device;

import io.peregrine.discovery.internal.DiscoveredDevice;
import io.peregrine.discovery.internal.Discovery;
import io.peregrine.discovery.internal.DiscoveryException;
import io.peregrine.discovery.internal.DiscoverySettings;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** One search for devices: where, for how long, and what to say when it finds none. */
final class Search {
    private final DiscoverySettings settings;
    private final Discovery discovery;
    private final Duration window;

    Search(DiscoverySettings settings, Duration window) {
        this.settings = settings;
        this.window = window;
        discovery = Discovery.create(settings);
    }

    /** Runs something of discovery; what goes wrong with it is a device exception. */
    static <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (DiscoveryException e) {
            throw new DeviceException(e.getMessage(), e);
        }
    }

    /** Asks, and waits for answers. */
    List<DiscoveredDevice> run() {
        return asked(() -> discovery.discover(window));
    }

    /**
     * That nothing was found: what was asked, and why no answer may have come.
     *
     * @param what the device or devices that did not answer
     */
    DeviceNotFoundException foundNothing(String what) {
        if (!settings.broadcast() && settings.unicast().isEmpty()) {
            return new DeviceNotFoundException(what + " could be asked: turn broadcast on ("
                    + PeregrineSettings.DISCOVERY_BROADCAST + "), or give addresses ("
                    + PeregrineSettings.DISCOVERY_ADDRESSES + ")");
        }
        return new DeviceNotFoundException(what + " answered within " + window.toMillis() + " ms when asked "
                + asked(discovery::scope) + ": check power and cable, "
                + (settings.broadcast() ? "that one of these interfaces is in the camera's subnet, " : "")
                + "and that no firewall drops UDP from the camera, or run ./peregrine doctor");
    }

    /** That all that answered are out of reach. */
    static DeviceNotFoundException outOfReach(List<DiscoveredDevice> foreign) {
        DiscoveredDevice first = foreign.get(0);
        String all = foreign.size() == 1 ? "The only camera" : "The " + foreign.size() + " cameras";
        return new DeviceNotFoundException(all + " in sight cannot be reached: " + first.mac() + " answered on "
                + first.interfaceName() + " from " + first.address().getHostAddress()
                + ", which is outside the subnet of "
                + first.interfaceAddress().getHostAddress()
                + "; give it an address of that subnet (DeviceFactory.makeReachable, or ./peregrine ip)");
    }
}
