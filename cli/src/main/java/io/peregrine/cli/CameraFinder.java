package io.peregrine.cli;

import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoverFlags;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say where cameras are looked for. */
final class CameraFinder {
    @Option(
            names = "--interface",
            paramLabel = "IF",
            split = ",",
            description = "Search on this interface, by name or address; all but loopback by default")
    private List<String> interfaces = new ArrayList<>();

    @Option(
            names = "--address",
            paramLabel = "IP[:PORT]",
            split = ",",
            description = "Ask this address directly; without --interface nothing is broadcast then")
    private List<String> addresses = new ArrayList<>();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = Converters.Time.class,
            description = "How long to wait for answers, for example 300ms (the default) or 2s")
    private Optional<String> timeout = Optional.empty();

    /** What to say when no camera was found. */
    String noAnswer() {
        return interfaces.isEmpty() && addresses.isEmpty()
                ? "no camera answered: for one on loopback, such as a virtual camera, give --address 127.0.0.1"
                : "no camera answered";
    }

    private PeregrineSettings settings() {
        PeregrineSettings settings = PeregrineSettings.load();
        if (!interfaces.isEmpty()) {
            settings = settings.with(PeregrineSettings.DISCOVERY_INTERFACES, String.join(",", interfaces));
        }
        if (!addresses.isEmpty()) {
            settings = settings.with(PeregrineSettings.DISCOVERY_ADDRESSES, String.join(",", addresses));
            if (interfaces.isEmpty()) {
                settings = settings.with(PeregrineSettings.DISCOVERY_BROADCAST, "false");
            }
        }
        if (timeout.isPresent()) {
            settings = settings.with(PeregrineSettings.DISCOVERY_WINDOW, timeout.get());
        }
        return settings;
    }

    Devices factory() {
        return DeviceFactory.create(settings());
    }

    List<DiscoveryInformation> findAll() {
        PeregrineSettings settings = settings();
        return DeviceFactory.create(settings)
                .discover(DiscoverFlags.INCLUDE_INACCESSIBLE, settings.duration(PeregrineSettings.DISCOVERY_WINDOW));
    }

    /** The camera of this name, also when it cannot be opened for its address. */
    DiscoveryInformation findAnywhere(String name) {
        List<DiscoveryInformation> matching = findAll().stream()
                .filter(info -> info.isNamed(name) || name.equals(info.address().getHostAddress()))
                .toList();
        return matching.size() == 1 ? matching.get(0) : find(name);
    }

    DiscoveryInformation find(String name) {
        return factory().find(name);
    }
}
