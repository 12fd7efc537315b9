package io.peregrine.device;

import io.peregrine.device.configured.ConfiguredDevice;
import io.peregrine.device.configured.ConfiguredDevices;
import io.peregrine.device.configured.ConfiguredDevicesException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds devices by what is in the file of configured devices. */
final class ConfiguredSearch {
    private ConfiguredSearch() {}

    /**
     * The configured device of a name.
     *
     * @throws DeviceException if the file cannot be used
     */
    static Optional<ConfiguredDevice> named(Path file, String name) {
        // What reads the file is not loaded where there is none.
        if (!Files.exists(file) || !ConfiguredDevice.isName(name)) {
            return Optional.empty();
        }
        try {
            return ConfiguredDevices.in(file).find(name);
        } catch (ConfiguredDevicesException e) {
            throw new DeviceException(
                    e.getMessage() + ". Correct or remove the file, or name another by " + PeregrineSettings.DEVICES,
                    e);
        }
    }

    static boolean isMeant(ConfiguredDevice configured, DiscoveryInformation info) {
        return configured.means(info.macAddress(), info.serialNumber());
    }

    /** The name, and what identifies it. */
    static String describe(ConfiguredDevice configured) {
        List<String> identity = new ArrayList<>();
        identity.add("'" + configured.name() + "'");
        add(identity, "MAC address ", configured.mac());
        add(identity, "serial number ", configured.serial());
        add(identity, "last at ", configured.address());
        return String.join(", ", identity);
    }

    private static void add(List<String> identity, String what, String value) {
        if (!value.isEmpty()) {
            identity.add(what + value);
        }
    }

    /**
     * Sets the parameters of the file.
     *
     * @throws DeviceException if there is no such parameter, or its value is wrong
     */
    static DiscoveryInformation prepare(DiscoveryInformation info, ConfiguredDevice configured, Path file) {
        for (Map.Entry<String, String> parameter : configured.parameters().entrySet()) {
            try {
                OpenParameter.named(parameter.getKey()).check(parameter.getValue());
            } catch (DeviceException | IllegalArgumentException e) {
                throw new DeviceException(
                        "The parameters of the configured device '" + configured.name() + "' in " + file
                                + " cannot be used: " + e.getMessage(),
                        e);
            }
            info.setParameter(parameter.getKey(), parameter.getValue());
        }
        return info;
    }
}
