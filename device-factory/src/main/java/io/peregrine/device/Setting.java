package io.peregrine.device;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A setting. This registry is the one list of them, those included that hold the defaults of {@link OpenParameter}s.
 *
 * @param key dotted key
 * @param type what its text may be
 * @param defaultValue value in the lowest layer; empty text for none
 * @param unit unit of the value; empty text when it has none
 * @param description what it does, in a sentence
 */
record Setting(String key, ValueType type, String defaultValue, String unit, String description) {
    /** File with settings: read before all settings, so it is none of the file itself. */
    static final String CONFIG_FILE = "peregrine.config";

    /** Names the adapter for raw packets, also for programs that know nothing of it. */
    static final String IBV_INTERFACE = "peregrine.ibv.interface";

    /** Those that are not the default of a parameter. */
    static final List<Setting> OWN = List.of(
            new Setting(
                    CONFIG_FILE,
                    ValueType.text("a path", text -> true),
                    "",
                    "",
                    "File with settings, instead of peregrine.properties or peregrine.xml in the working directory;"
                            + " only as system property or environment variable"),
            new Setting(
                    PeregrineSettings.DISCOVERY_INTERFACES,
                    ValueType.text("names or IPv4 addresses, separated by commas", text -> true),
                    "",
                    "",
                    "Local interfaces to search for devices; all but loopback when not set"),
            new Setting(
                    PeregrineSettings.DISCOVERY_ADDRESSES,
                    ValueType.text("IPv4 addresses with or without a port, separated by commas", text -> true),
                    "",
                    "",
                    "Devices to ask directly, also where broadcasts do not reach"),
            new Setting(
                    PeregrineSettings.DISCOVERY_BROADCAST,
                    ValueType.flag(),
                    "true",
                    "",
                    "Whether discovery broadcasts on the interfaces"),
            new Setting(
                    PeregrineSettings.DISCOVERY_WINDOW,
                    ValueType.duration(Duration.ZERO, Duration.ofMinutes(999_999_999), "a time such as 300ms or 2s"),
                    "300ms",
                    "time",
                    "How long discovery collects answers"),
            new Setting(
                    PeregrineSettings.DISCOVERY_PORT,
                    ValueType.integer(1, 65535),
                    "3956",
                    "UDP port",
                    "Port of the control channel of devices"),
            new Setting(
                    PeregrineSettings.MEMORY_LIMIT,
                    ValueType.integer(0, Long.MAX_VALUE),
                    "2147483648",
                    "bytes",
                    "Maximum memory of the flow sets of one stream; a stream that needs more is refused"),
            new Setting(
                    PeregrineSettings.FILES,
                    ValueType.text("paths, separated by commas", text -> true),
                    "",
                    "",
                    "Recordings, and directories of recordings, that discovery lists with"
                            + " DiscoverFlags.INCLUDE_FILES"),
            new Setting(
                    PeregrineSettings.DEVICES,
                    ValueType.text("a path", text -> true),
                    "",
                    "",
                    "File of configured devices; peregrine/devices.json in the user's folder for configuration when not"
                            + " set"),
            new Setting(
                    IBV_INTERFACE,
                    ValueType.text("the name or IPv4 address of a local interface", text -> true),
                    "",
                    "",
                    "Interface at which streams are received by PacketReceiver=verbs, unless the program sets"
                            + " PacketReceiver itself"));

    /** All settings. */
    static List<Setting> all() {
        List<Setting> all = new ArrayList<>(OWN);
        for (OpenParameter parameter : OpenParameter.all()) {
            all.add(new Setting(
                    parameter.settingsKey(),
                    parameter.type(),
                    parameter.defaultValue(),
                    parameter.unit(),
                    "Default of the parameter " + parameter.name()));
        }
        return List.copyOf(all);
    }

    /** Environment variable that sets it. */
    static String environmentName(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_');
    }
}
