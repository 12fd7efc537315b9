package io.peregrine.device.configured;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A device that a user configured.
 *
 * @param name by which programs open it: letters, digits, blanks, hyphens, dots and underscores
 * @param mac MAC address; empty text if it does not identify the device
 * @param serial serial number; empty text if it does not identify the device
 * @param address where it was last, IPv4 address and port; empty text if that is unknown
 * @param parameters for opening it, by name
 */
public record ConfiguredDevice(String name, String mac, String serial, String address, Map<String, String> parameters) {
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N} _.-]{0,63}");
    private static final Pattern LIKE_ADDRESS = Pattern.compile("\\d+(\\.\\d+){3}");
    private static final Pattern MAC = Pattern.compile("|[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}");
    private static final Pattern ADDRESS = Pattern.compile("|\\d{1,3}(\\.\\d{1,3}){3}:\\d{1,5}");
    private static final int MAX_PARAMETERS = 128;
    private static final int MAX_TEXT = 1024;

    /**
     * Checks the values.
     *
     * @throws ConfiguredDevicesException if one is not allowed, or nothing identifies the device
     */
    public ConfiguredDevice {
        check(
                isName(name),
                "'" + shortened(name) + "' is no name of a configured device: give 1 to 64 letters, digits,"
                        + " blanks, hyphens, dots and underscores, and no IPv4 address");
        check(MAC.matcher(mac).matches(), name + " has the MAC address '" + shortened(mac) + "'");
        check(
                ADDRESS.matcher(address).matches(),
                name + " has the address '" + shortened(address)
                        + "': give an IPv4 address and a port, such as 192.0.2.7:3956");
        check(serial.length() <= MAX_TEXT, name + " has a serial number of " + serial.length() + " characters");
        check(
                !mac.isEmpty() || !serial.isEmpty() || !address.isEmpty(),
                name + " has neither MAC address, serial number nor address: give one of them");
        check(parameters.size() <= MAX_PARAMETERS, name + " has more than " + MAX_PARAMETERS + " parameters");
        parameters.forEach((parameter, value) -> check(
                parameter.length() <= MAX_TEXT && value.length() <= MAX_TEXT,
                name + " has a parameter of more than " + MAX_TEXT + " characters"));
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        Objects.requireNonNull(serial, "serial");
    }

    /** Whether a text can be the name of a configured device. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches() && !LIKE_ADDRESS.matcher(text).matches();
    }

    /** Whether a device is the one that is meant: by its MAC address if that is known, else by its serial number. */
    public boolean means(String itsMac, String itsSerial) {
        if (!mac.isEmpty()) {
            return mac.equalsIgnoreCase(itsMac);
        }
        return !serial.isEmpty() && serial.equals(itsSerial);
    }

    /** Whether only its address identifies it. */
    public boolean byAddressOnly() {
        return mac.isEmpty() && serial.isEmpty();
    }

    private static void check(boolean right, String message) {
        if (!right) {
            throw new ConfiguredDevicesException(message);
        }
    }

    private static String shortened(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
